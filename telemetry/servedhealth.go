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
	all := servedTargets{of: served, others: others, all: served, from: overviewFrom(now)}
	estimated, err := s.estimatedUpdates(ctx, projectID, all.updates(), now)
	if err != nil {
		return nil, err
	}
	exact, rest := all, all
	exact.of, exact.others = withoutUpdates(served, estimated), others && !estimated[""]
	rest.of, rest.others = withoutStreams(served, exact.of), others && !exact.others
	counted, sketched, err := countDevices[servedRow](ctx, s.database, projectID, "the devices of served releases",
		exact.counting(servedReports), rest.counting(servedCounts))
	if err != nil {
		return nil, err
	}
	health := models.ServedHealth{}
	exact.add(health, counted)
	rest.add(health, sketched)
	return health, nil
}

// servedQuery is a query for the devices of targets. ClickHouse plans alone in half the time in which it plans several.
type servedQuery struct {
	alone   projectQuery // for targets with one update each; also returns the devices of these updates in other targets
	several projectQuery // also counts the devices on any of a target's updates
}

// Queries for the devices of targets.
var (
	servedCounts  = mustServedQuery("served_counts")
	servedReports = mustServedQuery("served_reports")
)

// mustServedQuery returns both forms of a query. Like mustProjectQuery, it panics at start if the text is incorrect.
func mustServedQuery(name string) servedQuery {
	const target, update = "(channel, platform, runtime_version)", "(channel, platform, runtime_version, update_uuid)"
	text := string(mustProjectQuery(name))
	return servedQuery{
		alone: projectQuery(strings.NewReplacer(
			"{served}", "update_uuid IN {updates:Array(String)}", "{served_groups}", update).Replace(text)),
		several: projectQuery(strings.NewReplacer(
			"{served}", strings.ReplaceAll(queryFile("part_served"), "{stream_code}", queryFile("part_stream_code")), "{served_groups}", update+", "+target).Replace(text)),
	}
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
func (t servedTargets) counting(q servedQuery) counting {
	updates := t.updates()
	if len(updates) == 0 {
		return counting{}
	}
	args := []driver.NamedValue{second("from", t.from), clickhouse.Named("most", uint32(maxStreamUpdates))}
	if slices.ContainsFunc(t.of, func(s models.ServedStream) bool { return len(s.Served) > 1 }) {
		return counting{q.several, append(args, t.codes()...)}
	}
	return counting{q.alone, append(args, clickhouse.Named("updates", updates))}
}

// codes returns the arguments of a query for targets with several updates.
func (t servedTargets) codes() []driver.NamedValue {
	codes, of := newServedCodes(), []uint64{}
	for _, stream := range t.of {
		for _, u := range stream.Served {
			of = append(of, codes.stream(stream.Stream)+codes.updates.code(u.UpdateUUID))
		}
	}
	streams := make([]uint64, len(t.all))
	for i, stream := range t.all {
		streams[i] = codes.stream(stream.Stream)
	}
	return append(codes.args(), clickhouse.Named("served_codes", of), clickhouse.Named("others", t.others),
		clickhouse.Named("stream_codes", streams))
}

// add adds the targets' rows to health.
func (t servedTargets) add(health models.ServedHealth, rows []servedRow) {
	known, served := map[models.Stream]bool{}, map[models.Stream][]models.ServedUpdate{}
	for _, stream := range t.all {
		known[stream.Stream] = true
	}
	for _, stream := range t.of {
		served[stream.Stream] = stream.Served
	}
	for _, r := range rows {
		h, updates, counts := health[r.stream()], served[r.stream()], deviceCounts(r.Devices, r.Errored, r.Crashed)
		isServed := slices.ContainsFunc(updates, func(u models.ServedUpdate) bool { return u.UpdateUUID == r.UpdateUUID })
		isOther := t.others && !known[r.stream()] && r.UpdateUUID == ""
		if !isServed && !isOther && r.Together == 0 {
			continue
		}
		if r.Together == 1 || len(updates) < 2 {
			h.DeviceCounts = counts
		}
		if r.Together == 0 {
			if h.Updates == nil {
				h.Updates = map[string]models.DeviceCounts{}
			}
			h.Updates[r.UpdateUUID] = counts
		}
		health[r.stream()] = h
	}
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
