package workflows

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// RolloutState is everything that a rollout's workflow knows. Continue-as-new carries it
// from run to run and histories hold its JSON, so fields may be added, not renamed.
type RolloutState struct {
	// RolloutSubject has the execution's row as the workflow wrote it last, but for the
	// health: that is the workflow's own last observation.
	models.RolloutSubject
	// ObserveAt is when the next observation is due: when the stage will have run long
	// enough, when a freeze ends. Zero is when the watcher asks for one.
	ObserveAt time.Time `json:"observeAt,omitzero"`
	// Woken says that the watcher asked for an observation since the last one began.
	Woken bool `json:"woken,omitempty"`
}

// due reports whether it is time for an observation.
func (s RolloutState) due(now time.Time) bool {
	return s.Woken || !s.ObserveAt.IsZero() && !now.Before(s.ObserveAt)
}

func (s RolloutState) stage() models.Stage { return s.Execution.Stages[s.Execution.StageIndex] }

func (s RolloutState) lastStage() bool { return s.Execution.StageIndex >= len(s.Execution.Stages)-1 }

// remaining is the running time that the stage still lacks.
func (s RolloutState) remaining(now time.Time) time.Duration {
	return max(s.stage().MinDuration()-s.Execution.Progress.Clock.Elapsed(now), 0)
}

// waitAtStart is what a stage that begins, or goes on, waits for at first; the next
// observation knows better.
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
