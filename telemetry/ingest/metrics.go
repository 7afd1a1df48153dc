package ingest

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the metrics of the ingest log, registered as one collector.
type metrics struct {
	accepted prometheus.Counter
	refused  *prometheus.CounterVec
	commits  prometheus.Counter
	inserted prometheus.Counter
	failures prometheus.Counter
	damaged  prometheus.Counter
	repeats  prometheus.Counter

	exposures         prometheus.Counter
	exposuresDropped  prometheus.Counter
	exposuresInserted prometheus.Counter

	all []prometheus.Collector
}

func newMetrics(in *intake, now func() time.Time) *metrics {
	m := &metrics{refused: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_ingest_refused_total", Help: "Health reports refused, by reason: full, broken, closed.",
	}, []string{"reason"})}
	for _, reason := range []rejection{rejectedFull, rejectedBroken, rejectedClosed} {
		m.refused.WithLabelValues(string(reason))
	}
	m.all = append(m.all, m.refused)
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "waft_ingest_" + name, Help: help})
		m.all = append(m.all, c)
		return c
	}
	gauge := func(name, help string, value func() float64) {
		m.all = append(m.all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "waft_ingest_" + name, Help: help}, value))
	}
	m.accepted = counter("accepted_total", "Health reports made durable and acknowledged.")
	m.commits = counter("commits_total", "Group commits to the ingest log, each one sync for all its reports.")
	m.inserted = counter("inserted_total", "Health reports inserted into ClickHouse; a retried range counts once.")
	m.failures = counter("insert_failures_total", "Failed attempts to insert reports from the ingest log into ClickHouse.")
	m.damaged = counter("damaged_total", "Entries of the ingest log that could not be read back.")
	m.repeats = counter("repeats_total", "Health reports left out because the same one, by its Idempotency-Key, counted before.")
	m.exposures = counter("exposures_total", "Exposures of releases to devices that were made durable.")
	m.exposuresDropped = counter("exposures_dropped_total",
		"Exposures lost because too many waited for the ingest log; their devices do not count until served again.")
	m.exposuresInserted = counter("exposures_inserted_total", "Exposures inserted into ClickHouse; a retried range counts once.")
	gauge("log_entries", "Entries of the ingest log that wait for insertion: health reports, and groups of exposures.", func() float64 {
		entries, _, _ := in.waiting()
		return float64(entries)
	})
	gauge("log_bytes", "Size of the entries that wait for insertion.", func() float64 {
		_, bytes, _ := in.waiting()
		return float64(bytes)
	})
	gauge("oldest_report_seconds", "Age of the oldest entry of the range being inserted, 0 without one.", func() float64 {
		_, _, oldest := in.waiting()
		if oldest.IsZero() {
			return 0
		}
		return now().Sub(oldest).Seconds()
	})
	return m
}

// Describe and Collect implement prometheus.Collector.
func (m *metrics) Describe(descriptions chan<- *prometheus.Desc) {
	for _, c := range m.all {
		c.Describe(descriptions)
	}
}

// Collect sends the metrics.
func (m *metrics) Collect(collected chan<- prometheus.Metric) {
	for _, c := range m.all {
		c.Collect(collected)
	}
}
