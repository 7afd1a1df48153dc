package models

import "time"

// StageClock counts the running time of a stage, without pauses. The zero value is stopped at 0.
type StageClock struct {
	// Banked is the time counted before Since.
	Banked time.Duration `json:"banked"`
	// Since is the time when the clock last started, nil while it is stopped.
	Since *time.Time `json:"since,omitempty"`
}

// Elapsed returns the running time at now. A now before the start counts as the start.
func (c StageClock) Elapsed(now time.Time) time.Duration {
	if c.Since == nil {
		return c.Banked
	}
	return c.Banked + max(now.Sub(*c.Since), 0)
}

// Started returns the clock running from now on; a running clock is returned as it is.
func (c StageClock) Started(now time.Time) StageClock {
	if c.Since == nil {
		c.Since = &now
	}
	return c
}

// Stopped returns the clock stopped at now.
func (c StageClock) Stopped(now time.Time) StageClock {
	return StageClock{Banked: c.Elapsed(now)}
}

// StageProgress is the state of a stage that the planner needs in addition to the policy and health.
type StageProgress struct {
	// Scheduled means that the first stage has not begun: it waits for Schedule.StartAt.
	Scheduled bool       `json:"scheduled,omitempty"`
	Clock     StageClock `json:"clock,omitzero"`
	// Before is the comparison with the control group over the previous stages.
	Before Comparison `json:"before,omitzero"`
	// Breached means that Reason describes a breach; Frozen means that it describes a freeze.
	Breached bool `json:"breached,omitempty"`
	Frozen   bool `json:"frozen,omitempty"`
	// FrozenUntil is the end of the freeze, nil without a freeze.
	FrozenUntil *time.Time `json:"frozenUntil,omitempty"`
	// PauseReason is the reason why the rollout is paused, "" while it runs.
	PauseReason string `json:"pauseReason,omitempty"`
	// Restored means that a restore from a backup paused the rollout. It becomes false when a person resumes the rollout.
	Restored bool `json:"restored,omitempty"`
}

// Comparison is the evidence from some stages that devices inside the rollout do worse than devices outside it. It holds the
// logarithm of a likelihood ratio for each alternative in package rollout. The zero value means no evidence.
type Comparison struct {
	Errors  [6]float64 `json:"errors"`
	Crashes [6]float64 `json:"crashes"`
}

// Recounted returns the progress of a stage that starts again at now with fresh counts.
func (p StageProgress) Recounted(status ExecutionStatus, now time.Time) StageProgress {
	p.Clock, p.Before = StageClock{}, Comparison{}
	if status == ExecutionRunning {
		p.Clock = p.Clock.Started(now)
	}
	return p
}
