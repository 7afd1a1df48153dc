package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// deliveryMetrics counts attempts of webhook deliveries.
type deliveryMetrics struct {
	attempts  *prometheus.CounterVec
	ended     *prometheus.CounterVec
	durations prometheus.Histogram
}

// Labels of attempts that got no status.
const (
	attemptRefused       = "refused"
	attemptWithoutAnswer = "none"
)

func newDeliveryMetrics(registry prometheus.Registerer, read readBacklog, log *slog.Logger) *deliveryMetrics {
	m := &deliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_webhook_attempts_total",
			Help: "Attempts to deliver to webhooks, by response: 2xx to 5xx, refused for an address that is not allowed, or none.",
		}, []string{"answer"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_webhook_deliveries_total", Help: "Webhook deliveries that ended with an attempt, by status.",
		}, []string{"status"}),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "waft_webhook_attempt_seconds", Help: "Duration of attempts to deliver to webhooks.",
			Buckets: []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 15},
		}),
	}
	// A counter that exists before its first event shows that event as an increase.
	for _, answer := range []string{"2xx", "3xx", "4xx", "5xx", attemptRefused, attemptWithoutAnswer} {
		m.attempts.WithLabelValues(answer)
	}
	for _, status := range []models.DeliveryStatus{models.DeliveryDelivered, models.DeliveryFailed} {
		m.ended.WithLabelValues(string(status))
	}
	registry.MustRegister(m.attempts, m.ended, m.durations, backlog{
		waiting: prometheus.NewDesc("waft_webhook_deliveries_pending",
			"Webhook deliveries of the whole installation that have not ended; most wait for another attempt.", nil, nil),
		seconds: prometheus.NewDesc("waft_webhook_overdue_seconds",
			"How long the next attempt of a delivery is overdue, at most, 0 when none is. Above a minute no worker makes attempts.", nil, nil),
		read: read, log: log,
	})
	return m
}

// attempted counts one attempt.
func (m *deliveryMetrics) attempted(r webhookclient.Result, o models.DeliveryOutcome) {
	answer := attemptWithoutAnswer
	switch {
	case r.Refused:
		answer = attemptRefused
	case r.Status != 0:
		answer = fmt.Sprintf("%dxx", r.Status/100)
	}
	m.attempts.WithLabelValues(answer).Inc()
	m.durations.Observe(r.Duration.Seconds())
	if o.Status != models.DeliveryPending {
		m.ended.WithLabelValues(string(o.Status)).Inc()
	}
}

// backlog collects two gauges that are read from Postgres at each scrape. They are absent while Postgres is unavailable.
type backlog struct {
	waiting, seconds *prometheus.Desc
	read             readBacklog
	log              *slog.Logger
}

// readBacklog returns how many wait and for how long the oldest has waited.
type readBacklog = func(context.Context) (waiting int64, oldest time.Duration, err error)

// scrapeTime is how long the query of a scrape may take.
const scrapeTime = 2 * time.Second

func newOutboxBacklog(read readBacklog, log *slog.Logger) backlog {
	return backlog{
		waiting: prometheus.NewDesc("waft_outbox_messages",
			"Messages of the whole installation that wait to be relayed to Temporal, such as starts of rollouts.", nil, nil),
		seconds: prometheus.NewDesc("waft_outbox_oldest_seconds",
			"Age of the oldest message in the outbox, 0 if it is empty. Above a minute, no worker is running or Temporal does not respond.", nil, nil),
		read: read, log: log,
	}
}

// Describe implements prometheus.Collector.
func (b backlog) Describe(out chan<- *prometheus.Desc) {
	out <- b.waiting
	out <- b.seconds
}

// Collect implements prometheus.Collector.
func (b backlog) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	waiting, oldest, err := b.read(ctx)
	if err != nil {
		b.log.Warn("the backlog could not be counted for a scrape of metrics", "error", err)
		return
	}
	out <- prometheus.MustNewConstMetric(b.waiting, prometheus.GaugeValue, float64(waiting))
	out <- prometheus.MustNewConstMetric(b.seconds, prometheus.GaugeValue, oldest.Seconds())
}
