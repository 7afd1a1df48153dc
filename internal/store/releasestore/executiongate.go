package releasestore

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// AskCommand returns nil if the actor may give a command to an open rollout now, and forbidden or
// *models.ApprovalNeeded if not. It does not change anything. ApplyExecutionChange checks again when the command takes
// effect.
func (s *Releases) AskCommand(
	ctx context.Context, projectID int64, actor models.Actor, executionID int64, command models.RolloutCommand,
) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		if err := c.ReadProject(); err != nil {
			return err
		}
		e, err := executionByID(c.Tx, projectID, executionID)
		if err == nil && e.Status.CheckCommand(command) == nil { // otherwise the command itself is refused later
			askForCommand(c, e, command)
		}
		return err
	})
}

// askForStep requires approval for a step that a person or API key commanded.
func askForStep(c *unit.Change, before models.RolloutExecution, step models.ExecutionChange) {
	var command models.RolloutCommand
	if step.Event != nil {
		switch step.Event.Event {
		case models.EventStageAdvanced, models.EventStarted, models.EventCompleted:
			command = models.CommandAdvance
		case models.EventResumed:
			command = models.CommandResume
		case models.EventPaused, models.EventCancelled, models.EventHeld, models.EventRolledBack, models.EventFlagsReverted:
		}
	}
	askForCommand(c, before, command)
}

// askForCommand requires approval for a command that gives the release to more devices. Waft's own steps and all other
// commands do not need approval.
func askForCommand(c *unit.Change, e models.RolloutExecution, command models.RolloutCommand) {
	to, more := shareAfter(e, command)
	if c.Actor.Internal() || !more {
		c.ExemptFromApproval(executionReach(e)) // a step of a running rollout
		return
	}
	ask := unit.Effect{On: executionReach(e), Basis: []any{e.ID, e.StageIndex, e.Percentage, to}, ByRollout: true}
	var message string
	c.Do(func() error {
		return c.Tx.Table("releases").Where("id = ?", e.UpdateID).Pluck("release_message", &message).Error
	})
	name := named("release", e.UpdateID, message, fmt.Sprintf("%s, runtime version %s", e.Platform.Shown(), e.RuntimeVersion))
	ask.Summary = fmt.Sprintf("advance the rollout of %s from %g%% to %g%% of the devices", name, e.Percentage, to)
	if command == models.CommandResume {
		ask.Summary = fmt.Sprintf("resume the rollout of %s, which is paused at %g%% of the devices", name, e.Percentage)
	}
	c.RequireApproval(ask)
}

// shareAfter returns the rollout percentage that a command leads to and reports whether it is higher than now. A
// resumed rollout counts as going to every device.
func shareAfter(e models.RolloutExecution, command models.RolloutCommand) (to float64, more bool) {
	switch command {
	case models.CommandAdvance:
		next := e.StageIndex + 1
		if e.Progress.Scheduled || e.Version == 0 && e.Schedule.StartAt != nil {
			next = 0
		}
		if next < len(e.Stages) {
			to = e.Stages[next].Percentage
		}
		return to, to > e.Percentage
	case models.CommandResume:
		return everybody, e.Percentage < everybody
	case models.CommandPause, models.CommandCancel:
	}
	return e.Percentage, false
}

// executionReach returns a reach of the channels affected by an execution's release.
func executionReach(e models.RolloutExecution) unit.Reach {
	return func(c *unit.Change) (channels []models.Channel) {
		c.Do(func() error {
			r, err := releaseOf(c.Tx, e)
			if err == nil {
				channels = unit.ChannelsOfBranches(r.BranchID)(c)
			}
			return err
		})
		return channels
	}
}
