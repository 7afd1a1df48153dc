package telemetry

import (
	"context"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

const (
	// exactErrors is the maximum number of errors and crashes that a query about groups may read to count devices
	// exactly.
	exactErrors = 1_500_000
	// maxErrorGroups and maxSightings limit the rows that are read about a project's groups. Reports of invented
	// errors could create many.
	maxErrorGroups = 10_000
	maxSightings   = 200_000
	maxShares      = 500
	maxSamples     = 10
	maxRun         = 20_000
)

// Dimensions of error groups: without (dimNone) or with (dimAll) update, channel and platform.
const (
	dimNone uint8 = 0
	dimAll  uint8 = 7
)

// ErrorQueries are the queries about errors and crashes: their groups, and their rates for each release within an
// hour.
type ErrorQueries struct{ *database }

// ErrorGroups returns the groups that occurred in the query's window, most frequent first, at most 10,000. It returns
// a models.Unavailable error while ClickHouse is unavailable.
func (e ErrorQueries) ErrorGroups(ctx context.Context, projectID int64, q models.GroupQuery, now time.Time) ([]models.GroupFigures, error) {
	w := windowOf(q, now)
	type row struct {
		Fingerprint uint64 `ch:"fingerprint"`
		Events      uint64 `ch:"events"`
		Occurrences uint64 `ch:"occurrences"`
		Devices     uint64 `ch:"devices"`
	}
	rows, err := selectOf[row](ctx, e.database, projectID, "error groups", sqlGroups, append(w.rolledUp(q), most(maxErrorGroups))...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	groups := make([]models.GroupFigures, len(rows))
	at := make(map[uint64]int, len(rows))
	for i, r := range rows {
		groups[i] = models.GroupFigures{Fingerprint: models.Fingerprint(r.Fingerprint), Events: int64(r.Events), Devices: int64(r.Devices)}
		at[r.Fingerprint] = i
	}
	countable, err := e.countable(ctx, projectID, w, now)
	if err != nil {
		return nil, err
	}
	if countable {
		exact, err := selectOf[struct {
			Fingerprint uint64 `ch:"fingerprint"`
			Occurrences uint64 `ch:"occurrences"`
			Devices     uint64 `ch:"devices"`
		}](ctx, e.database, projectID, "devices of error groups", sqlGroupsExact, w.events(q)...)
		if err != nil {
			return nil, err
		}
		for _, r := range exact {
			// The events of erased devices are deleted, but sketches still count them.
			if i, ok := at[r.Fingerprint]; ok && r.Occurrences == rows[i].Occurrences {
				groups[i].Devices = int64(r.Devices)
			}
		}
	}
	return groups, e.addLifetimes(ctx, projectID, w, q, groups, at)
}

// addLifetimes adds the first and last sightings to the groups. at is the index of each group by fingerprint.
func (e ErrorQueries) addLifetimes(
	ctx context.Context, projectID int64, w groupWindow, q models.GroupQuery, groups []models.GroupFigures, at map[uint64]int,
) error {
	seen, err := selectOf[struct {
		Fingerprint uint64    `ch:"fingerprint"`
		UpdateUUID  string    `ch:"update_uuid"`
		Platform    string    `ch:"platform"`
		Type        string    `ch:"type"`
		ErrorName   string    `ch:"error_name"`
		Culprit     string    `ch:"culprit"`
		Title       string    `ch:"title"`
		FirstAt     time.Time `ch:"first_at"`
		LastAt      time.Time `ch:"last_at"`
		Selected    uint8     `ch:"selected"`
	}](ctx, e.database, projectID, "the sightings of error groups", sqlGroupLifetimes, append(w.rolledUp(q), most(maxSightings))...)
	if err != nil {
		return err
	}
	for _, s := range seen {
		i, ok := at[s.Fingerprint]
		if !ok {
			continue
		}
		g := &groups[i]
		if len(g.Seen) == 0 { // the earliest sighting comes first
			g.Type, g.ErrorName, g.Title, g.Culprit = models.HealthEventType(s.Type), s.ErrorName, s.Title, s.Culprit
			g.FirstAt = s.FirstAt.UTC()
		}
		if last := s.LastAt.UTC(); last.After(g.LastAt) {
			g.LastAt = last
		}
		g.Seen = append(g.Seen, models.GroupSighting{
			UpdateUUID: s.UpdateUUID, Platform: models.Platform(s.Platform), FirstAt: s.FirstAt.UTC(), LastAt: s.LastAt.UTC(),
			Selected: s.Selected == 1,
		})
	}
	return nil
}

// ErrorGroupTrends returns the number of events of each group per hour, for the models.GroupTrendHours hours that end
// with the query's window.
func (e ErrorQueries) ErrorGroupTrends(
	ctx context.Context, projectID int64, q models.GroupQuery, groups []models.Fingerprint,
) (map[models.Fingerprint][]int64, error) {
	to := hourAfter(q.To)
	from := to.Add(-models.GroupTrendHours * time.Hour)
	trends := make(map[models.Fingerprint][]int64, len(groups))
	fingerprints := make([]uint64, len(groups))
	for i, f := range groups {
		fingerprints[i] = uint64(f)
		trends[f] = make([]int64, models.GroupTrendHours)
	}
	args := append(filters(q), clickhouse.Named("dims", groupDims(q)), clickhouse.Named("fingerprints", fingerprints), second("from", from), second("to", to))
	rows, err := selectOf[struct {
		Fingerprint uint64    `ch:"fingerprint"`
		At          time.Time `ch:"at"`
		Events      uint64    `ch:"events"`
	}](ctx, e.database, projectID, "trends of error groups", sqlGroupTrends, args...)
	for _, r := range rows {
		trends[models.Fingerprint(r.Fingerprint)][int(r.At.Sub(from)/time.Hour)] = int64(r.Events)
	}
	return trends, err
}

// ErrorGroupDetail returns the further details that the page of a group shows.
func (e ErrorQueries) ErrorGroupDetail(
	ctx context.Context, projectID int64, q models.GroupQuery, now time.Time,
) (d models.GroupDetail, err error) {
	w := windowOf(q, now)
	shares, err := selectOf[shareRow](ctx, e.database, projectID, "an error group", sqlGroupShares,
		append(w.rolledUpBy(q, dimAll), most(maxShares))...)
	if err != nil {
		return d, err
	}
	flags, err := selectOf[shareRow](ctx, e.database, projectID, "flags of an error group", sqlGroupFlags,
		clickhouse.Named("fingerprint", uint64(q.Fingerprint)), second("from", w.from), second("to", w.to), most(maxShares))
	if err != nil {
		return d, err
	}
	countable, err := e.countable(ctx, projectID, w, now)
	if err != nil {
		return d, err
	}
	if countable {
		exact, err := selectOf[shareRow](ctx, e.database, projectID, "an error group", sqlGroupSharesExact,
			append(w.events(q), most(2*maxShares))...)
		if err != nil {
			return d, err
		}
		if occurrences(exact) == occurrences(shares) { // otherwise events of erased devices are deleted
			shares, flags = exact, nil
		}
	}
	for _, r := range append(shares, flags...) {
		s := models.GroupShare{Name: r.Name, Value: r.Value, Events: int64(r.Events), Devices: int64(r.Devices)}
		switch r.Kind {
		case "update":
			d.ByUpdate = append(d.ByUpdate, s)
		case "platform":
			d.ByPlatform = append(d.ByPlatform, s)
		default:
			d.ByFlag = append(d.ByFlag, s)
		}
	}
	samples, err := selectOf[eventRow](ctx, e.database, projectID, "samples of an error group", sqlGroupSamples,
		clickhouse.Named("fingerprint", uint64(q.Fingerprint)), most(maxSamples))
	for _, s := range samples {
		d.Samples = append(d.Samples, s.event())
	}
	return d, err
}

// shareRow counts the events of a group that have a property in common.
type shareRow struct {
	Kind        string `ch:"kind"`
	Name        string `ch:"name"`
	Value       string `ch:"value"`
	Events      uint64 `ch:"events"`
	Occurrences uint64 `ch:"occurrences"`
	Devices     uint64 `ch:"devices"`
}

// occurrences returns the number of events behind the rows. Every event has exactly one platform.
func occurrences(rows []shareRow) (n uint64) {
	for _, r := range rows {
		if r.Kind == "platform" {
			n += r.Occurrences
		}
	}
	return n
}

// RunUpdates returns the update IDs that devices of the project reported, at most 20,000.
func (e ErrorQueries) RunUpdates(ctx context.Context, projectID int64) ([]string, error) {
	rows, err := selectOf[struct {
		UpdateUUID string `ch:"update_uuid"`
	}](ctx, e.database, projectID, "updates that devices reported", sqlRunUpdates, most(maxRun))
	updates := make([]string, len(rows))
	for i, r := range rows {
		updates[i] = r.UpdateUUID
	}
	return updates, err
}

// groupWindow is a window of full hours, or full days where hours are no longer kept. It consists of the days from
// daysFrom to daysTo and the hours before and after these days.
type groupWindow struct {
	from, to         time.Time
	daysFrom, daysTo time.Time
}

func windowOf(q models.GroupQuery, now time.Time) groupWindow {
	w := groupWindow{from: q.From.UTC().Truncate(time.Hour), to: hourAfter(q.To)}
	hours := now.UTC().Add(-models.GroupHours)
	if w.from.Before(hours) {
		w.from = startOfDay(w.from, 0)
	}
	if w.to.Before(hours) {
		w.to = dayAfter(w.to)
	}
	w.daysFrom, w.daysTo = dayAfter(w.from), startOfDay(w.to, 0)
	if w.daysTo.Before(w.daysFrom) { // the window is within a day
		w.daysFrom, w.daysTo = w.to, w.to
	}
	return w
}

// hourAfter rounds up to a full hour. dayAfter rounds up to a full day.
func hourAfter(t time.Time) time.Time {
	return t.UTC().Add(time.Hour - time.Nanosecond).Truncate(time.Hour)
}

func dayAfter(t time.Time) time.Time { return startOfDay(t.Add(24*time.Hour-time.Nanosecond), 0) }

// rolledUp returns the parameters of part_group_window.sql, with the dimensions that the query needs.
func (w groupWindow) rolledUp(q models.GroupQuery) []driver.NamedValue {
	return w.rolledUpBy(q, groupDims(q))
}

func (w groupWindow) rolledUpBy(q models.GroupQuery, dims uint8) []driver.NamedValue {
	return append(filters(q), clickhouse.Named("dims", dims), clickhouse.Named("fingerprint", uint64(q.Fingerprint)),
		second("from", w.from), second("head_to", w.daysFrom), second("days_from", w.daysFrom), second("days_to", w.daysTo),
		second("tail_from", w.daysTo), second("to", w.to))
}

// events returns the parameters of part_group_events.sql.
func (w groupWindow) events(q models.GroupQuery) []driver.NamedValue {
	return append(filters(q), clickhouse.Named("fingerprint", uint64(q.Fingerprint)), milli("from", w.from), milli("to", w.to))
}

// groupDims returns the dimensions that the query's filters need.
func groupDims(q models.GroupQuery) uint8 {
	if q.Channel != "" || q.Platform != "" || q.UpdateUUID != "" {
		return dimAll
	}
	return dimNone
}

func filters(q models.GroupQuery) []driver.NamedValue {
	return []driver.NamedValue{
		clickhouse.Named("channel", q.Channel), clickhouse.Named("platform", string(q.Platform)),
		clickhouse.Named("update_uuid", strings.ToLower(q.UpdateUUID)),
	}
}

func most(n int) driver.NamedValue { return clickhouse.Named("most", uint32(n)) }

// countable reports whether the devices in the window can be counted from events: the events must still be stored and
// be few.
func (e ErrorQueries) countable(ctx context.Context, projectID int64, w groupWindow, now time.Time) (bool, error) {
	// Events are kept until their day is 30 days old. If some are deleted, the roll-ups count more than the events.
	if w.from.Before(startOfDay(now.Add(-models.GroupHours), 0)) {
		return false, nil
	}
	rows, err := selectOf[struct {
		Cost uint64 `ch:"cost"`
	}](ctx, e.database, projectID, "the number of errors", sqlGroupsCost, second("from", w.from), second("to", w.to))
	return err == nil && rows[0].Cost <= e.exactErrors, err
}
