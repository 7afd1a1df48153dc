package models

import "time"

// StageClock counts the running time of a rollout's stage and stops while the rollout
// is paused. It is a plain value that survives being written to JSON; the zero value is
// a stopped clock at 0.
type StageClock struct {
	// Banked is the time counted before Since.
	Banked time.Duration `json:"banked"`
	// Since is when the clock last started, nil while it is stopped.
	Since *time.Time `json:"since,omitempty"`
}

// Elapsed is the running time at now. A now before the start counts as the start.
func (c StageClock) Elapsed(now time.Time) time.Duration {
	if c.Since == nil {
		return c.Banked
	}
	return c.Banked + max(now.Sub(*c.Since), 0)
}

// Started is the clock running from now on; a running clock is returned as it is.
func (c StageClock) Started(now time.Time) StageClock {
	if c.Since == nil {
		c.Since = &now
	}
	return c
}

// Stopped is the clock stopped at now.
func (c StageClock) Stopped(now time.Time) StageClock {
	return StageClock{Banked: c.Elapsed(now)}
}
