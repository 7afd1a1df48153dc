package limit

import (
	"context"
	"time"
)

// restShare is the rest of costly work per working time, so that it uses an eighth of a processor. If work did not
// leave its processor, the system would let other threads wait for some milliseconds.
const restShare = 7

const (
	// estimatesTogether is the number of projects whose segments are estimated at the same time.
	estimatesTogether = 4
	// estimatePause is the shortest rest between two estimates of a project. Even for a small project, an estimate
	// keeps ClickHouse, Postgres and this process busy for a moment.
	estimatePause = 250 * time.Millisecond
)

// Paced runs costly calls of a project one after the other, and makes each of them rest.
type Paced struct {
	turns *Turns
	now   func() time.Time
	// pause is the shortest rest between two calls of a project.
	pause time.Duration
}

// newEstimates returns the turns for estimates of segments.
func newEstimates(now func() time.Time) *Paced {
	refusal := "too many estimates of this project's segments are waiting; try again in a moment"
	return &Paced{turns: NewTurns(refusal, estimatesTogether), now: now, pause: estimatePause}
}

// Turn waits until it is the turn of costly work for the project. The work calls rest repeatedly, to let other work
// go first, and ends with done. Turn returns rate_limited if the turn does not come in time.
func (p *Paced) Turn(ctx context.Context, projectID int64) (rest, done func(), err error) {
	release, err := p.turns.Take(ctx, projectID)
	if err != nil {
		return nil, nil, err
	}
	work := &pace{ctx: ctx, now: p.now, begun: p.now()}
	return work.rest, func() { time.AfterFunc(max(p.pause, work.due()), release) }, nil
}

// pace makes costly work of one goroutine rest.
type pace struct {
	ctx context.Context
	now func() time.Time
	// begun is the end of the last rest, or the start of the work. owed is the part of earlier rests that the work
	// skipped because ctx had ended.
	begun time.Time
	owed  time.Duration
}

// due returns the time that the work must rest.
func (p *pace) due() time.Duration { return p.owed + restShare*p.now().Sub(p.begun) }

// rest returns after the rest that is due, or when ctx ends.
func (p *pace) rest() {
	p.owed = p.due()
	select {
	case <-p.ctx.Done():
	case <-time.After(p.owed):
		p.owed = 0
	}
	p.begun = p.now()
}
