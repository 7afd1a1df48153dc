package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// insertReportsBefore31 is InsertReports as it was until version 31 of the schema.
func (c *ClickHouse) insertReportsBefore31(ctx context.Context, token string, reports []models.HealthReport) error {
	ctx = onceUnder(ctx, token)
	earlier := strings.Replace(sqlInsertHealthEvents, "health_events_v2", "health_events_v1", 1)
	if err := c.insertRows(ctx, earlier, reports, &eventRows{takes: models.HealthEventType.Known}); err != nil {
		return err
	}
	return c.insertRows(ctx, sqlInsertHealthReports, reports, &healthRows{})
}

// What was reported before health_events_v2 is in it once, whenever it came in: before
// the upgrade, while it ran, or after, and although a crash has parts of it repeated.
// The same goes for what flags' figures derive from events.
func TestEarlierEventsAreTakenOver(t *testing.T) {
	t.Parallel()
	url := migratedURLTo(t, 30)
	c := openTestClickHouse(t, url)
	w := newWorld(rand.New(rand.NewPCG(9, 10)), 1500, 100, 60, truthNow()) // no more than sketches hold exactly
	third := len(w.reports) / 3
	world{now: w.now, reports: w.reports[:third], serves: w.serves}.storeBy(t, c, c.insertReportsBefore31)
	during := w.reports[third : 2*third]
	for i := range during {
		during[i].ProjectID = truthProject
	}
	for _, version := range []int64{31, 32, 32} {
		forget(t, c, version)
		migrateTo(t, url, version)
		require.ErrorContains(t, c.insertReportsBefore31(t.Context(), "during", during), "moved_to_health_events_v2",
			"reports wait while version %d is the last", version)
	}
	migrateTo(t, url, 33)
	forget(t, c, 33)
	require.NoError(t, Migrate(t.Context(), url))
	for range 2 { // as the ingest log tries it until it has succeeded
		require.NoError(t, c.InsertReportsAs(t.Context(), eventsInV1, "during", during))
	}
	require.NoError(t, c.InsertReports(t.Context(), "after", w.reports[2*third:]))

	want, states := map[string]int{}, 0
	for _, r := range w.reports {
		for i, e := range r.Events {
			states += len(e.FlagStates)
			if r.ReceivedAt.After(w.now.Add(-eventsKept)) {
				want[fmt.Sprintf("%s-%d %s %s", r.ID, i, e.Type, e.Message)]++
			}
		}
	}
	requireEvents(t, c, w.now.Add(-eventsKept), want)
	c.exactRows = 0
	for _, days := range []int{7, 30} {
		impacts, err := c.FlagImpacts(t.Context(), truthProject, models.FlagImpactQuery{Days: days}, w.now)
		require.NoError(t, err)
		want := w.impacts(models.FlagImpactQuery{Days: days})
		require.Len(t, impacts, len(want))
		for _, f := range impacts {
			require.Equal(t, want[impactKey{f.FlagKey, f.Variation, f.UpdateUUID, f.Channel, f.RuntimeVersion}].Fare, f.Fare, "%d days, %+v", days, f)
		}
	}
	require.Equal(t, states, count(t, c, fmt.Sprintf(
		"SELECT sum(states) FROM flag_activity_v1 WHERE grain = 'day' AND project_id = %d", truthProject)))
}

// A copy that lost its client ends before the next one begins, or rows would come twice.
func TestAnEarlierCopyOfEventsIsEnded(t *testing.T) {
	t.Parallel()
	url := migratedURLTo(t, 31)
	c := openTestClickHouse(t, url)
	earlier := make(chan error, 1)
	go func() {
		earlier <- c.conn.Exec(context.WithoutCancel(t.Context()), `INSERT INTO health_events_v2 (project_id, received_at)
			SELECT number, now64(3) FROM numbers(10000) WHERE sleepEachRow(0.1) = 0
			SETTINGS max_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 0, function_sleep_max_microseconds_per_block = 0`)
	}()
	for count(t, c, "SELECT count() FROM health_events_v2") == 0 {
		require.Empty(t, earlier)
	}
	migrateTo(t, url, 32)
	require.ErrorContains(t, <-earlier, "cancelled")
	require.Equal(t, 0, count(t, c, "SELECT count() FROM health_events_v2"))
}

// requireEvents holds the project's stored events since a moment against what they should
// be.
func requireEvents(t *testing.T, c *ClickHouse, since time.Time, want map[string]int) {
	t.Helper()
	var rows []struct {
		Event string `ch:"event"`
		Times uint64 `ch:"times"`
	}
	require.NoError(t, c.conn.Select(t.Context(), &rows, `
		SELECT concat(event_id, ' ', type, ' ', message) AS event, count() AS times
		FROM health_events_v2
		WHERE project_id = ? AND received_at > ?
		GROUP BY event`, truthProject, since))
	got := map[string]int{}
	for _, r := range rows {
		got[r.Event] = int(r.Times)
	}
	require.Equal(t, want, got)
}

// A range that an older version stored, or some of it, before it was killed comes again
// after the upgrade, under a token that the new table has never seen.
func TestARangeOfAnOlderVersionIsStoredOnce(t *testing.T) {
	t.Parallel()
	const reports = 40
	for stored := range 3 {
		t.Run(fmt.Sprintf("%d of 2 days were stored", stored), func(t *testing.T) {
			t.Parallel()
			url := migratedURLTo(t, 30)
			c := openTestClickHouse(t, url)
			var all []models.HealthReport
			want := map[string]int{}
			for i := range reports {
				r := testReport(fmt.Sprintf("d-%d", i), models.EventCrash, models.EventCustom, models.EventAppLaunch)
				r.ID, r.ProjectID = uuid.NewString(), truthProject
				r.ReceivedAt = time.Now().UTC().Truncate(time.Millisecond).AddDate(0, 0, -i*2/reports)
				all = append(all, r)
				for n, e := range r.Events {
					want[fmt.Sprintf("%s-%d %s %s", r.ID, n, e.Type, e.Message)] = 1
				}
			}
			if some := all[:stored*reports/2]; len(some) > 0 {
				require.NoError(t, c.insertReportsBefore31(t.Context(), "range", some))
			}
			require.NoError(t, Migrate(t.Context(), url))
			for range 2 {
				require.NoError(t, c.InsertReportsAs(t.Context(), eventsInV1, "range", all))
			}
			requireEvents(t, c, time.Unix(0, 0), want)
		})
	}
}

// A log that an older version left with a range in flight has that range inserted as it
// was begun, and no other.
func TestARangeOfAnOlderVersionIsInsertedAsItWasBegun(t *testing.T) {
	t.Parallel()
	for _, form := range []EventsForm{eventsInV1, eventsTogether} {
		t.Run(string(form), func(t *testing.T) {
			t.Parallel()
			sink := newMemorySink()
			o := testOptions(t, sink)
			i := openTestIngest(t, o)
			ids := appendReports(t, i, 10)
			require.NoError(t, i.Close())
			path := filepath.Join(o.Dir, "cursor.json")
			saved, _, err := loadCursor(path)
			require.NoError(t, err)
			saved.To = saved.Done + 5
			text := map[string]any{"node": saved.Node, "done": saved.Done, "to": saved.To}
			if form != eventsInV1 {
				text["events"] = form
			}
			written, err := json.Marshal(text)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, written, 0o600))

			drain(t, o.Dir, sink)
			requireOnce(t, sink, ids)
			require.Equal(t, []string{string(form) + ": " + saved.token()}, slices.Compact(sink.older))
			require.Len(t, slices.Compact(sink.allTokens()), 2)
		})
	}
}

// insertReportsTogether is InsertReports as it was while all events had one insert.
func (c *ClickHouse) insertReportsTogether(ctx context.Context, token string, reports []models.HealthReport) error {
	ctx = onceUnder(ctx, token)
	if err := c.insertRows(ctx, sqlInsertHealthEvents, reports, &eventRows{takes: models.HealthEventType.Known}); err != nil {
		return err
	}
	return c.insertRows(ctx, sqlInsertHealthReports, reports, &healthRows{})
}

// A range that an older version stored in one insert, or the events of it and nothing
// that views derive from them, is stored once all the same.
func TestARangeThatWasBegunTogetherIsStoredOnce(t *testing.T) {
	t.Parallel()
	var all []models.HealthReport
	for n := range 20 {
		r := testReport(fmt.Sprintf("d-%d", n), models.EventCrash, models.EventCustom, models.EventAppLaunch)
		for i := range r.Events {
			r.Events[i].FlagStates = models.TextsOf(map[string]string{"checkout": "on"})
		}
		all = append(all, r)
	}
	views := []string{"flag_activity_mv_v2", "activity_mv_v2"}
	for name, before := range map[string]func(t *testing.T, c *ClickHouse){
		"nothing was stored": func(*testing.T, *ClickHouse) {},
		"all was stored": func(t *testing.T, c *ClickHouse) {
			t.Helper()
			require.NoError(t, c.insertReportsTogether(t.Context(), "range", all))
		},
		"half of it was stored": func(t *testing.T, c *ClickHouse) {
			t.Helper()
			for _, view := range views {
				require.NoError(t, c.conn.Exec(t.Context(), "DETACH TABLE "+view))
			}
			require.NoError(t, c.insertReportsTogether(t.Context(), "range", all))
			for _, view := range views {
				require.NoError(t, c.conn.Exec(t.Context(), "ATTACH TABLE "+view))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := migrated(t)
			before(t, c)
			for range 2 {
				require.NoError(t, c.InsertReportsAs(t.Context(), eventsTogether, "range", all))
			}
			require.Equal(t, 60, count(t, c, "SELECT count() FROM health_events_v2"))
			require.Equal(t, 60, count(t, c, "SELECT sum(states) FROM flag_activity_v1 WHERE grain = 'day'"))
			require.Equal(t, 20, count(t, c, "SELECT count() FROM health_reports_v1"))
			require.Equal(t, 20, count(t, c, "SELECT sum(reports) FROM activity_v2 WHERE grain = 'day' AND dims = 0"))
		})
	}
}
