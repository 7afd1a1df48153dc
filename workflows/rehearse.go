package workflows

import (
	"cmp"
	"fmt"
	"time"

	"github.com/waft-ota/waft/models"
)

// Apply writes a step of a rollout, and returns its row.
type Apply = func(models.ExecutionChange) (models.RolloutExecution, error)

// Rehearse applies what the workflow of a rollout would write for a command at now, without the workflow: of a rollout that it
// has not begun, its first stage too. Temporal is not asked. It fails as Client.Command does when the command is not legal in
// the rollout's state.
func (*Client) Rehearse(
	subject models.RolloutSubject, command models.RolloutCommand, in models.CommandInput, now time.Time, apply Apply,
) error {
	state, err := rehearsed(subject, now, apply)
	if err != nil {
		return err
	}
	if err := state.Execution.Status.CheckCommand(command); err != nil {
		return err
	}
	t, known := state.onCommand(command, now, in.Actor, in.Reason, in.Revert)
	if !known {
		return models.Errorf(models.CodeInvalidTransition, "unknown command %q", command)
	}
	_, err = apply(t.change(state, now, state.Execution.RunID))
	return err
}

// RehearseSuperseded is Rehearse for the message that a newer release is for every device.
func (*Client) RehearseSuperseded(subject models.RolloutSubject, by int64, now time.Time, apply Apply) error {
	state, err := rehearsed(subject, now, apply)
	if err != nil {
		return err
	}
	_, err = apply(state.supersede(by).change(state, now, state.Execution.RunID))
	return err
}

// rehearsed is the state that the workflow is in when it takes a command.
func rehearsed(subject models.RolloutSubject, now time.Time, apply Apply) (RolloutState, error) {
	state := loadedState(subject, now)
	if !state.awaitsBegin() {
		return state, nil
	}
	t := state.begin(now)
	row, err := apply(t.change(state, now, state.Execution.RunID))
	next := t.next
	next.Execution.Version, next.Execution.Progress = row.Version, row.Progress
	return next, err
}

// loadedState is the state of a workflow that has read its execution.
func loadedState(subject models.RolloutSubject, now time.Time) RolloutState {
	s := RolloutState{RolloutSubject: subject, ObserveAt: now}
	if e := &s.Execution; e.Version == 0 {
		e.Progress.Scheduled = e.Schedule.StartAt != nil && e.Schedule.StartAt.After(now)
	}
	return s
}

// awaitsBegin reports whether the workflow's next step is the first stage.
func (s RolloutState) awaitsBegin() bool {
	return s.Execution.Version == 0 && s.Execution.Status.Open() && !s.Execution.Progress.Scheduled
}

// onCommand is the transition for a command; ok is false for an unknown one.
func (s RolloutState) onCommand(
	name models.RolloutCommand, now time.Time, actor models.Actor, reason string, revert bool,
) (t transition, ok bool) {
	reason = cmp.Or(reason, fmt.Sprintf("%s by %s", pastTense[name], actor.Shown()))
	switch name {
	case models.CommandPause:
		return s.pause(now, actor, reason), true
	case models.CommandResume:
		return s.resume(now, actor, reason), true
	case models.CommandAdvance:
		return s.advance(now, actor, reason), true
	case models.CommandCancel:
		return s.cancel(actor, reason, revert), true
	default:
		return transition{}, false
	}
}
