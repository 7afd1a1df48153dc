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

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

func TestDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	var away error
	registry := prometheus.NewPedanticRegistry()
	m := newDeliveryMetrics(registry, func(context.Context) (int64, time.Duration, error) { return 7, 90 * time.Second, away }, slog.New(slog.DiscardHandler))
	pending := models.DeliveryOutcome{Status: models.DeliveryPending}
	m.attempted(webhookclient.Result{Status: 503}, pending)
	m.attempted(webhookclient.Result{Refused: true}, pending)
	m.attempted(webhookclient.Result{Error: "no answer"}, models.DeliveryOutcome{Status: models.DeliveryFailed})
	m.attempted(webhookclient.Result{Status: 204}, models.DeliveryOutcome{Status: models.DeliveryDelivered})
	m.attempted(webhookclient.Result{Status: 200}, models.DeliveryOutcome{Status: models.DeliveryDelivered})
	want := `
# HELP waft_webhook_attempts_total Attempts to deliver to webhooks, by response: 2xx to 5xx, refused for an address that is not allowed, or none.
# TYPE waft_webhook_attempts_total counter
waft_webhook_attempts_total{answer="2xx"} 2
waft_webhook_attempts_total{answer="3xx"} 0
waft_webhook_attempts_total{answer="4xx"} 0
waft_webhook_attempts_total{answer="5xx"} 1
waft_webhook_attempts_total{answer="none"} 1
waft_webhook_attempts_total{answer="refused"} 1
# HELP waft_webhook_deliveries_total Webhook deliveries that ended with an attempt, by status.
# TYPE waft_webhook_deliveries_total counter
waft_webhook_deliveries_total{status="delivered"} 2
waft_webhook_deliveries_total{status="failed"} 1
`
	names := []string{"waft_webhook_attempts_total", "waft_webhook_deliveries_total"}
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(want), names...))
	gauges := []string{"waft_webhook_deliveries_pending", "waft_webhook_overdue_seconds"}
	count, err := testutil.GatherAndCount(registry, gauges...)
	require.NoError(t, err)
	require.Equal(t, 2, count)
	away = errors.New("Postgres is away")
	count, err = testutil.GatherAndCount(registry, gauges...)
	require.NoError(t, err)
	require.Zero(t, count)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(want), names...))
}

func TestTheOutboxIsCountedAtEachScrape(t *testing.T) {
	t.Parallel()
	var away error
	m := newOutboxBacklog(func(context.Context) (int64, time.Duration, error) {
		return 3, 1500 * time.Millisecond, away
	}, slog.New(slog.DiscardHandler))
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(m)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP waft_outbox_messages Messages of the whole installation that wait to be relayed to Temporal, such as starts of rollouts.
# TYPE waft_outbox_messages gauge
waft_outbox_messages 3
# HELP waft_outbox_oldest_seconds Age of the oldest message in the outbox, 0 if it is empty. Above a minute, no worker is running or Temporal does not respond.
# TYPE waft_outbox_oldest_seconds gauge
waft_outbox_oldest_seconds 1.5
`)))
	away = errors.New("Postgres is away")
	count, err := testutil.GatherAndCount(registry)
	require.NoError(t, err)
	require.Zero(t, count)
}
