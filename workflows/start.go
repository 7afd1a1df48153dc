package workflows

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

// start starts a workflow, whose id identifies its work: starting it again does nothing, also
// after it has ended.
func (c *Client) start(ctx context.Context, o client.StartWorkflowOptions, workflow string, input any) error {
	o.WorkflowIDConflictPolicy = enumspb.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	o.WorkflowIDReusePolicy = enumspb.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE
	_, err := c.temporal.ExecuteWorkflow(ctx, o, workflow, input)
	var started *serviceerror.WorkflowExecutionAlreadyStarted
	if err != nil && !errors.As(err, &started) {
		return models.Unavailable("Temporal", fmt.Errorf("start workflow %s: %w", o.ID, err))
	}
	return nil
}

// link ends the details of a workflow with a link to a page of its project's dashboard, which Temporal's UI renders.
func (c *Client) link(project, page string) string {
	link := models.DashboardLink(c.dashboard, project, page)
	if link == "" {
		return ""
	}
	return fmt.Sprintf("\n\n[Show it in Waft](%s)", link)
}

// StartRollout starts the workflow of an execution. It may be repeated.
func (c *Client) StartRollout(ctx context.Context, s models.RolloutStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: cmp.Or(s.Summary, fmt.Sprintf("rollout execution %d", s.ExecutionID)),
		StaticDetails: fmt.Sprintf("Rollout execution %d of Waft. Pause, resume, advance or cancel it through Waft's API. "+
			"Cancelling it here also reverts the release. Terminating it leaves the release as it is, without a rollout.", s.ExecutionID) +
			c.link(s.Project, fmt.Sprintf("rollouts/%d", s.ExecutionID)),
	}, WorkflowRollout, RolloutInput{Start: s})
}

// BuildPatches starts the workflow that makes the binary patches to a release. It may be repeated.
func (c *Client) BuildPatches(ctx context.Context, b models.PatchBuild) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            b.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: b.Summary,
		StaticDetails: "Makes the binary patches to a release. Without them devices download the whole bundle." +
			c.link(b.Project, fmt.Sprintf("releases/%d", b.ReleaseID)),
	}, WorkflowBuildPatches, b)
}

// CompressFiles starts the workflow that compresses a project's files, or tells it that there are more. It may be repeated.
func (c *Client) CompressFiles(ctx context.Context, f models.FilesToCompress) error {
	_, err := c.temporal.SignalWithStartWorkflow(ctx, f.WorkflowID, SignalFiles, nil, client.StartWorkflowOptions{
		ID:            f.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: f.Summary,
		StaticDetails: "Makes the compressed variants of a project's files. Without them devices download the files as they are.",
	}, WorkflowCompressFiles, f)
	if err != nil {
		return models.Unavailable("Temporal", fmt.Errorf("signal %s to workflow %s: %w", SignalFiles, f.WorkflowID, err))
	}
	return nil
}

// StartApproval starts the workflow that waits for approvals of a call. It may be repeated.
func (c *Client) StartApproval(ctx context.Context, s models.ApprovalStart) error {
	return c.start(ctx, c.approvalOptions(s), WorkflowApproval, s)
}

// Decided tells that workflow that people decided. It starts the workflow when there is none, since
// it was not started yet, or was terminated.
func (c *Client) Decided(ctx context.Context, s models.ApprovalStart) error {
	_, err := c.temporal.SignalWithStartWorkflow(ctx, s.WorkflowID, SignalDecided, nil, c.approvalOptions(s), WorkflowApproval, s)
	if err != nil {
		return models.Unavailable("Temporal", fmt.Errorf("signal %s to workflow %s: %w", SignalDecided, s.WorkflowID, err))
	}
	return nil
}

func (c *Client) approvalOptions(s models.ApprovalStart) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: summaryOf(s),
		StaticDetails: fmt.Sprintf("Approval %d of Waft waits until people decide, at the latest %s. Approve or reject it through Waft's API, "+
			"at /v1/ota/approvals/%d. Cancelling it here ends the wait, and nothing is carried out.",
			s.ApprovalID, s.ExpiresAt.Format("2006-01-02 15:04 UTC"), s.ApprovalID) + c.link(s.Project, fmt.Sprintf("approvals/%d", s.ApprovalID)),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeAction.ValueSet(s.Action), attributeStatus.ValueSet(string(models.ApprovalPending))),
	}
}

// maxSummary is how much of a sentence Temporal's summary has, in bytes; its own limit is 400.
const maxSummary = 300

func summaryOf(s models.ApprovalStart) string {
	text := s.Project + ": " + s.Summary
	if len(text) > maxSummary {
		text = models.StorableText(text, maxSummary) + "…"
	}
	return text
}

// DeliverWebhook starts the workflow of a webhook delivery. It may be repeated.
func (c *Client) DeliverWebhook(ctx context.Context, s models.WebhookStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     WebhooksQueue(c.taskQueue),
		StaticSummary: fmt.Sprintf("%s: %s to webhook %d", s.Project, s.Event, s.WebhookID),
		StaticDetails: fmt.Sprintf("Delivery %d of Waft, whose attempts are at /v1/ota/webhooks/%d/deliveries. "+
			"Cancelling it here cancels the delivery.", s.DeliveryID, s.WebhookID) + c.link(s.Project, fmt.Sprintf("webhooks/%d", s.WebhookID)),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeWebhook.ValueSet(strconv.FormatInt(s.WebhookID, 10)),
			attributeEvent.ValueSet(s.Event), attributeStatus.ValueSet(string(models.DeliveryPending))),
	}, WorkflowDeliver, s)
}

// SendMail starts the workflow that sends a mail. It may be repeated.
func (c *Client) SendMail(ctx context.Context, s models.MailStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     WebhooksQueue(c.taskQueue),
		StaticSummary: fmt.Sprintf("mail %d", s.MailID),
		StaticDetails: fmt.Sprintf("Mail %d of Waft. Waft tries for %v to send it. Cancelling it here ends that.", s.MailID, models.MailLife),
	}, WorkflowSendMail, s)
}
