package symbols

import (
	"context"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// mostGroups is how many error groups a project may have in cardinality.Period in one process; further errors are in the group
// models.OtherErrors. Package cardinality says what part of them a network may use, and which is reserved.
const mostGroups = 2000

// Grouper finds the error groups of events. It is safe for concurrent use.
type Grouper struct {
	maps  *Maps
	now   func() time.Time
	seen  *cardinality.Projects
	other prometheus.Counter
}

// NewGrouper registers the metric waft_errors_other_total.
func NewGrouper(maps *Maps, now func() time.Time, metrics prometheus.Registerer) *Grouper {
	g := &Grouper{maps: maps, now: now, seen: cardinality.NewProjects(now, mostGroups), other: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "waft_errors_other_total",
		Help: "Errors and crashes that are in the group (other), because the project has more error groups than the cardinality limit.",
	})}
	metrics.MustRegister(g.other)
	return g
}

// Group sets the group of each error and crash in the reports.
func (g *Grouper) Group(ctx context.Context, reports []models.HealthReport) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	maps := map[runningIn]*mapped{}
	for i := range reports {
		r := &reports[i]
		for n := range r.Events {
			e := &r.Events[n]
			if !e.Type.Failed() {
				continue
			}
			var by *mapped
			if e.StackTrace != "" {
				in := runningIn{r.ProjectID, models.RunningUpdate{UpdateUUID: r.UpdateUUID, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}}
				if _, known := maps[in]; !known {
					maps[in] = g.maps.of(waiting, in)
				}
				by = maps[in]
			}
			e.Group = g.admitted(r, errorgroup.Of(*e, by.identified(e.StackTrace)))
		}
	}
}

// admitted is the group, or that of the other errors when the sender of the report may not add it.
func (g *Grouper) admitted(r *models.HealthReport, group models.EventGroup) models.EventGroup {
	if g.seen.Of(r.ProjectID).Admit(0, uint64(group.Fingerprint), source(r.Source), g.now()) {
		return group
	}
	g.other.Inc()
	return models.EventGroup{Fingerprint: models.OtherErrors}
}

// source is the sender of a report. Package cardinality tells networks apart by address, so a hash is written as one.
func source(s models.ReportSource) cardinality.Source {
	var address [16]byte
	binary.BigEndian.PutUint64(address[8:], uint64(s.Network))
	return cardinality.Source{Network: netip.AddrFrom16(address), Trusted: s.Trusted, Served: s.Served}
}
