package snapshot

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics say how snapshots are kept up to date.
type metrics struct{ builds *prometheus.HistogramVec }

func newMetrics(registerer prometheus.Registerer, r *Registry) metrics {
	with := promauto.With(registerer)
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_age_seconds",
		Help: "Time since the snapshots of all projects were last compared with Postgres.",
	}, func() float64 { return r.Age(r.now()).Seconds() })
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_projects_behind",
		Help: "Projects with changes that their devices are not served yet.",
	}, func() float64 { return float64(r.behind()) })
	return metrics{with.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "waft_snapshot_build_seconds",
		Help:    "Time to read a project, or what changed of it, from Postgres and to make its snapshot.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"read"})}
}

func (m metrics) observe(whole bool, took time.Duration) {
	read := "changes"
	if whole {
		read = "whole"
	}
	m.builds.WithLabelValues(read).Observe(took.Seconds())
}
