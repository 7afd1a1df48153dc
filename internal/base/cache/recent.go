package cache

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// Recent keeps the results of queries for a short time. Callers at the same time share a query. It is safe for concurrent use.
type Recent[K comparable, V any] struct {
	age, timeout time.Duration
	asking       singleflight.Group

	mu   sync.Mutex
	kept *Generations[K, recentValue[V]]
}

type recentValue[V any] struct {
	at    time.Time
	value V
}

// NewRecent returns an empty Recent. It returns results up to the age, keeps up to 2×most of them, and ends a query after the
// timeout.
func NewRecent[K comparable, V any](most int, age, timeout time.Duration) *Recent[K, V] {
	return &Recent[K, V]{age: age, timeout: timeout, kept: New[K, recentValue[V]](most, age)}
}

// Get returns the value of a key: a recent one, or the result of ask. It does not keep the results of failed queries. If ctx ends,
// it returns the error of ctx, and the query continues, because other callers may wait for it. The caller must not change the value.
func (r *Recent[K, V]) Get(ctx context.Context, key K, now time.Time, ask func(context.Context) (V, error)) (V, error) {
	r.mu.Lock()
	r.kept.Expire(now)
	kept, ok := r.kept.Peek(key)
	r.mu.Unlock()
	if ok && now.Sub(kept.at) < r.age {
		return kept.value, nil
	}
	asked := r.asking.DoChan(fmt.Sprint(key), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.timeout)
		defer cancel()
		value, err := ask(ctx)
		if err == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.kept.Put(key, recentValue[V]{now, value})
		}
		return value, err
	})
	select {
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	case answer := <-asked:
		value, _ := answer.Val.(V)
		return value, answer.Err
	}
}
