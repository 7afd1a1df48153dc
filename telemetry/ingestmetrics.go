package telemetry

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ingestMetrics says how the ingest log fares.
type ingestMetrics struct {
	accepted prometheus.Counter
	refused  *prometheus.CounterVec
	commits  prometheus.Counter
	inserted prometheus.Counter
	failures prometheus.Counter
	damaged  prometheus.Counter
	repeats  prometheus.Counter

	serves         prometheus.Counter
	servesDropped  prometheus.Counter
	servesInserted prometheus.Counter

	registered []prometheus.Collector
}

// newIngestMetrics registers the metrics unless registerer is nil.
func newIngestMetrics(registerer prometheus.Registerer, in *intake, now func() time.Time) (*ingestMetrics, error) {
	m := &ingestMetrics{
		accepted: counter("accepted_total", "Health reports made durable and acknowledged."),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "waft_ingest_refused_total", Help: "Health reports refused, by reason: full, broken, closed.",
		}, []string{"reason"}),
		commits:  counter("commits_total", "Group commits to the ingest log, each one sync for all its reports."),
		inserted: counter("inserted_total", "Health reports inserted into ClickHouse; a retried range counts once."),
		failures: counter("insert_failures_total", "Failed attempts to move reports from the ingest log to ClickHouse."),
		damaged:  counter("damaged_total", "Entries of the ingest log that could not be read back."),
		repeats:  counter("repeats_total", "Health reports left out because the same one, by its Idempotency-Key, counted before."),

		serves:         counter("serves_total", "Serves of releases to devices that were made durable."),
		servesDropped:  counter("serves_dropped_total", "Serves lost because too many waited for the ingest log; their devices do not count until served again."),
		servesInserted: counter("serves_inserted_total", "Serves inserted into ClickHouse; a retried range counts once."),
	}
	for _, reason := range []refusal{refusedFull, refusedBroken, refusedClosed} {
		m.refused.WithLabelValues(string(reason))
	}
	collectors := []prometheus.Collector{
		m.accepted, m.refused, m.commits, m.inserted, m.failures, m.damaged, m.repeats,
		m.serves, m.servesDropped, m.servesInserted,
		gauge("log_entries", "Entries of the ingest log that wait for insertion: health reports, and groups of serves.", func() float64 {
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

func (m *ingestMetrics) unregister(registerer prometheus.Registerer) {
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
