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

// maxGroups is the maximum number of error groups that a project may have within one cardinality.Period and process.
// Further errors are in the group models.OtherErrors. Package cardinality defines the part of the maximum that a
// network may use, and the reserved part.
const maxGroups = 2000

// Grouper determines the error groups of events. It is safe for concurrent use.
type Grouper struct {
	maps  *Maps
	now   func() time.Time
	seen  *cardinality.Projects
	other prometheus.Counter
}

// NewGrouper returns a Grouper and registers the metric waft_errors_other_total.
func NewGrouper(maps *Maps, now func() time.Time, metrics prometheus.Registerer) *Grouper {
	g := &Grouper{maps: maps, now: now, seen: cardinality.NewProjects(now, maxGroups), other: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "waft_errors_other_total",
		Help: "Errors and crashes that are in the group (other), because the project has more error groups than the cardinality limit.",
	})}
	metrics.MustRegister(g.other)
	return g
}

// Group sets the group of each error and crash in the reports. It waits until their source maps have been read. It
// fails if a source map cannot be read now; the caller then calls it again with the same reports.
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

// mapsOf returns the source maps for the stacks in the reports. It contains nil for an update without a source map.
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

// admitted returns the group or, if the sender of the report may not add the group, the group of other errors.
func (g *Grouper) admitted(r *models.HealthReport, group models.EventGroup) models.EventGroup {
	if g.seen.Of(r.ProjectID).Admit(0, uint64(group.Fingerprint), source(r.Source), g.now()) {
		return group
	}
	g.other.Inc()
	return models.EventGroup{Fingerprint: models.OtherErrors}
}

// source returns the sender of a report. Package cardinality distinguishes networks by address, so the network's hash
// is written as an address.
func source(s models.ReportSource) cardinality.Source {
	var address [16]byte
	binary.BigEndian.PutUint64(address[8:], uint64(s.Network))
	return cardinality.Source{Network: netip.AddrFrom16(address), Trusted: s.Trusted, Served: s.Served}
}
