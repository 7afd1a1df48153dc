package symbols

import (
	"context"
	"encoding/binary"
	"net/netip"
	"slices"
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

// Group sets the group of each error and crash in the reports. It waits until their source maps are read, and fails when one
// cannot be read now; then it is called again with the same reports.
func (g *Grouper) Group(ctx context.Context, reports []models.HealthReport) error {
	maps, err := g.mapsOf(ctx, reports)
	if err != nil {
		return err
	}
	for i := range reports {
		r := &reports[i]
		for n := range r.Events {
			e := &r.Events[n]
			if !e.Type.Failed() {
				continue
			}
			e.Group = g.admitted(r, errorgroup.Of(*e, maps[runningOf(r)].identified(e.StackTrace)))
		}
	}
	return nil
}

// mapsOf returns the source maps by which the stacks in the reports are read. Where there is none it has nil.
func (g *Grouper) mapsOf(ctx context.Context, reports []models.HealthReport) (map[runningIn]*mapped, error) {
	maps := map[runningIn]*mapped{}
	for i := range reports {
		in := runningOf(&reports[i])
		if _, known := maps[in]; known || !slices.ContainsFunc(reports[i].Events, hasStack) {
			continue
		}
		var err error
		if maps[in], err = g.maps.of(ctx, in); err != nil {
			return nil, err
		}
	}
	return maps, nil
}

func hasStack(e models.HealthEvent) bool { return e.Type.Failed() && e.StackTrace != "" }

func runningOf(r *models.HealthReport) runningIn {
	return runningIn{r.ProjectID, models.RunningUpdate{UpdateUUID: r.UpdateUUID, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}}
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
