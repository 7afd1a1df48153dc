package keyed

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEachKeyHasItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit = 3
		s := NewSemaphore[string](limit)
		var holders, most [2]atomic.Int64
		began := time.Now()
		var calls sync.WaitGroup
		for n := range 60 {
			key := n % 2
			calls.Go(func() {
				release, err := s.Acquire(t.Context(), [...]string{"a", "b"}[key])
				require.NoError(t, err)
				defer release()
				most[key].Store(max(most[key].Load(), holders[key].Add(1)))
				<-time.NewTimer(time.Second).C // by the clock of the bubble
				holders[key].Add(-1)
			})
		}
		calls.Wait()
		require.EqualValues(t, limit, most[0].Load())
		require.EqualValues(t, limit, most[1].Load())
		require.Equal(t, 10*time.Second, time.Since(began), "30 calls of each key, three at a time, one key beside the other")
		require.Zero(t, s.Keys(), "nothing is left of keys that nobody holds")
	})
}

func TestACallerStopsWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewSemaphore[int](1)
		release, err := s.Acquire(t.Context(), 7)
		require.NoError(t, err)
		waiting, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Acquire(waiting, 7)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = s.Acquire(waiting, 8)
		require.ErrorIs(t, err, context.DeadlineExceeded, "even a free key is not given to a caller whose context has ended")
		require.Equal(t, 1, s.Keys())

		go release()
		next, err := s.Acquire(t.Context(), 7)
		require.NoError(t, err, "a key that becomes free is given to a caller that waits")
		next()
		require.Zero(t, s.Keys())
	})
}
