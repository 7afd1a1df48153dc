package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
)

// WakeTimeout is how long a test waits for something that should come immediately. Tests do not depend on its length.
const WakeTimeout = 2 * time.Minute

// Listen returns a channel with everything that the store's Listen wakes with until the test ends.
func Listen(t *testing.T, s *store.Store, channel string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	woken := make(chan string, 100)
	var listening sync.WaitGroup
	listening.Go(func() {
		if err := s.Listen(ctx, channel, func(payload string) { woken <- payload }); err != nil {
			t.Errorf("Listen: %v", err)
		}
	})
	t.Cleanup(func() {
		cancel()
		listening.Wait()
	})
	return woken
}

// Await returns the next value, and fails the test if none comes.
func Await[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), WakeTimeout)
	defer cancel()
	select {
	case v := <-from:
		return v
	case <-ctx.Done():
		require.FailNow(t, "no value came")
		panic("unreachable")
	}
}
