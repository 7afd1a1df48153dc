package feed

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fed is a Listener that hands its wake function to the test.
type fed struct{ wake chan func(string) }

func (f fed) Listen(ctx context.Context, _ string, wake func(string)) error {
	f.wake <- wake
	<-ctx.Done()
	return nil
}

func TestExecutionHub(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*ExecutionHub, func(string)) {
		source := fed{wake: make(chan func(string), 1)}
		hub := NewExecutionHub(source)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- hub.Run(ctx) }()
		t.Cleanup(func() { cancel(); require.NoError(t, <-ended) })
		return hub, <-source.wake
	}
	// quiet reads what Watch gives at once, and fails if more is waiting.
	quiet := func(t *testing.T, changed <-chan struct{}) {
		t.Helper()
		<-changed
		require.Empty(t, changed)
	}

	t.Run("a watcher hears of its own execution only", func(t *testing.T) {
		t.Parallel()
		hub, wake := start(t)
		one, two := hub.Watch(t.Context(), 1), hub.Watch(t.Context(), 2)
		quiet(t, one)
		quiet(t, two)
		wake("1")
		require.Len(t, one, 1)
		require.Empty(t, two)
	})
	t.Run("after a reconnect every watcher looks again", func(t *testing.T) {
		t.Parallel()
		hub, wake := start(t)
		one, two := hub.Watch(t.Context(), 1), hub.Watch(t.Context(), 2)
		quiet(t, one)
		quiet(t, two)
		wake("")
		require.Len(t, one, 1)
		require.Len(t, two, 1)
	})
	t.Run("changes that nobody read yet count as one and block nobody", func(t *testing.T) {
		t.Parallel()
		hub, wake := start(t)
		one := hub.Watch(t.Context(), 1)
		for range 100 {
			wake("1")
		}
		quiet(t, one)
	})
	t.Run("a watch that ended leaves nothing behind", func(t *testing.T) {
		t.Parallel()
		hub, _ := start(t)
		ctx, cancel := context.WithCancel(t.Context())
		hub.Watch(ctx, 1)
		cancel()
		require.Eventually(t, func() bool {
			hub.mu.Lock()
			defer hub.mu.Unlock()
			return len(hub.watchers) == 0
		}, 2*time.Minute, time.Millisecond)
	})
}
