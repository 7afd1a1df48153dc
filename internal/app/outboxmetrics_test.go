package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
)

func TestTheOutboxIsCountedAtEachScrape(t *testing.T) {
	t.Parallel()
	var away error
	m := outboxMetrics{log: slog.New(slog.DiscardHandler), backlog: func(context.Context) (int64, time.Duration, error) {
		return 3, 1500 * time.Millisecond, away
	}}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP waft_outbox_messages Messages of the whole installation that wait to be relayed to Temporal, such as starts of rollouts.
# TYPE waft_outbox_messages gauge
waft_outbox_messages 3
# HELP waft_outbox_oldest_seconds Age of the oldest message in the outbox, 0 when it is empty. Above a minute no worker runs, or Temporal does not answer.
# TYPE waft_outbox_oldest_seconds gauge
waft_outbox_oldest_seconds 1.5
`)))
	away = errors.New("Postgres is away")
	count, err := testutil.GatherAndCount(registry)
	require.NoError(t, err)
	require.Zero(t, count)
}
