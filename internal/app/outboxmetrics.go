package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// outboxMetrics counts the messages of the outbox at each scrape. Messages wait for moments
// only, while a worker runs and Temporal answers.
type outboxMetrics struct {
	backlog func(context.Context) (waiting int64, oldest time.Duration, err error)
	log     *slog.Logger
}

// scrapeTime is how long the query of a scrape may take.
const scrapeTime = 2 * time.Second

var (
	outboxWaiting = prometheus.NewDesc("waft_outbox_messages",
		"Messages of the whole installation that wait to be relayed to Temporal, such as starts of rollouts.", nil, nil)
	outboxOldest = prometheus.NewDesc("waft_outbox_oldest_seconds",
		"Age of the oldest message in the outbox, 0 when it is empty. Above a minute no worker runs, or Temporal does not answer.", nil, nil)
)

// Describe sends what there is to collect.
func (m outboxMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- outboxWaiting
	out <- outboxOldest
}

// Collect asks Postgres. While it is away the metrics are absent.
func (m outboxMetrics) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	waiting, oldest, err := m.backlog(ctx)
	if err != nil {
		m.log.Warn("the outbox could not be counted for a scrape of metrics", "error", err)
		return
	}
	out <- prometheus.MustNewConstMetric(outboxWaiting, prometheus.GaugeValue, float64(waiting))
	out <- prometheus.MustNewConstMetric(outboxOldest, prometheus.GaugeValue, oldest.Seconds())
}
