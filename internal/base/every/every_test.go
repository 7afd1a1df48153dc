package every

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// calls runs a loop for so long and returns when it called do, from its start on.
func calls(t *testing.T, long time.Duration, run func(ctx context.Context, do func()) error) (at []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), long)
		defer cancel()
		began := time.Now()
		require.NoError(t, run(ctx, func() { at = append(at, time.Since(began)) }))
	})
	return at
}

func TestRunCallsAfterEachInterval(t *testing.T) {
	t.Parallel()
	at := calls(t, 3500*time.Millisecond, func(ctx context.Context, do func()) error { return Run(ctx, time.Second, do) })
	require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second}, at)
}

func TestRunNowCallsImmediatelyToo(t *testing.T) {
	t.Parallel()
	at := calls(t, 2500*time.Millisecond, func(ctx context.Context, do func()) error { return RunNow(ctx, time.Second, do) })
	require.Equal(t, []time.Duration{0, time.Second, 2 * time.Second}, at)
}

func TestRunNowCallsOnceWhenTheContextHasEnded(t *testing.T) {
	t.Parallel()
	at := calls(t, 0, func(ctx context.Context, do func()) error { return RunNow(ctx, time.Second, do) })
	require.Equal(t, []time.Duration{0}, at)
}

// TestRunLastCallsOnALiveContext: the calls before the last have the context of the loop.
func TestRunLastCallsOnALiveContext(t *testing.T) {
	t.Parallel()
	var last context.Context
	var limit time.Duration
	at := calls(t, 1500*time.Millisecond, func(ctx context.Context, do func()) error {
		return RunLast(ctx, time.Second, time.Minute, func(ctx context.Context) {
			require.NoError(t, ctx.Err())
			deadline, _ := ctx.Deadline()
			last, limit = ctx, time.Until(deadline)
			do()
		})
	})
	require.Equal(t, []time.Duration{time.Second, 1500 * time.Millisecond}, at)
	require.Equal(t, time.Minute, limit)
	require.ErrorIs(t, last.Err(), context.Canceled, "it ends with the loop")
}

// TestALongCallMakesNoOthersUp: a call that takes several intervals is followed by one call, not by several.
func TestALongCallMakesNoOthersUp(t *testing.T) {
	t.Parallel()
	at := calls(t, 6500*time.Millisecond, func(ctx context.Context, do func()) error {
		first := true
		return Run(ctx, time.Second, func() {
			do()
			if first {
				first = false
				<-time.NewTimer(3500 * time.Millisecond).C // by the clock of the bubble
			}
		})
	})
	require.Equal(t, []time.Duration{time.Second, 4500 * time.Millisecond, 5 * time.Second, 6 * time.Second}, at)
}
