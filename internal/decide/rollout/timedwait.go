package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// WaitKind is the kind of a TimedWait.
type WaitKind string

const (
	// WaitForStart waits for the start time of the policy, or for the end of the freeze in which it is.
	WaitForStart WaitKind = "start"
	// WaitForThaw waits for the end of a freeze.
	WaitForThaw WaitKind = "freeze"
	// WaitForStage waits for the end of the stage's minimum time.
	WaitForStage WaitKind = "stage"
)

// TimedWait describes what a rollout waits for with WaitDuration.
type TimedWait struct {
	Kind  WaitKind
	Until time.Time
}

// TimedWaitOf returns the TimedWait of a rollout. ok is false if it does not wait for a time, or the time is unknown.
func TimedWaitOf(e models.RolloutExecution) (w TimedWait, ok bool) {
	if !e.Status.Open() || e.WaitingFor != models.WaitDuration || e.StageIndex < 0 || e.StageIndex >= len(e.Stages) {
		return w, false
	}
	clock, start := e.Progress.Clock, e.Schedule.StartAt
	switch {
	case start != nil && (e.Progress.Scheduled || e.Version == 0):
		until := *start
		if thaw := FrozenUntil(e.Schedule, until); thaw.After(until) {
			until = thaw
		}
		return TimedWait{WaitForStart, until}, true
	case e.Progress.Frozen && e.Progress.FrozenUntil != nil:
		return TimedWait{WaitForThaw, *e.Progress.FrozenUntil}, true
	case !e.Progress.Frozen && clock.Since != nil:
		return TimedWait{WaitForStage, clock.Since.Add(e.Stages[e.StageIndex].MinDuration() - clock.Banked)}, true
	}
	return w, false
}
