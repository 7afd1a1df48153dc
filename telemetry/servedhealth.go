package telemetry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// servedRow has the devices of a target on a set of updates.
type servedRow struct {
	streamRow
	Updates uint32 `ch:"updates"` // the number of the set
}

// reportsRow has the number of reports of an update.
type reportsRow struct {
	UpdateUUID string `ch:"update_uuid"`
	Reports    uint64 `ch:"reports"`
}

// ServedHealth returns the health of the devices that reported on the served updates of some targets in this hour and the
// 23 hours before. With others, it also returns the health of the devices on the embedded update of every other target,
// because a target without a release is served that update. As in a timeseries, an update with at most 25,000 reports is
// counted exactly. All updates that are counted exactly have at most 150,000 reports together. ServedHealth returns a
// models.Unavailable error while ClickHouse is unavailable.
func (s StreamQueries) ServedHealth(
	ctx context.Context, projectID int64, served []models.ServedStream, others bool, now time.Time,
) (models.ServedHealth, error) {
	all := servedTargets{of: served, others: others, all: served, from: overviewFrom(now)}
	estimated, err := s.estimatedUpdates(ctx, projectID, all.updates(), now)
	if err != nil {
		return nil, err
	}
	exact, rest := all, all
	exact.of, exact.others = withoutUpdates(served, estimated), others && !estimated[""]
	rest.of, rest.others = withoutStreams(served, exact.of), others && !exact.others
	counted, sketched, err := countDevices[servedRow](ctx, s.database, projectID, "the devices of served releases",
		exact.counting(sqlServedReports), rest.counting(sqlServedCounts))
	if err != nil {
		return nil, err
	}
	health := models.ServedHealth{}
	exact.add(health, counted)
	rest.add(health, sketched)
	return health, nil
}

// servedTargets are targets whose devices a query counts: some targets on the updates that they are served, and with others
// all targets that are not in all, on the embedded update.
type servedTargets struct {
	of     []models.ServedStream
	others bool
	all    []models.ServedStream
	from   time.Time
}

// updates returns the UUIDs of the updates that the targets are served.
func (t servedTargets) updates() []string {
	found := map[string]bool{}
	for _, stream := range t.of {
		for _, u := range stream.Served {
			found[u.UpdateUUID] = true
		}
	}
	if t.others {
		found[""] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// counting returns a query that counts the devices of the targets. It has no arguments if they have no updates.
func (t servedTargets) counting(query projectQuery) counting {
	sets := t.sets()
	if len(sets.updates) == 0 {
		return counting{}
	}
	return counting{query, append(sets.args(), second("from", t.from), clickhouse.Named("most", uint32(maxStreamUpdates)))}
}

// sets returns the sets of updates whose devices are counted: each update, and all updates of each target.
func (t servedTargets) sets() *updateSets {
	sets := newUpdateSets()
	for _, update := range t.updates() {
		sets.add([]models.ServedUpdate{{UpdateUUID: update}})
	}
	for _, stream := range t.of {
		sets.add(stream.Served)
	}
	return sets
}

// add adds the targets' rows to health. Rows of other targets, and of sets that a target is not served, are not added.
func (t servedTargets) add(health models.ServedHealth, rows []servedRow) {
	sets, counts, rest := t.sets(), map[models.Stream]map[uint32]models.DeviceCounts{}, map[models.Stream]bool{}
	for _, r := range rows {
		stream := r.stream()
		if counts[stream] == nil {
			counts[stream], rest[stream] = map[uint32]models.DeviceCounts{}, true
		}
		counts[stream][r.Updates] = deviceCounts(r.Devices, r.Errored, r.Crashed)
	}
	addTo := func(stream models.Stream, served []models.ServedUpdate) {
		together, found := counts[stream][sets.number(served)]
		if !found {
			return
		}
		h := models.StreamHealth{DeviceCounts: together, Updates: map[string]models.DeviceCounts{}}
		for _, u := range served {
			if c, ok := counts[stream][sets.number([]models.ServedUpdate{u})]; ok {
				h.Updates[u.UpdateUUID] = c
			}
		}
		health[stream] = h
	}
	for _, stream := range t.of {
		addTo(stream.Stream, stream.Served)
	}
	for _, stream := range t.all {
		delete(rest, stream.Stream)
	}
	if t.others {
		for stream := range rest {
			addTo(stream, []models.ServedUpdate{{}})
		}
	}
}

// updateSets numbers sets of updates. A query counts the devices of a target on any update of a set once, whatever targets are served
// the set. That is faster than a condition with the names of all targets.
type updateSets struct {
	updates []string          // the updates of all sets
	of      map[string]int    // the index of each update
	sets    [][]uint32        // the numbers of the sets of each update
	numbers map[string]uint32 // the number of each set
}

func newUpdateSets() *updateSets {
	return &updateSets{of: map[string]int{}, numbers: map[string]uint32{}}
}

// add adds a set, unless it is empty or was added before.
func (s *updateSets) add(served []models.ServedUpdate) {
	key := setKey(served)
	if _, ok := s.numbers[key]; ok || len(served) == 0 {
		return
	}
	number := uint32(len(s.numbers) + 1)
	s.numbers[key] = number
	for _, u := range served {
		i, ok := s.of[u.UpdateUUID]
		if !ok {
			i, s.of[u.UpdateUUID] = len(s.updates), len(s.updates)
			s.updates, s.sets = append(s.updates, u.UpdateUUID), append(s.sets, nil)
		}
		s.sets[i] = append(s.sets[i], number)
	}
}

// number returns the number of a set that was added, and 0 of another one.
func (s *updateSets) number(served []models.ServedUpdate) uint32 { return s.numbers[setKey(served)] }

// args returns the arguments of a query with these sets.
func (s *updateSets) args() []driver.NamedValue {
	indices := make([]uint32, len(s.updates))
	for i := range indices {
		indices[i] = uint32(i + 1)
	}
	return []driver.NamedValue{
		clickhouse.Named("updates", s.updates), clickhouse.Named("indices", indices), clickhouse.Named("sets", s.sets),
	}
}

// setKey returns a key that is the same for the same updates in any order.
func setKey(served []models.ServedUpdate) string {
	updates := make([]string, len(served))
	for i, u := range served {
		updates[i] = u.UpdateUUID
	}
	slices.Sort(updates)
	return strings.Join(slices.Compact(updates), " ")
}

// ReleaseCounts returns the devices that reported on each of some updates in this hour and the 23 hours before, in all
// targets, and the devices on which the update failed to start. The result is by update ID; updates without devices are
// missing. As in a timeseries, an update with at most 25,000 reports is counted exactly, and all updates that are counted
// exactly have at most 150,000 reports together. ReleaseCounts returns a models.Unavailable error while ClickHouse is
// unavailable.
func (s StreamQueries) ReleaseCounts(
	ctx context.Context, projectID int64, updates []string, now time.Time,
) (map[string]models.DeviceCounts, error) {
	estimated, err := s.estimatedUpdates(ctx, projectID, updates, now)
	if err != nil {
		return nil, err
	}
	exact := slices.DeleteFunc(slices.Clone(updates), func(update string) bool { return estimated[update] })
	counted, sketched, err := countDevices[streamRow](ctx, s.database, projectID, "the devices of releases",
		counting{sqlReleaseReports, releaseArgs(exact, now)},
		counting{sqlReleaseCounts, releaseArgs(slices.Collect(maps.Keys(estimated)), now)})
	if err != nil {
		return nil, err
	}
	counts := map[string]models.DeviceCounts{}
	for _, r := range append(counted, sketched...) {
		counts[r.UpdateUUID] = deviceCounts(r.Devices, r.Errored, r.Crashed)
	}
	return counts, nil
}

// releaseArgs returns the arguments of a query about updates, or nil without updates.
func releaseArgs(updates []string, now time.Time) []driver.NamedValue {
	if len(updates) == 0 {
		return nil
	}
	return []driver.NamedValue{second("from", overviewFrom(now)), clickhouse.Named("updates", updates)}
}

// estimatedUpdates returns the updates that are not counted exactly, from their numbers of reports.
func (s StreamQueries) estimatedUpdates(ctx context.Context, projectID int64, updates []string, now time.Time) (map[string]bool, error) {
	if len(updates) == 0 {
		return nil, nil
	}
	reports, err := recent(ctx, s.reports, keyOf(projectID, updates), now, func(ctx context.Context) (map[string]uint64, error) {
		rows, err := selectOf[reportsRow](ctx, s.database, projectID, "the reports of releases", sqlReleaseCost, releaseArgs(updates, now)...)
		reports := map[string]uint64{}
		for _, r := range rows {
			reports[r.UpdateUUID] = r.Reports
		}
		return reports, err
	})
	return s.withTooManyReports(reports), err
}

// withTooManyReports returns the updates that are not counted exactly, from the number of reports of each update.
func (s StreamQueries) withTooManyReports(reports map[string]uint64) map[string]bool {
	fewest := slices.SortedFunc(maps.Keys(reports), func(a, b string) int {
		return cmp.Or(cmp.Compare(reports[a], reports[b]), cmp.Compare(a, b))
	})
	estimated, read := map[string]bool{}, uint64(0)
	for _, update := range fewest {
		if read += reports[update]; reports[update] > s.exactReports || read > s.exactRows {
			estimated[update] = true
		}
	}
	return estimated
}

// withoutUpdates returns the targets without the updates. A target that has one of them loses the others too, because a
// device may have reported on several: the figures of a target are either all exact or all estimates.
func withoutUpdates(served []models.ServedStream, updates map[string]bool) (rest []models.ServedStream) {
	for _, stream := range served {
		if !slices.ContainsFunc(stream.Served, func(u models.ServedUpdate) bool { return updates[u.UpdateUUID] }) {
			rest = append(rest, stream)
		}
	}
	return rest
}

// withoutStreams returns the targets that are not among others.
func withoutStreams(served, others []models.ServedStream) (rest []models.ServedStream) {
	has := make(map[models.Stream]bool, len(others))
	for _, o := range others {
		has[o.Stream] = true
	}
	for _, stream := range served {
		if !has[stream.Stream] {
			rest = append(rest, stream)
		}
	}
	return rest
}

// counting is a query for numbers of devices. Without arguments it is not sent.
type counting struct {
	query projectQuery
	args  []driver.NamedValue
}

// countDevices sends an exact query and a query for estimates at the same time.
func countDevices[R any](
	ctx context.Context, db *database, projectID int64, what string, exact, estimates counting,
) (counted, estimated []R, err error) {
	var rows [2][]R
	g, asking := errgroup.WithContext(ctx)
	for i, c := range []counting{exact, estimates} {
		if c.args != nil {
			g.Go(func() (err error) {
				rows[i], err = selectOf[R](asking, db, projectID, what, c.query, c.args...)
				return err
			})
		}
	}
	err = g.Wait()
	return rows[0], rows[1], err
}
