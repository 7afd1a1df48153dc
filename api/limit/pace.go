package limit

import (
	"context"
	"time"
)

// restShare is how long costly work rests for the time that it works, so that it takes a quarter of a processor. On a processor
// that it does not leave, the system lets other threads wait for some milliseconds.
const restShare = 3

const (
	// estimatesTogether is how many projects have segments estimated at the same time.
	estimatesTogether = 4
	// estimatePause is the shortest rest between two estimates of a project: each of them keeps ClickHouse, Postgres and this process
	// busy for a moment, however little the project has.
	estimatePause = 250 * time.Millisecond
)

// Paced makes costly calls of a project one after the other, and lets each of them rest.
type Paced struct {
	turns *Turns
	now   func() time.Time
	// pause is the shortest rest between two calls of a project.
	pause time.Duration
}

// newEstimates returns the turns of estimates of segments.
func newEstimates(now func() time.Time) *Paced {
	refusal := "too many estimates of this project's segments wait for their turn; ask again in a moment"
	return &Paced{turns: NewTurns(refusal, estimatesTogether), now: now, pause: estimatePause}
}

// Turn returns when it is the turn of costly work for the project. The work may call rest again and again, which lets other work go
// first, and ends with done. The error is rate_limited when the turn does not come.
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
	// begun is when the last rest ended, or when the work began. owed is the part of earlier rests that the work skipped because ctx
	// had ended.
	begun time.Time
	owed  time.Duration
}

// due returns how long the work has to rest.
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
