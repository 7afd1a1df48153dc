package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// Apply writes a step of a rollout, and returns its row.
type Apply = func(models.ExecutionChange) (models.RolloutExecution, error)

// Rehearse applies what a rollout's workflow would write for a command at time now, without running the workflow or
// contacting Temporal. If the workflow has not begun the rollout, Rehearse applies the first stage too. Like the workflow,
// it refuses a command that is not legal in the rollout's state.
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

// RehearseMessage does the same as Rehearse for an outbox message to the workflow. A rollout that has ended ignores it.
func RehearseMessage(subject models.RolloutSubject, m models.RolloutMessage, now time.Time, apply Apply) error {
	if !subject.Execution.Status.Open() {
		return nil
	}
	state, err := rehearsed(subject, now, apply)
	if err != nil {
		return err
	}
	var t Transition
	switch m.Kind {
	case models.OutboxRolloutSuperseded:
		t = state.Supersede(models.RolloutSuperseded{ByReleaseID: m.ByReleaseID, ReleaseMessage: m.ReleaseMessage})
	case models.OutboxRolloutDisabled:
		if !state.Execution.Status.Allows(models.CommandPause) {
			return nil
		}
		in := models.RolloutDisabled{ReleaseID: m.ReleaseID, ReleaseMessage: m.ReleaseMessage, Actor: m.Actor}.Pause()
		t, _ = state.OnCommand(models.CommandPause, now, in.Actor, in.Reason, in.Revert)
	default: // the start: the first stage has begun
		return nil
	}
	_, err = apply(t.Change(state, now, state.Execution.RunID))
	return err
}

// rehearsed returns the state in which the workflow would receive the command.
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
