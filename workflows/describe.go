package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// This file contains what Temporal's UI shows of a rollout: the current details, the summaries of timers and activities,
// and the search attributes.

// describe sets the workflow's current details to a description of the state.
func (r *rolloutRun) describe(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, details(r.state))
}

func details(s rollout.State) string {
	e := s.Execution
	if e.StageIndex >= len(e.Stages) {
		return e.Reason
	}
	// Sprintf instead of Fprintf, because workflowcheck accepts Sprintf as deterministic.
	text := fmt.Sprintf("**%s** in %s of %s, %s %s\n\n", e.Status, rollout.StageName(e.Stages, e.StageIndex),
		models.ReleasePhrase(e.UpdateID, e.ReleaseMessage), e.Platform, e.RuntimeVersion)
	if e.WaitingFor != "" {
		text += fmt.Sprintf("Waiting for **%s**. ", e.WaitingFor)
	}
	text += e.Reason + "\n"
	if h := e.Health; h != nil {
		text += fmt.Sprintf("\n%s, %d with errors (%.3g%%), %d crashed (%.3g%%), evidence %.3g, observed %s\n",
			count.Of(h.Devices, "device"), h.ErroredDevices, h.ErrorRate, h.CrashedDevices, h.CrashRate, h.Evidence,
			h.CheckedAt.Format("2006-01-02 15:04:05 UTC"))
	}
	return text
}

// announce sets every search attribute.
func (r *rolloutRun) announce(ctx workflow.Context, s rollout.State) error {
	e := s.Execution
	return workflow.UpsertTypedSearchAttributes(ctx,
		attributeProject.ValueSet(s.ProjectSlug),
		attributeRelease.ValueSet(e.UpdateID),
		attributeStage.ValueSet(int64(e.StageIndex+1)),
		attributeStatus.ValueSet(string(e.Status)))
}

// announceChange updates the search attributes that differ from before.
func (r *rolloutRun) announceChange(ctx workflow.Context, before rollout.State) error {
	e := r.state.Execution
	if e.StageIndex == before.Execution.StageIndex && e.Status == before.Execution.Status {
		return nil
	}
	return workflow.UpsertTypedSearchAttributes(ctx,
		attributeStage.ValueSet(int64(e.StageIndex+1)),
		attributeStatus.ValueSet(string(e.Status)))
}

func (r *rolloutRun) waitSummary() string {
	if r.state.Execution.WaitingFor == "" {
		return "until the next observation"
	}
	return "until the next observation, waiting for " + string(r.state.Execution.WaitingFor)
}

func changeSummary(c models.ExecutionChange) string {
	what := "health"
	if c.Event != nil {
		what = strings.ReplaceAll(string(c.Event.Event), "_", " ")
	}
	return fmt.Sprintf("#%d %s: %s at %g%%", c.Seq, what, c.Status, c.Percentage)
}
