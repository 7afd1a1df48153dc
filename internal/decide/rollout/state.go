package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// State is the state of a rollout's workflow. Histories contain its JSON, and
// continue-as-new passes it to the next run, so fields may be added but not renamed.
type State struct {
	// RolloutSubject contains the rollout's row as the workflow last wrote it. Its health is the workflow's own last
	// observation.
	models.RolloutSubject
	// ObserveAt is the time of the next observation: the end of the stage or of a freeze. If it is zero, the workflow
	// waits until the watcher wakes it.
	ObserveAt time.Time `json:"observeAt,omitzero"`
	// Woken is true if the watcher has woken the rollout since the last observation began.
	Woken bool `json:"woken,omitempty"`
}

// Loaded returns the state of a workflow that has read its rollout.
func Loaded(subject models.RolloutSubject, now time.Time) State {
	s := State{RolloutSubject: subject, ObserveAt: now}
	if e := &s.Execution; e.Version == 0 {
		e.Progress.Scheduled = e.Schedule.StartAt != nil && e.Schedule.StartAt.After(now)
	}
	return s
}

// AwaitsBegin reports whether the workflow's next step begins the first stage.
func (s State) AwaitsBegin() bool {
	return s.Execution.Version == 0 && s.Execution.Status.Open() && !s.Execution.Progress.Scheduled
}

// Due reports whether it is time for an observation.
func (s State) Due(now time.Time) bool {
	return s.Woken || !s.ObserveAt.IsZero() && !now.Before(s.ObserveAt)
}

func (s State) stage() models.Stage { return s.Execution.Stages[s.Execution.StageIndex] }

func (s State) lastStage() bool { return s.Execution.StageIndex >= len(s.Execution.Stages)-1 }

// Remaining returns the rest of the stage's minimum time.
func (s State) Remaining(now time.Time) time.Duration {
	return max(s.stage().MinDuration()-s.Execution.Progress.Clock.Elapsed(now), 0)
}

// waitAtStart returns the reason why a stage waits before its first observation.
func (s State) waitAtStart(now time.Time) models.WaitReason {
	if s.Execution.Progress.Scheduled || s.Remaining(now) > 0 {
		return models.WaitDuration
	}
	return ""
}

// Relinked returns the state after a change of the linked flags. A countsSince later than the state's means that the
// stage restarted at that time with new counts; recounted is then true. Relinked ignores an older countsSince.
func (s State) Relinked(linkedFlags int, countsSince *time.Time) (next State, recounted bool) {
	e := &s.Execution
	switch known := e.CountsSince; {
	case known == nil && countsSince == nil, known != nil && countsSince != nil && known.Equal(*countsSince):
		s.LinkedFlags = linkedFlags
		return s, false
	case countsSince == nil, known != nil && countsSince.Before(*known):
		return s, false
	}
	s.LinkedFlags = linkedFlags
	e.CountsSince = countsSince
	e.StageStartedAt = *countsSince
	e.Progress = e.Progress.Recounted(e.Status, *countsSince)
	return s, true
}
