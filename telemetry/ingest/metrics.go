package ingest

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics says how the ingest log fares.
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

	registered []prometheus.Collector
}

// newMetrics registers the metrics unless registerer is nil.
func newMetrics(registerer prometheus.Registerer, in *intake, now func() time.Time) (*metrics, error) {
	m := &metrics{
		accepted: counter("accepted_total", "Health reports made durable and acknowledged."),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_ingest_refused_total", Help: "Health reports refused, by reason: full, broken, closed.",
		}, []string{"reason"}),
		commits:  counter("commits_total", "Group commits to the ingest log, each one sync for all its reports."),
		inserted: counter("inserted_total", "Health reports inserted into ClickHouse; a retried range counts once."),
		failures: counter("insert_failures_total", "Failed attempts to move reports from the ingest log to ClickHouse."),
		damaged:  counter("damaged_total", "Entries of the ingest log that could not be read back."),
		repeats:  counter("repeats_total", "Health reports left out because the same one, by its Idempotency-Key, counted before."),

		exposures:         counter("exposures_total", "Exposures of releases to devices that were made durable."),
		exposuresDropped:  counter("exposures_dropped_total", "Exposures lost because too many waited for the ingest log; their devices do not count until served again."),
		exposuresInserted: counter("exposures_inserted_total", "Exposures inserted into ClickHouse; a retried range counts once."),
	}
	for _, reason := range []rejection{rejectedFull, rejectedBroken, rejectedClosed} {
		m.refused.WithLabelValues(string(reason))
	}
	collectors := []prometheus.Collector{
		m.accepted, m.refused, m.commits, m.inserted, m.failures, m.damaged, m.repeats,
		m.exposures, m.exposuresDropped, m.exposuresInserted,
		gauge("log_entries", "Entries of the ingest log that wait for insertion: health reports, and groups of exposures.", func() float64 {
			entries, _, _ := in.waiting()
			return float64(entries)
		}),
		gauge("log_bytes", "Size of the entries that wait for insertion.", func() float64 {
			_, bytes, _ := in.waiting()
			return float64(bytes)
		}),
		gauge("oldest_report_seconds", "Age of the oldest entry that an insert is waiting with, 0 without one.", func() float64 {
			_, _, oldest := in.waiting()
			if oldest.IsZero() {
				return 0
			}
			return now().Sub(oldest).Seconds()
		}),
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range collectors {
		if err := registerer.Register(c); err != nil {
			m.unregister(registerer)
			return nil, fmt.Errorf("register ingest metrics: %w", err)
		}
		m.registered = append(m.registered, c)
	}
	return m, nil
}

func (m *metrics) unregister(registerer prometheus.Registerer) {
	for _, c := range m.registered {
		registerer.Unregister(c)
	}
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: "waft_ingest_" + name, Help: help})
}

func gauge(name, help string, value func() float64) prometheus.GaugeFunc {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "waft_ingest_" + name, Help: help}, value)
}
