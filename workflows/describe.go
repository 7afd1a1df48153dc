package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// What people see of a rollout in Temporal's UI: the current details, summaries of
// timers and activities, and search attributes.

// describe puts the present state into the workflow's current details.
func (r *rolloutRun) describe(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, r.state.details())
}

func (s RolloutState) details() string {
	if s.StageIndex >= len(s.Stages) {
		return s.Reason
	}
	// Sprintf, not Fprintf: workflowcheck knows that it is deterministic.
	text := fmt.Sprintf("**%s** in %s of release %d (%s %s)\n\n", s.Status, rollout.StageName(s.Stages, s.StageIndex),
		s.ReleaseID, s.Platform, s.RuntimeVersion)
	if s.WaitingFor != "" {
		text += fmt.Sprintf("Waiting for **%s**. ", s.WaitingFor)
	}
	text += s.Reason + "\n"
	if h := s.Health; h != nil {
		text += fmt.Sprintf("\n%d devices, %d with errors (%.3g %%), %d crashed (%.3g %%), evidence %.3g, seen %s\n",
			h.Devices, h.ErroredDevices, h.ErrorRate, h.CrashedDevices, h.CrashRate, h.Evidence,
			h.CheckedAt.Format("2006-01-02 15:04:05 UTC"))
	}
	return text
}

// announce sets every search attribute.
func (r *rolloutRun) announce(ctx workflow.Context, s RolloutState) error {
	return workflow.UpsertTypedSearchAttributes(ctx,
		attributeProject.ValueSet(s.ProjectSlug),
		attributeRelease.ValueSet(s.ReleaseID),
		attributeStage.ValueSet(int64(s.StageIndex+1)),
		attributeStatus.ValueSet(string(s.Status)))
}

// announceChange updates the search attributes that differ from before.
func (r *rolloutRun) announceChange(ctx workflow.Context, before RolloutState) error {
	if r.state.StageIndex == before.StageIndex && r.state.Status == before.Status {
		return nil
	}
	return workflow.UpsertTypedSearchAttributes(ctx,
		attributeStage.ValueSet(int64(r.state.StageIndex+1)),
		attributeStatus.ValueSet(string(r.state.Status)))
}

func (r *rolloutRun) waitSummary() string {
	if r.state.WaitingFor == "" {
		return "until the next look"
	}
	return "until the next look, waiting for " + string(r.state.WaitingFor)
}

func changeSummary(c models.ExecutionChange) string {
	what := "health"
	if c.Event != nil {
		what = strings.ReplaceAll(string(c.Event.Event), "_", " ")
	}
	return fmt.Sprintf("#%d %s: %s at %g %%", c.Seq, what, c.Status, c.Percentage)
}
