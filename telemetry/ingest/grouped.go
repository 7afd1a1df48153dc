package ingest

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// Groups finds the error groups of events. It is asked when a range is inserted, so that no device waits for it.
type Groups interface {
	// Group sets the group of each error and crash in the reports.
	Group(ctx context.Context, reports []models.HealthReport)
}

// groupedRange has the groups of a range that is inserted. A range that is tried again must have the same ones, although a
// source map may have come or a budget been spent meanwhile.
type groupedRange struct {
	token string
	// groups are by the id of the report, one for each event.
	groups map[string][]models.EventGroup
}

// group sets the error groups of the range's reports.
func (l *Log) group(ctx context.Context, token string, reports []models.HealthReport) {
	if l.options.Groups == nil {
		return
	}
	if l.grouped.token != token {
		l.grouped = groupedRange{token, map[string][]models.EventGroup{}}
		l.options.Groups.Group(ctx, reports)
		for _, r := range reports {
			if r.HasErrors() {
				l.grouped.groups[r.ID] = converted(r.Events, func(e models.HealthEvent) models.EventGroup { return e.Group })
			}
		}
		return
	}
	for _, r := range reports {
		for n, group := range l.grouped.groups[r.ID] {
			r.Events[n].Group = group
		}
	}
}
