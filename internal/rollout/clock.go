package rollout

import "time"

// Clock counts the running time of a stage and stands still while the rollout is
// paused. It is a plain value that survives being written to JSON; the zero value
// is a stopped clock at 0.
type Clock struct {
	// Banked is the time counted before Since.
	Banked time.Duration `json:"banked"`
	// Since is when the clock last started, nil while it stands still.
	Since *time.Time `json:"since,omitempty"`
}

// Elapsed is the running time at now. A now before the start counts as the start.
func (c Clock) Elapsed(now time.Time) time.Duration {
	if c.Since == nil {
		return c.Banked
	}
	return c.Banked + max(now.Sub(*c.Since), 0)
}

// Started is the clock running from now on; a running clock is left alone.
func (c Clock) Started(now time.Time) Clock {
	if c.Since == nil {
		c.Since = &now
	}
	return c
}

// Stopped is the clock standing still at now.
func (c Clock) Stopped(now time.Time) Clock {
	return Clock{Banked: c.Elapsed(now)}
}
