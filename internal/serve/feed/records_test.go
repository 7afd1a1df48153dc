package feed

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRecordsAreWatched(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*Feed, func(string)) {
		f, h := running(t)
		return f, <-h.executions
	}
	// quiet reads the value that Watch sends immediately, and fails if there is another one.
	quiet := func(t *testing.T, changed <-chan struct{}) {
		t.Helper()
		<-changed
		require.Empty(t, changed)
	}

	t.Run("a watcher hears of its own execution only", func(t *testing.T) {
		t.Parallel()
		f, wake := start(t)
		one, two := f.Watch(t.Context(), 1), f.Watch(t.Context(), 2)
		quiet(t, one)
		quiet(t, two)
		wake("1")
		require.Len(t, one, 1)
		require.Empty(t, two)
	})
	t.Run("after a reconnect every watcher looks again", func(t *testing.T) {
		t.Parallel()
		f, wake := start(t)
		one, two := f.Watch(t.Context(), 1), f.Watch(t.Context(), 2)
		quiet(t, one)
		quiet(t, two)
		wake("")
		require.Len(t, one, 1)
		require.Len(t, two, 1)
	})
	t.Run("changes that nobody read yet count as one and block nobody", func(t *testing.T) {
		t.Parallel()
		f, wake := start(t)
		one := f.Watch(t.Context(), 1)
		for range 100 {
			wake("1")
		}
		quiet(t, one)
	})
	t.Run("a watcher of an approval hears of approvals only", func(t *testing.T) {
		t.Parallel()
		f, h := running(t)
		ended := f.WatchApproval(t.Context(), 1)
		quiet(t, ended)
		(<-h.executions)("1")
		require.Empty(t, ended)
		(<-h.approvals)("1")
		require.Len(t, ended, 1)
	})
	t.Run("a watch that ended leaves nothing behind", func(t *testing.T) {
		t.Parallel()
		f, _ := start(t)
		ctx, cancel := context.WithCancel(t.Context())
		f.Watch(ctx, 1)
		cancel()
		require.Eventually(t, func() bool {
			f.executions.mu.Lock()
			defer f.executions.mu.Unlock()
			return len(f.executions.watchers) == 0
		}, 2*time.Minute, time.Millisecond)
	})
}
