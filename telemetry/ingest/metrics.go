package ingest

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are the metrics of the ingest log. They register as one collector.
type metrics struct {
	*prometheus.Registry
	refused                                                 *prometheus.CounterVec
	accepted, commits, inserted, failures, damaged, repeats prometheus.Counter
	exposures, exposuresDropped, exposuresInserted          prometheus.Counter
}

func newMetrics(in *intake, now func() time.Time) *metrics {
	registry := prometheus.NewRegistry()
	auto := promauto.With(registry)
	counter := func(name, help string) prometheus.Counter {
		return auto.NewCounter(prometheus.CounterOpts{Name: "waft_ingest_" + name, Help: help})
	}
	gauge := func(name, help string, value func() float64) {
		auto.NewGaugeFunc(prometheus.GaugeOpts{Name: "waft_ingest_" + name, Help: help}, value)
	}
	m := &metrics{
		Registry: registry,
		refused: auto.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_ingest_refused_total", Help: "Health reports refused, by reason: full, broken, closed.",
		}, []string{"reason"}),
		accepted:  counter("accepted_total", "Health reports made durable and acknowledged."),
		commits:   counter("commits_total", "Group commits to the ingest log. Each commit syncs all its reports once."),
		inserted:  counter("inserted_total", "Health reports inserted into ClickHouse; a retried range counts once."),
		failures:  counter("insert_failures_total", "Failed attempts to insert reports from the ingest log into ClickHouse."),
		damaged:   counter("damaged_total", "Entries of the ingest log that could not be read back."),
		repeats:   counter("repeats_total", "Health reports not inserted because a report with the same Idempotency-Key was counted before."),
		exposures: counter("exposures_total", "Exposures of releases to devices that were made durable."),
		exposuresDropped: counter("exposures_dropped_total",
			"Exposures lost because too many waited for the ingest log; their devices do not count until they are served again."),
		exposuresInserted: counter("exposures_inserted_total", "Exposures inserted into ClickHouse; a retried range counts once."),
	}
	for _, reason := range []rejection{rejectedFull, rejectedBroken, rejectedClosed} {
		m.refused.WithLabelValues(string(reason))
	}
	gauge("log_entries", "Entries of the ingest log that wait for insertion: health reports, and groups of exposures.", func() float64 {
		entries, _, _ := in.waiting()
		return float64(entries)
	})
	gauge("log_bytes", "Size of the entries that wait for insertion, or whose errors wait for insertion.", func() float64 {
		_, bytes, _ := in.waiting()
		return float64(bytes)
	})
	gauge("log_limit_bytes", "Maximum of waft_ingest_log_bytes, from WAFT_INGEST_LOG_BYTES. Above it, health reports are refused.",
		func() float64 { return float64(in.maxBytes) })
	gauge("oldest_report_seconds", "Age of the oldest entry of the range that is being inserted, or 0.", func() float64 {
		_, _, oldest := in.waiting()
		if oldest.IsZero() {
			return 0
		}
		return now().Sub(oldest).Seconds()
	})
	return m
}
