package flags

// Bounds of the work for one context, in steps. A step is at most some ten nanoseconds: one instruction of a pattern tried on
// one byte, or one value compared. Steps are counted before the work is done, from lengths alone, so that every process
// decides alike (docs/security-bounds.md).
const (
	// MaxEvaluationSteps bounds the evaluation of one flag.
	MaxEvaluationSteps = 500_000
	// MaxRequestSteps bounds the evaluation of all flags for one request.
	MaxRequestSteps = 4_000_000
	// quickSteps is how many steps a quick evaluation takes at most.
	quickSteps = 50_000
	// restSteps is how many steps an evaluation makes between two rests, some 0.1 milliseconds.
	restSteps = 20_000
)

// meter counts the steps of the evaluations for one context. Its zero value has not begun.
type meter struct {
	// limit is how many steps the present flag may take, left how many of them remain, used how many all flags have taken.
	limit, left, used int
	// spent is used, without what Refill has forgotten.
	spent int
	// isOver says that the flag needs more than it may spend.
	isOver bool
	// refused is how many flags needed too much, isScarce says that one of them might have had enough alone.
	refused  int
	isScarce bool
	// isStopped says that nobody waits for the result any more.
	isStopped bool
	// isSlow says that a quick evaluation ended because it would take too many steps.
	isSlow bool
	// unrested is how many steps were made since the last rest.
	unrested int
}

// Refused returns how many flags of the last evaluation needed more steps than they may.
func (c *Context) Refused() int { return c.meter.refused }

// IsStopped reports whether the last evaluation ended early because nobody waits for it; its outcomes mean nothing.
func (c *Context) IsStopped() bool { return c.meter.isStopped }

// IsSlow reports whether the last evaluation, which had to be quick, ended early; its outcomes mean nothing.
func (c *Context) IsSlow() bool { return c.meter.isSlow }

// Become makes the context another one, whose steps count together with those of c.
func (c *Context) Become(another Context) {
	another.Stop, another.Rest, another.IsQuick, another.meter = c.Stop, c.Rest, c.IsQuick, c.meter
	*c = another
}

// Restart counts from zero.
func (c *Context) Restart() { c.meter = meter{} }

// Refill gives the context all MaxRequestSteps again.
func (c *Context) Refill() { c.meter.used = 0 }

// begin starts to count for one flag.
func (c *Context) begin() {
	c.meter.limit = max(0, min(MaxEvaluationSteps, MaxRequestSteps-c.meter.used))
	c.meter.left = c.meter.limit
	c.meter.isOver = c.meter.isSlow || c.meter.isStopped || c.stopped()
}

// pay spends steps. When it reports false the flag may not spend them, and its rules mean nothing.
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

// work counts steps, and rests when there were many of them since the last rest.
func (c *Context) work(steps int) {
	m := &c.meter
	if m.unrested += steps; m.unrested >= restSteps {
		m.unrested = 0
		if c.Rest != nil {
			c.Rest()
		}
	}
}

// stepsUnnoticed is how many steps take so little time that nobody needs to be asked before whether the result is waited for.
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

// end counts the flag when it needed too much, and reports whether it did.
func (c *Context) end() (isOver bool) {
	m := &c.meter
	if m.isOver && !m.isStopped && !m.isSlow {
		m.refused++
		m.isScarce = m.isScarce || m.limit < MaxEvaluationSteps
	}
	return m.isOver
}
