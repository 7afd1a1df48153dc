package operations

import (
	"cmp"
	"context"
	"fmt"

	"github.com/waft-ota/waft/models"
)

// NewRollout describes a rollout to start.
type NewRollout struct {
	PolicyID int64 `json:"policyId"`
	UpdateID int64 `json:"updateId"`
}

// RolloutCommand is a command to a rollout.
type RolloutCommand struct {
	ID     int64  `json:"id"`
	Reason string `json:"reason,omitempty"`
	// RequestID identifies a command that the caller may send again. It is "" for a command that is sent once. A stored
	// command is identified by its approval.
	RequestID string `json:"-"`
	// Revert makes a cancel also roll back the release. Cancels are never stored.
	Revert bool `json:"-"`
}

// Validate checks the reason.
func (c RolloutCommand) Validate() error { return models.CommandInput{Reason: c.Reason}.Validate() }

// The operations on rollouts, and the end of an emergency stop.
var (
	StartRollout = operation("rollout.start", 1,
		func(ctx context.Context, on *Operations, by Author, in NewRollout) (models.RolloutExecution, error) {
			return on.Rollouts.StartRollout(ctx, by.ProjectID, by.Actor, in.PolicyID, in.UpdateID)
		})
	AdvanceRollout = operation("rollout.advance", 1,
		func(ctx context.Context, on *Operations, by Author, in RolloutCommand) (Nothing, error) {
			return Nothing{}, on.Command(ctx, by, models.CommandAdvance, in)
		})
	ResumeRollout = operation("rollout.resume", 1,
		func(ctx context.Context, on *Operations, by Author, in RolloutCommand) (Nothing, error) {
			return Nothing{}, on.Command(ctx, by, models.CommandResume, in)
		})
	ResumeProject = operation("project.resume", 1,
		func(ctx context.Context, on *Operations, by Author, _ Nothing) (Nothing, error) {
			return Nothing{}, on.Rollouts.ResumeProject(ctx, by.ProjectID, by.Actor)
		})
)

// Command gives a rollout a command, and returns when the command has taken effect.
func (o *Operations) Command(ctx context.Context, by Author, c models.RolloutCommand, in RolloutCommand) error {
	e, err := o.Rollouts.Execution(ctx, by.ProjectID, in.ID)
	if err != nil {
		return err
	}
	if err := e.CheckRelease(c); err != nil {
		return err
	}
	input := models.CommandInput{Actor: by.Actor, Reason: in.Reason, Revert: in.Revert, RequestID: in.RequestID}
	if approval := by.Actor.ApprovalID; approval != 0 {
		input.RequestID = fmt.Sprintf("approval/%d", approval)
	} else if err := o.Rollouts.AskCommand(ctx, by.ProjectID, by.Actor, in.ID, c); err != nil {
		return err
	}
	// The workflow applies each command ID only once.
	if input.RequestID == "" {
		if err := e.Status.CheckCommand(c); err != nil {
			return err
		}
	}
	err = o.Commands.Command(ctx, e.WorkflowID, c, input)
	switch models.CodeOf(err) {
	case models.CodeNotFound:
		err = notStarted(e, c, err)
	case models.CodeApprovalPending: // the channel was protected after the check
		err = cmp.Or(o.Rollouts.AskCommand(ctx, by.ProjectID, by.Actor, in.ID, c), err)
	default:
	}
	if err != nil {
		return fmt.Errorf("%s of rollout %d: %w", c, in.ID, err)
	}
	return nil
}

// notStarted returns the error for a rollout whose workflow is missing in Temporal. Either the rollout ended long ago,
// or the worker has not started it yet. In the second case it returns unavailable, because the error must not be stored
// as the response to an Idempotency-Key.
func notStarted(e models.RolloutExecution, c models.RolloutCommand, cause error) error {
	if err := e.Status.CheckCommand(c); err != nil {
		return err
	}
	unavailable := models.Unavailable("the rollout worker", cause)
	unavailable.Message = "the rollout has not been started yet; nothing was changed, try again"
	return unavailable
}
