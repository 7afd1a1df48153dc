package api

import (
	"context"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

const (
	// turnTime is how long a call waits for its turn.
	turnTime = 5 * time.Second
	// turnRetry is when a call that did not get one may be made again.
	turnRetry = 2 * time.Second
	// turnsTogether is how many calls of different projects are made at the same time.
	turnsTogether = 4
)

// turns makes calls of a project one after the other, and a few of different projects together. Those that wait hold
// nothing, so however many there are, they do not hold up other calls.
type turns struct {
	refusal string
	wait    time.Duration
	// all has a token for each call that is being made.
	all chan struct{}

	mu       sync.Mutex
	projects map[int64]*turn
}

// turn is the token of a project, with the number of calls that have or want it.
type turn struct {
	token chan struct{}
	calls int
}

// newTurns makes turns. refusal is the detail of the answer to calls that wait too long.
func newTurns(refusal string) *turns {
	return &turns{refusal: refusal, wait: turnTime, all: make(chan struct{}, turnsTogether), projects: map[int64]*turn{}}
}

// take returns when it is the caller's turn, which ends with done. It is rate_limited when that takes too long.
func (t *turns) take(ctx context.Context, projectID int64) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, t.wait)
	defer cancel()
	own := t.join(projectID)
	taken := make([]chan struct{}, 0, 2)
	done = func() {
		for _, tokens := range taken {
			<-tokens
		}
		t.leave(projectID)
	}
	for _, tokens := range []chan struct{}{own, t.all} {
		select {
		case tokens <- struct{}{}:
			taken = append(taken, tokens)
		case <-waiting.Done():
			done()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return nil, &models.Error{Code: models.CodeRateLimited, Message: t.refusal, RetryAfter: turnRetry}
		}
	}
	return done, nil
}

func (t *turns) join(projectID int64) (token chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.projects[projectID]
	if of == nil {
		of = &turn{token: make(chan struct{}, 1)}
		t.projects[projectID] = of
	}
	of.calls++
	return of.token
}

func (t *turns) leave(projectID int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if of := t.projects[projectID]; of.calls == 1 {
		delete(t.projects, projectID)
	} else {
		of.calls--
	}
}
