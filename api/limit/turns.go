package limit

import (
	"context"
	"time"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

const (
	// turnTime is the maximum time that a call waits for its turn.
	turnTime = 5 * time.Second
	// turnRetry is the time after which a refused call may be sent again.
	turnRetry = 2 * time.Second
)

// Turns runs the calls of a project one after the other, and a few calls of different projects at the same time.
// Waiting calls do not hold any resources, so they do not delay other calls, however many there are.
type Turns struct {
	refusal string
	turns   *keyed.Turns[int64]
}

// NewTurns returns turns. refusal is the detail of the error for calls that wait too long. together is the number of
// calls of different projects that run at the same time.
func NewTurns(refusal string, together int64) *Turns {
	return &Turns{refusal: refusal, turns: keyed.NewTurns[int64](1, together)}
}

// Take returns when it is the caller's turn, which ends with done. It returns rate_limited if that takes too long.
func (t *Turns) Take(ctx context.Context, projectID int64) (done func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	if done, err = t.turns.Take(waiting, projectID); err != nil {
		return nil, t.refused(ctx)
	}
	return done, nil
}

// refused returns the error of a call that did not get its turn.
func (t *Turns) refused(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &models.Error{Code: models.CodeRateLimited, Message: t.refusal, RetryAfter: turnRetry}
}
