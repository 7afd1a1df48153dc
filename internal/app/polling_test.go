package app

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Workers that gave up, or could not start, are started again: nobody else would, and
// their process looks alive.
func TestWorkersThatGaveUpAreStartedAgain(t *testing.T) {
	t.Parallel()
	var polling atomic.Bool
	ctx, end := context.WithCancel(t.Context())
	started, stopped := make(chan func(error)), make(chan bool)
	away := true
	p := poller{polling: &polling, log: slog.New(slog.DiscardHandler), start: func(_ context.Context, lost func(error)) (func(), error) {
		if away {
			away = false
			return nil, errors.New("Temporal is away")
		}
		started <- lost
		return func() { stopped <- polling.Load() }, nil
	}}
	ended := make(chan error)
	go func() { ended <- p.run(ctx) }()
	lost := <-started
	for range 3 {
		lost(errors.New("no such namespace"))
	}
	require.False(t, <-stopped, "it says that it does not poll")
	<-started
	end()
	require.False(t, <-stopped)
	require.NoError(t, <-ended)
}
