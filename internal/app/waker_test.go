package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// listener passes on whom it was told of, and answers what it is given.
type listener struct {
	told    chan string
	answers chan error
}

func (l listener) HealthChanged(_ context.Context, workflowID string) error {
	l.told <- workflowID
	return <-l.answers
}

func TestAWakeIsTriedUntilTemporalTakesIt(t *testing.T) {
	t.Parallel()
	l := listener{told: make(chan string), answers: make(chan error)}
	w := newWaker(l, nil, slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.run(ctx) }()
	w.add("rollout/demo/1")
	for range 2 {
		require.Equal(t, "rollout/demo/1", <-l.told)
		l.answers <- errors.New("Temporal is away")
	}
	require.Equal(t, "rollout/demo/1", <-l.told)
	l.answers <- nil
	w.add("rollout/demo/2")
	require.Equal(t, "rollout/demo/2", <-l.told, "what was taken is not told again")
	l.answers <- nil
	end()
	require.NoError(t, <-ended)
}
