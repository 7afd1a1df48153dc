package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/webhook"
	"github.com/waft-ota/waft/models"
)

// deliveryMetrics counts attempts of webhook deliveries, and at each scrape those that are
// pending.
type deliveryMetrics struct {
	attempts  *prometheus.CounterVec
	ended     *prometheus.CounterVec
	durations prometheus.Histogram

	backlog func(context.Context) (pending int64, overdue time.Duration, err error)
	log     *slog.Logger
}

var (
	deliveriesPending = prometheus.NewDesc("waft_webhook_deliveries_pending",
		"Webhook deliveries of the whole installation that have not ended; most wait for another attempt.", nil, nil)
	deliveriesOverdue = prometheus.NewDesc("waft_webhook_overdue_seconds",
		"How long the next attempt of a delivery is overdue, at most, 0 when none is. Above a minute no worker makes attempts.", nil, nil)
)

func newDeliveryMetrics(
	registry prometheus.Registerer, backlog func(context.Context) (int64, time.Duration, error), log *slog.Logger,
) *deliveryMetrics {
	m := &deliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_webhook_attempts_total",
			Help: "Attempts to deliver to webhooks, by answer: 2xx to 5xx, refused for an address that is not allowed, or none.",
		}, []string{"answer"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_webhook_deliveries_total", Help: "Webhook deliveries that ended with an attempt, by status.",
		}, []string{"status"}),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "waft_webhook_attempt_seconds", Help: "Duration of attempts to deliver to webhooks.",
			Buckets: []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 15},
		}),
		backlog: backlog, log: log,
	}
	registry.MustRegister(m.attempts, m.ended, m.durations, m)
	return m
}

// attempted counts one attempt.
func (m *deliveryMetrics) attempted(r webhook.Result, o models.DeliveryOutcome) {
	answer := "none"
	switch {
	case r.Refused:
		answer = "refused"
	case r.Status != 0:
		answer = fmt.Sprintf("%dxx", r.Status/100)
	}
	m.attempts.WithLabelValues(answer).Inc()
	m.durations.Observe(r.Duration.Seconds())
	if o.Status != models.DeliveryPending {
		m.ended.WithLabelValues(string(o.Status)).Inc()
	}
}

// Describe sends what there is to collect at each scrape.
func (*deliveryMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- deliveriesPending
	out <- deliveriesOverdue
}

// Collect asks Postgres. While it is away the metrics are absent.
func (m *deliveryMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	pending, overdue, err := m.backlog(ctx)
	if err != nil {
		m.log.Warn("webhook deliveries could not be counted for a scrape of metrics", "error", err)
		return
	}
	out <- prometheus.MustNewConstMetric(deliveriesPending, prometheus.GaugeValue, float64(pending))
	out <- prometheus.MustNewConstMetric(deliveriesOverdue, prometheus.GaugeValue, overdue.Seconds())
}
