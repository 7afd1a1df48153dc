package telemetry

import (
	"context"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/cespare/xxhash/v2"

	"github.com/waft-ota/waft/models"
)

// addEvents adds the health of the events in the queries, as of now. carried reports for each query whether devices
// had the release before its rollout began. A SQL query handles a release only once, so a release's second event is
// in a second SQL query.
func (h HealthQueries) addEvents(
	ctx context.Context, queries []models.HealthQuery, carried []bool, health []models.ReleaseHealth, now time.Time,
) error {
	for nth := 0; ; nth++ {
		var asking []models.HealthQuery
		var carriedOver []bool
		var places []int
		for i, q := range queries {
			if len(q.Events) > nth {
				asking, carriedOver, places = append(asking, q), append(carriedOver, carried[i]), append(places, i)
			}
		}
		if len(asking) == 0 {
			return nil
		}
		found, err := h.eventHealth(ctx, asking, carriedOver, nth, now)
		if err != nil {
			return err
		}
		for i, place := range places {
			health[place].Events = append(health[place].Events, found[i])
		}
	}
}

// eventHealth returns the health of the nth event of each query.
func (h HealthQueries) eventHealth(
	ctx context.Context, queries []models.HealthQuery, carried []bool, nth int, now time.Time,
) ([]models.EventHealth, error) {
	n := len(queries)
	all := make([]models.EventHealth, n)
	names, within, below, whole := make([]uint64, n), make([]int64, n), make([]uint32, n), make([]uint32, n)
	for i, q := range queries {
		e := q.Events[nth]
		all[i] = models.EventHealth{Name: e.Name, Direction: e.Direction}
		names[i], within[i] = xxhash.Sum64String(e.Name), e.Within.Milliseconds()
		if e.Direction == models.EventBelow {
			below[i] = 1
			if carried[i] {
				whole[i] = 1
			}
		}
	}
	args := append(healthArgs(queries, func(q models.HealthQuery) time.Time { return q.Since }),
		clickhouse.Named("names", names), clickhouse.Named("below", below), clickhouse.Named("within", within), clickhouse.Named("whole", whole), milli("now", now))
	rows, err := h.selectHealth(ctx, queries, sqlEventDevices, args)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		e, v := &all[r.Number-1], r.votes()
		e.Devices, e.ReportedDevices = int64(r.Devices), int64(r.Errored)
		if e.Direction == models.EventBelow {
			e.ReportedDevices = e.Devices - int64(r.Errored)
		}
		e.Votes = models.EventVotes{
			Networks: v.Networks, Allocations: v.Allocations, Weight: v.Weight, CappedDevices: v.CappedDevices, Affected: v.Errored,
		}
		if r.Due.Unix() > 0 {
			e.DueAt = new(r.Due.UTC())
		}
	}
	return all, nil
}
