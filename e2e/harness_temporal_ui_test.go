package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	sdkpb "go.temporal.io/api/sdk/v1"
	"go.temporal.io/api/workflowservice/v1"
	temporal "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// temporalUI reads the state of a rollout from what Temporal's UI shows: the list with its search attributes, the
// workflow's summary and current details, and the summaries of timers and activities in the history.
type temporalUI struct {
	t          *testing.T
	tc         temporal.Client
	namespace  string
	slug       string
	release    int64
	phrase     string
	workflowID string
}

func (p *tenant) temporalUI(env map[string]string, release object, id int64) *temporalUI {
	p.t.Helper()
	u := &temporalUI{
		t: p.t, tc: dialTemporal(p.t, env), namespace: env["TEMPORAL_NAMESPACE"],
		slug: p.slug, release: release.id("id"),
		phrase:     models.ReleasePhrase(release.id("id"), release["releaseMessage"].(string)),
		workflowID: p.rolloutNow(id)["workflowId"].(string),
	}
	eventually(p.t, func() bool { return u.summary() != "" })
	require.Equal(p.t, fmt.Sprintf("%s: %s, ios 1.0.0", u.slug, u.phrase), u.summary())
	described, err := u.tc.DescribeWorkflowExecution(p.t.Context(), u.workflowID, "")
	require.NoError(p.t, err)
	var about string
	u.decode(described.GetExecutionConfig().GetUserMetadata().GetDetails(), &about)
	require.Regexp(p.t, fmt.Sprintf(`\n\n\[Show it in Waft\]\(http://[^)]+/app/%s/rollouts/%d\)$`, u.slug, id), about)
	return u
}

// summary returns the line that the UI shows next to the workflow, or "".
func (u *temporalUI) summary() (text string) {
	described, err := u.tc.DescribeWorkflowExecution(u.t.Context(), u.workflowID, "")
	if err != nil {
		return ""
	}
	u.decode(described.GetExecutionConfig().GetUserMetadata().GetSummary(), &text)
	return text
}

func (u *temporalUI) decode(payload *commonpb.Payload, into *string) {
	if payload != nil {
		require.NoError(u.t, converter.GetDefaultDataConverter().FromPayload(payload, into))
	}
}

// details matches the current details on the workflow's page.
var details = regexp.MustCompile(`^\*\*(\w+)\*\* in stage (\d+ of \d+) \((\S+)%\) of (release .+), ios 1\.0\.0\n\n(?:Waiting for \*\*(\w+)\*\*\. )?(.*)\n`)

func (u *temporalUI) chapter() chapter {
	value, err := u.tc.QueryWorkflow(u.t.Context(), u.workflowID, "", "__temporal_workflow_metadata")
	if err != nil {
		return chapter{} // between two runs of a worker
	}
	var metadata sdkpb.WorkflowMetadata
	require.NoError(u.t, value.Get(&metadata))
	m := details.FindStringSubmatch(metadata.GetCurrentDetails())
	if m == nil || m[4] != u.phrase {
		return chapter{}
	}
	return chapter{status: m[1], stage: m[2], percentage: m[3], waitingFor: m[5], reason: m[6]}
}

// lists reports whether the list, filtered by project, release, stage and status, contains exactly this rollout.
func (u *temporalUI) lists(c chapter) bool {
	stage, _, _ := strings.Cut(c.stage, " ")
	found, err := u.tc.ListWorkflow(u.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: u.namespace,
		Query: fmt.Sprintf("WorkflowType = '%s' AND WaftProject = '%s' AND WaftRelease = %d AND WaftStage = %s AND WaftStatus = '%s'",
			workflows.WorkflowRollout, u.slug, u.release, stage, c.status),
	})
	require.NoError(u.t, err)
	return len(found.GetExecutions()) == 1 && found.GetExecutions()[0].GetExecution().GetWorkflowId() == u.workflowID
}

// awaitTimer waits until the history has a timer with the summary.
func (u *temporalUI) awaitTimer(summary string) {
	u.t.Helper()
	await(u.t, waitLimit, atLeisure, func() bool {
		return slices.Contains(u.summaries(enumspb.EVENT_TYPE_TIMER_STARTED), summary)
	}, summary)
}

// turns returns the events in the summaries of the activities that stored a step.
func (u *temporalUI) turns() (events []string) {
	step := regexp.MustCompile(`^#\d+ ([a-z ]+): `)
	for _, summary := range u.summaries(enumspb.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED) {
		if m := step.FindStringSubmatch(summary); m != nil && m[1] != "health" {
			events = append(events, strings.ReplaceAll(m[1], " ", "_"))
		}
	}
	return events
}

func (u *temporalUI) summaries(kind enumspb.EventType) (texts []string) {
	events := u.tc.GetWorkflowHistory(u.t.Context(), u.workflowID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		var event *historypb.HistoryEvent
		event, err := events.Next()
		require.NoError(u.t, err)
		if event.GetEventType() == kind {
			text := ""
			u.decode(event.GetUserMetadata().GetSummary(), &text)
			texts = append(texts, text)
		}
	}
	return texts
}
