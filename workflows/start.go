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

// start starts a workflow whose ID identifies its work. Starting it again has no effect, even after it has ended.
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

// link returns a link to a page of the project's dashboard, for the end of a workflow's details in Temporal's UI.
func (c *Client) link(project, page string) string {
	link := models.DashboardLink(c.dashboard, project, page)
	if link == "" {
		return ""
	}
	return fmt.Sprintf("\n\n[Show it in Waft](%s)", link)
}

// StartRollout starts the workflow of a rollout. It may be repeated.
func (c *Client) StartRollout(ctx context.Context, s models.RolloutStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: shortened(cmp.Or(s.Summary, fmt.Sprintf("rollout %d", s.ExecutionID))),
		StaticDetails: fmt.Sprintf("Rollout %d of Waft. Pause, resume, advance or cancel it through Waft's API. "+
			"Cancelling this workflow also rolls the release back. Terminating it leaves the release as it is, without a rollout.", s.ExecutionID) +
			c.link(s.Project, fmt.Sprintf("rollouts/%d", s.ExecutionID)),
	}, WorkflowRollout, RolloutInput{Start: s})
}

// BuildPatches starts the workflow that creates the binary patches to a release. It may be repeated.
func (c *Client) BuildPatches(ctx context.Context, b models.PatchBuild) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            b.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: shortened(b.Summary),
		StaticDetails: "Creates the binary patches to a release. Without patches, devices download the whole bundle." +
			c.link(b.Project, fmt.Sprintf("releases/%d", b.ReleaseID)),
	}, WorkflowBuildPatches, b)
}

// CompressFiles starts the workflow that compresses a project's files, or signals to it that there are more files. It may
// be repeated.
func (c *Client) CompressFiles(ctx context.Context, f models.FilesToCompress) error {
	_, err := c.temporal.SignalWithStartWorkflow(ctx, f.WorkflowID, SignalFiles, nil, client.StartWorkflowOptions{
		ID:            f.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: f.Summary,
		StaticDetails: "Creates the compressed variants of a project's files. Without them, devices download the files uncompressed.",
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

// Decided signals to the workflow of an approval that there is a decision. It starts the workflow if it was not started
// yet or was terminated.
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
		StaticDetails: fmt.Sprintf("Approval %d of Waft waits for a decision until %s. Approve or reject it through Waft's API, "+
			"at /v1/ota/approvals/%d. Cancelling this workflow ends the wait without applying the call.",
			s.ApprovalID, s.ExpiresAt.Format("2006-01-02 15:04 UTC"), s.ApprovalID) + c.link(s.Project, fmt.Sprintf("approvals/%d", s.ApprovalID)),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeAction.ValueSet(s.Action), attributeStatus.ValueSet(string(models.ApprovalPending))),
	}
}

// StartFlagSchedule starts the workflow that waits for the time of a scheduled change. It may be repeated.
func (c *Client) StartFlagSchedule(ctx context.Context, s models.FlagScheduleStart) error {
	return c.start(ctx, client.StartWorkflowOptions{
		ID:            s.WorkflowID,
		TaskQueue:     c.taskQueue,
		StaticSummary: shortened(fmt.Sprintf("%s: %s", s.Project, s.Summary)),
		StaticDetails: fmt.Sprintf("Scheduled change %d of Waft, for flag %d at %s. Cancelling this workflow cancels the change.",
			s.ScheduleID, s.FlagID, s.At.Format("2006-01-02 15:04 UTC")) + c.link(s.Project, fmt.Sprintf("flags/%d", s.FlagID)),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			attributeProject.ValueSet(s.Project), attributeStatus.ValueSet(string(models.ScheduleScheduled))),
	}, WorkflowFlagSchedule, s)
}

// FlagScheduleEnded signals to the workflow of a scheduled change that the change has ended. A workflow that is missing or has
// ended does not need the signal.
func (c *Client) FlagScheduleEnded(ctx context.Context, s models.FlagScheduleStart) error {
	err := c.temporal.SignalWorkflow(ctx, s.WorkflowID, "", SignalScheduleEnded, nil)
	var missing *serviceerror.NotFound
	if err != nil && !errors.As(err, &missing) {
		return models.Unavailable("Temporal", fmt.Errorf("signal %s to workflow %s: %w", SignalScheduleEnded, s.WorkflowID, err))
	}
	return nil
}

// maxSummary is the maximum length of a summary in bytes. Temporal's limit is 400.
const maxSummary = 300

func summaryOf(s models.ApprovalStart) string { return shortened(s.Project + ": " + s.Summary) }

// shortened returns the text with at most maxSummary bytes.
func shortened(text string) string {
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
		StaticDetails: fmt.Sprintf("Delivery %d of Waft. See its attempts at /v1/ota/webhooks/%d/deliveries. "+
			"Cancelling this workflow cancels the delivery.", s.DeliveryID, s.WebhookID) +
			c.link(s.Project, fmt.Sprintf("webhooks/%d", s.WebhookID)),
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
		StaticDetails: fmt.Sprintf("Mail %d of Waft. Waft tries to send it for %v. "+
			"Cancelling this workflow ends the attempts.", s.MailID, models.MailLife),
	}, WorkflowSendMail, s)
}
