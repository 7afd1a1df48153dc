package telemetry

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// servedRow has the devices of a target on one update. If Together is 1, it has the devices on any of the target's updates.
type servedRow struct {
	streamRow
	Together uint64 `ch:"together"`
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
	args := servedArgs{all: served, from: overviewFrom(now)}
	estimated, err := estimatedUpdates(ctx, s, projectID, sqlServedCost, args.of(served, others))
	if err != nil {
		return nil, err
	}
	exact, exactOthers := withoutUpdates(served, estimated), others && !estimated[""]
	rows, err := countDevices[servedRow](ctx, s.database, projectID, "the devices of served releases",
		counting{sqlServedReports, args.of(exact, exactOthers)},
		counting{sqlServedCounts, args.of(withoutStreams(served, exact), others && !exactOthers)})
	if err != nil {
		return nil, err
	}
	health := models.ServedHealth{}
	addServed(health, rows)
	return health, nil
}

// servedArgs makes the arguments of queries about targets. The targets that are not in all are the others.
type servedArgs struct {
	all  []models.ServedStream
	from time.Time
}

// of returns the arguments for the updates that some of all targets are served, and for the embedded update of the others. It
// returns nil if that is nothing.
func (a servedArgs) of(served []models.ServedStream, others bool) []driver.NamedValue {
	codes, of := newServedCodes(), []uint64{}
	for _, stream := range served {
		for _, u := range stream.Served {
			of = append(of, codes.stream(stream.Stream)+codes.updates.code(u.UpdateUUID))
		}
	}
	if len(of) == 0 && !others {
		return nil
	}
	streams := make([]uint64, len(a.all))
	for i, stream := range a.all {
		streams[i] = codes.stream(stream.Stream)
	}
	return append(codes.args(), second("from", a.from), clickhouse.Named("served_codes", of), clickhouse.Named("others", others),
		clickhouse.Named("stream_codes", streams), clickhouse.Named("most", uint32(maxStreamUpdates)))
}

// servedCodes numbers the names of targets and the updates that they are served. The sum of the codes of a channel, a platform and a
// runtime version identifies a target; with the code of an update it identifies an update of the target. ClickHouse compares such sums
// in half the time that it needs to compare the names of each report.
type servedCodes struct{ channels, platforms, runtimeVersions, updates codes }

// codes has a code for each name: its number from 1, shifted so that the sums of different codes differ.
type codes struct {
	shift   uint
	names   []string
	numbers []uint64
	of      map[string]uint64
}

// newServedCodes returns an empty servedCodes. It has room for a million channels, runtime versions and updates each.
func newServedCodes() servedCodes {
	return servedCodes{newCodes(44), newCodes(40), newCodes(20), newCodes(0)}
}

func newCodes(shift uint) codes { return codes{shift: shift, of: map[string]uint64{}} }

// code returns the code of a name, which it adds if it is new.
func (c *codes) code(name string) uint64 {
	if code, ok := c.of[name]; ok {
		return code
	}
	c.names = append(c.names, name)
	code := uint64(len(c.names)) << c.shift
	c.numbers, c.of[name] = append(c.numbers, code), code
	return code
}

// stream returns the code of a target.
func (c *servedCodes) stream(s models.Stream) uint64 {
	return c.channels.code(s.Channel) + c.platforms.code(string(s.Platform)) + c.runtimeVersions.code(s.RuntimeVersion)
}

// args returns the arguments of a query with these codes.
func (c servedCodes) args() []driver.NamedValue {
	return []driver.NamedValue{
		clickhouse.Named("channels", c.channels.names), clickhouse.Named("channel_codes", c.channels.numbers),
		clickhouse.Named("platforms", c.platforms.names), clickhouse.Named("platform_codes", c.platforms.numbers),
		clickhouse.Named("runtime_versions", c.runtimeVersions.names), clickhouse.Named("runtime_version_codes", c.runtimeVersions.numbers),
		clickhouse.Named("updates", c.updates.names), clickhouse.Named("update_codes", c.updates.numbers),
	}
}

// ReleaseCounts returns the devices that reported on each of some updates in this hour and the 23 hours before, in all
// targets, and the devices on which the update failed to start. The result is by update ID; updates without devices are
// missing. As in a timeseries, an update with at most 25,000 reports is counted exactly, and all updates that are counted
// exactly have at most 150,000 reports together. ReleaseCounts returns a models.Unavailable error while ClickHouse is
// unavailable.
func (s StreamQueries) ReleaseCounts(
	ctx context.Context, projectID int64, updates []string, now time.Time,
) (map[string]models.DeviceCounts, error) {
	estimated, err := estimatedUpdates(ctx, s, projectID, sqlReleaseCost, releaseArgs(updates, now))
	if err != nil {
		return nil, err
	}
	exact := slices.DeleteFunc(slices.Clone(updates), func(update string) bool { return estimated[update] })
	rows, err := countDevices[streamRow](ctx, s.database, projectID, "the devices of releases",
		counting{sqlReleaseReports, releaseArgs(exact, now)},
		counting{sqlReleaseCounts, releaseArgs(slices.Collect(maps.Keys(estimated)), now)})
	if err != nil {
		return nil, err
	}
	counts := map[string]models.DeviceCounts{}
	for _, r := range rows {
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

// estimatedUpdates returns the updates that are not counted exactly, from the query for their numbers of reports. Without
// arguments it does not send the query.
func estimatedUpdates(
	ctx context.Context, s StreamQueries, projectID int64, cost projectQuery, args []driver.NamedValue,
) (map[string]bool, error) {
	if args == nil {
		return nil, nil
	}
	rows, err := selectOf[reportsRow](ctx, s.database, projectID, "the reports of releases", cost, args...)
	reports := map[string]uint64{}
	for _, r := range rows {
		reports[r.UpdateUUID] = r.Reports
	}
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

// countDevices sends an exact query and a query for estimates at the same time, and returns the rows of both.
func countDevices[R any](
	ctx context.Context, db *database, projectID int64, what string, exact, estimates counting,
) ([]R, error) {
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
	err := g.Wait()
	return append(rows[0], rows[1]...), err
}

func addServed(health models.ServedHealth, rows []servedRow) {
	for _, r := range rows {
		h, counts := health[r.stream()], deviceCounts(r.Devices, r.Errored, r.Crashed)
		if r.Together == 1 {
			h.DeviceCounts = counts
		} else {
			if h.Updates == nil {
				h.Updates = map[string]models.DeviceCounts{}
			}
			h.Updates[r.UpdateUUID] = counts
		}
		health[r.stream()] = h
	}
}
