package limit

import (
	"context"
	"time"

	"github.com/waft-ota/waft/internal/base/keyed"
	"github.com/waft-ota/waft/models"
)

const (
	// turnTime is how long a call waits for its turn.
	turnTime = 5 * time.Second
	// turnRetry is when a call that did not get one may be made again.
	turnRetry = 2 * time.Second
)

// Turns makes calls of a project one after the other, and a few of different projects together. Those that wait hold
// nothing, so however many there are, they do not hold up other calls.
type Turns struct {
	refusal string
	turns   *keyed.Turns[int64]
}

// NewTurns makes turns. refusal is the detail of the answer to calls that wait too long, together is how many calls of different
// projects are made at the same time.
func NewTurns(refusal string, together int64) *Turns {
	return &Turns{refusal: refusal, turns: keyed.NewTurns[int64](1, together)}
}

// Take returns when it is the caller's turn, which ends with done. It is rate_limited when that takes too long.
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
