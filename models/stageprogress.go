package models

import "time"

// StageProgress is what the planner needs of a rollout's stage besides the policy and
// the release's health. Whoever reads the row can plan, not only the workflow.
type StageProgress struct {
	// Scheduled says that the first stage has not begun: it waits for Schedule.StartAt.
	Scheduled bool       `json:"scheduled,omitempty"`
	Clock     StageClock `json:"clock,omitzero"`
	// Before is the comparison with the control group over the stages before this one.
	Before Comparison `json:"before,omitzero"`
	// Breached says that Reason tells of a breach, Frozen that it tells of a freeze.
	Breached bool `json:"breached,omitempty"`
	Frozen   bool `json:"frozen,omitempty"`
	// PauseReason is why the rollout is paused, "" while it runs.
	PauseReason string `json:"pauseReason,omitempty"`
}

// Comparison is the evidence of some stages that devices inside the share do worse than
// those outside: for each alternative of package rollout the logarithm of a likelihood
// ratio. The zero value has seen nothing.
type Comparison struct {
	Errors  [6]float64 `json:"errors"`
	Crashes [6]float64 `json:"crashes"`
}

// Recounted is the progress of a stage that begins again at now, with fresh counts.
func (p StageProgress) Recounted(status ExecutionStatus, now time.Time) StageProgress {
	p.Clock, p.Before = StageClock{}, Comparison{}
	if status == ExecutionRunning {
		p.Clock = p.Clock.Started(now)
	}
	return p
}
