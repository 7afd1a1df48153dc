package flags

// Maximum work for one context, in steps. A step takes about ten nanoseconds at most: one instruction of a pattern on
// one byte, or one comparison of a value. Steps are counted before the work, from lengths alone, so every process
// decides the same (docs/contribute/costs.md).
const (
	// MaxEvaluationSteps is the maximum for the evaluation of one flag.
	MaxEvaluationSteps = 500_000
	// MaxRequestSteps is the maximum for the evaluation of all flags for one request.
	MaxRequestSteps = 4_000_000
	// quickSteps is the maximum number of steps of a quick evaluation.
	quickSteps = 50_000
	// restSteps is the number of steps between two rests, about 0.1 milliseconds.
	restSteps = 20_000
)

// meter counts the steps of the evaluations for one context. The zero value has not begun.
type meter struct {
	// limit is the number of steps that the current flag may take, left is the remaining part of it, and used is the
	// number of steps of all flags.
	limit, left, used int
	// spent is like used, but Refill does not reset it.
	spent int
	// isOver reports whether the flag needs more steps than it may take.
	isOver bool
	// refused is the number of flags that needed too many steps. isScarce reports whether one of them might have had
	// enough steps alone.
	refused  int
	isScarce bool
	// isStopped reports whether the result is no longer needed.
	isStopped bool
	// isSlow reports whether a quick evaluation ended because it would have needed too many steps.
	isSlow bool
	// unrested is the number of steps since the last rest.
	unrested int
}

// Refused returns the number of flags in the last evaluation that needed more steps than they may take.
func (c *Context) Refused() int { return c.meter.refused }

// IsStopped reports whether the last evaluation ended early because the result is no longer needed. Its outcomes are
// then meaningless.
func (c *Context) IsStopped() bool { return c.meter.isStopped }

// IsSlow reports whether the last evaluation had to be quick and ended early. Its outcomes are then meaningless.
func (c *Context) IsSlow() bool { return c.meter.isSlow }

// Become replaces the context by another one. The steps of both count together.
func (c *Context) Become(another Context) {
	another.Stop, another.Rest, another.IsQuick, another.meter = c.Stop, c.Rest, c.IsQuick, c.meter
	*c = another
}

// Restart resets all counters.
func (c *Context) Restart() { c.meter = meter{} }

// Refill gives the context all MaxRequestSteps again.
func (c *Context) Refill() { c.meter.used = 0 }

// begin starts the count for one flag.
func (c *Context) begin() {
	c.meter.limit = max(0, min(MaxEvaluationSteps, MaxRequestSteps-c.meter.used))
	c.meter.left = c.meter.limit
	c.meter.isOver = c.meter.isSlow || c.meter.isStopped || c.stopped()
}

// pay spends steps. If it returns false, the flag may not spend them and the results of its rules are meaningless.
func (c *Context) pay(steps int) bool {
	m := &c.meter
	if c.IsQuick && m.spent+steps > quickSteps {
		m.isSlow, m.isOver = true, true
	}
	if m.isOver || steps > m.left || steps > stepsUnnoticed && c.stopped() {
		m.isOver = true
		return false
	}
	m.left -= steps
	m.used += steps
	m.spent += steps
	c.work(steps)
	return true
}

// work counts steps, and rests after many steps.
func (c *Context) work(steps int) {
	m := &c.meter
	if m.unrested += steps; m.unrested >= restSteps {
		m.unrested = 0
		if c.Rest != nil {
			c.Rest()
		}
	}
}

// stepsUnnoticed is a number of steps that take so little time that Stop is not checked before them.
const stepsUnnoticed = 1_000

// stopped reports whether Stop is closed.
func (c *Context) stopped() bool {
	select {
	case <-c.Stop:
		c.meter.isStopped = true
		return true
	default:
		return false
	}
}

// end counts the flag as refused if it needed too many steps. isOver is true if its outcome does not count.
func (c *Context) end() (isOver bool) {
	m := &c.meter
	if m.isOver && !m.isStopped && !m.isSlow {
		m.refused++
		m.isScarce = m.isScarce || m.limit < MaxEvaluationSteps
	}
	return m.isOver
}
