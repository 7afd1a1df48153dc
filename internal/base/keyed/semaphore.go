// Package keyed has locks that exist once per key.
package keyed

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Semaphore limits the number of callers that hold a key at the same time. A key takes memory only while it is in use. Callers get a
// key in the order in which they request it.
type Semaphore[K comparable] struct {
	limit int64

	mu   sync.Mutex
	keys map[K]*held
}

// held is the semaphore of one key.
type held struct {
	*semaphore.Weighted
	// users counts the callers that hold the key or wait for it.
	users int
}

// NewSemaphore returns a Semaphore that lets limit callers hold each key.
func NewSemaphore[K comparable](limit int64) *Semaphore[K] {
	return &Semaphore[K]{limit: limit, keys: map[K]*held{}}
}

// Acquire returns when the caller holds the key, which it gives back with release. It fails with the error of ctx.
func (s *Semaphore[K]) Acquire(ctx context.Context, key K) (release func(), err error) {
	own := s.join(key)
	if err := own.Acquire(ctx, 1); err != nil {
		s.leave(key)
		return nil, err
	}
	return func() {
		own.Release(1)
		s.leave(key)
	}, nil
}

// Keys returns how many keys are held or waited for.
func (s *Semaphore[K]) Keys() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

func (s *Semaphore[K]) join(key K) *held {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.keys[key]
	if own == nil {
		own = &held{Weighted: semaphore.NewWeighted(s.limit)}
		s.keys[key] = own
	}
	own.users++
	return own
}

func (s *Semaphore[K]) leave(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.keys[key]; own.users > 1 {
		own.users--
	} else {
		delete(s.keys, key)
	}
}
