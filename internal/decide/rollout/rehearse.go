package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// Apply writes a step of a rollout, and returns its row.
type Apply = func(models.ExecutionChange) (models.RolloutExecution, error)

// Rehearse applies what the workflow of a rollout would write for a command at now, without the workflow: of a rollout that it
// has not begun, its first stage too. It refuses, as the workflow does, a command that is not legal in the rollout's state.
func Rehearse(
	subject models.RolloutSubject, command models.RolloutCommand, in models.CommandInput, now time.Time, apply Apply,
) error {
	state, err := rehearsed(subject, now, apply)
	if err != nil {
		return err
	}
	if err := state.Execution.Status.CheckCommand(command); err != nil {
		return err
	}
	t, _ := state.OnCommand(command, now, in.Actor, in.Reason, in.Revert) // CheckCommand has refused an unknown one
	_, err = apply(t.Change(state, now, state.Execution.RunID))
	return err
}

// RehearseSuperseded is Rehearse for the message that a newer release is for every device.
func RehearseSuperseded(subject models.RolloutSubject, by int64, now time.Time, apply Apply) error {
	state, err := rehearsed(subject, now, apply)
	if err != nil {
		return err
	}
	_, err = apply(state.Supersede(by).Change(state, now, state.Execution.RunID))
	return err
}

// rehearsed is the state that the workflow is in when it takes a command.
func rehearsed(subject models.RolloutSubject, now time.Time, apply Apply) (State, error) {
	state := Loaded(subject, now)
	if !state.AwaitsBegin() {
		return state, nil
	}
	t := state.Begin(now)
	row, err := apply(t.Change(state, now, state.Execution.RunID))
	next := t.Next
	next.Execution.Version, next.Execution.Progress = row.Version, row.Progress
	return next, err
}
