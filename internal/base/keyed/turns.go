package keyed

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Turns limits the number of callers that run at the same time, per key and for all keys together. A waiting caller does not occupy a
// place.
type Turns[K comparable] struct {
	keys *Semaphore[K]
	all  *semaphore.Weighted
}

// NewTurns returns Turns that let each callers of a key go on at the same time, and all callers of all keys.
func NewTurns[K comparable](each, all int64) *Turns[K] {
	return &Turns[K]{keys: NewSemaphore[K](each), all: semaphore.NewWeighted(all)}
}

// Take returns when it is the caller's turn, which ends with done. It fails with the error of ctx.
func (t *Turns[K]) Take(ctx context.Context, key K) (done func(), err error) {
	release, err := t.keys.Acquire(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := t.all.Acquire(ctx, 1); err != nil {
		release()
		return nil, err
	}
	return func() {
		t.all.Release(1)
		release()
	}, nil
}

// Keys returns how many keys are held or waited for.
func (t *Turns[K]) Keys() int { return t.keys.Keys() }
