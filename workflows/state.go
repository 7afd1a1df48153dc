package workflows

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// RolloutState is the state of a rollout's workflow. Histories contain its JSON, and
// continue-as-new passes it to the next run, so fields may be added but not renamed.
type RolloutState struct {
	// RolloutSubject has the execution's row as the workflow wrote it last, and the workflow's own
	// last observation as its health.
	models.RolloutSubject
	// ObserveAt is when the next observation is due: at the end of the stage or of a freeze. Zero
	// is at the watcher's next wake.
	ObserveAt time.Time `json:"observeAt,omitzero"`
	// Woken says that the watcher woke the rollout since the last observation began.
	Woken bool `json:"woken,omitempty"`
}

// due reports whether it is time for an observation.
func (s RolloutState) due(now time.Time) bool {
	return s.Woken || !s.ObserveAt.IsZero() && !now.Before(s.ObserveAt)
}

func (s RolloutState) stage() models.Stage { return s.Execution.Stages[s.Execution.StageIndex] }

func (s RolloutState) lastStage() bool { return s.Execution.StageIndex >= len(s.Execution.Stages)-1 }

// remaining is the running time that is left of the stage's minimum.
func (s RolloutState) remaining(now time.Time) time.Duration {
	return max(s.stage().MinDuration()-s.Execution.Progress.Clock.Elapsed(now), 0)
}

// waitAtStart is what a stage waits for until its next observation.
func (s RolloutState) waitAtStart(now time.Time) models.WaitReason {
	if s.Execution.Progress.Scheduled || s.remaining(now) > 0 {
		return models.WaitDuration
	}
	return ""
}

func (s RolloutState) result() RolloutResult {
	e := s.Execution
	return RolloutResult{Status: e.Status, Percentage: e.Percentage, Reason: e.Reason, Changes: e.Version}
}
