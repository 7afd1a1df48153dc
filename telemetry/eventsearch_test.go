package telemetry

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// A search must match the string literally, in each of three columns.
func TestATextIsSearchedAsItIs(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	r := testReport("d", models.EventCrash, models.EventCustom, models.EventJSError)
	r.Events[0].Message, r.Events[0].ErrorName = `100% of a_b\c'd`, "RangeError"
	r.Events[1].Name = "Ünïcode-日本"
	r.Events[2].Message, r.Events[2].ErrorName = "gone", ""
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{r}))
	for text, want := range map[string]int{
		"100%": 1, "% OF": 1, "a_b": 1, `b\c`: 1, `\`: 1, "c'd": 1, "rangeerror": 1, "ünÏCODE": 1, "日本": 1, "": 3,
		"1%f": 0, "a.b": 0, "axb": 0, `b\\c`: 0, "%%": 0, "_": 1, "__": 0, "dRange": 0, "gonex": 0,
	} {
		events, err := c.Events(t.Context(), r.ProjectID, models.EventQuery{
			Types: []models.HealthEventType{models.EventCrash, models.EventCustom, models.EventJSError}, Search: text, Limit: 10,
		}, r.ReceivedAt.Add(time.Second))
		require.NoError(t, err)
		require.Len(t, events, want, text)
		n, err := c.CountEvents(t.Context(), r.ProjectID, models.EventQuery{
			Types: []models.HealthEventType{models.EventCrash, models.EventCustom, models.EventJSError}, Search: text,
		}, r.ReceivedAt.Add(time.Second))
		require.NoError(t, err)
		require.EqualValues(t, want, *n, text)
	}
}

// Pages that span several time windows must contain every event once, including events at the exact boundary of two
// windows. With -short, pages have two lengths.
func TestPagesReachOverDays(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	first := now.Add(time.Hour) // the start of the first page
	var reports []models.HealthReport
	for i, back := range []time.Duration{
		2 * time.Hour, 23 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24*time.Hour + time.Millisecond, 3 * 24 * time.Hour,
		7*24*time.Hour - time.Millisecond, 7 * 24 * time.Hour, 7 * 24 * time.Hour, 8 * 24 * time.Hour, 20 * 24 * time.Hour,
	} {
		r := testReport(fmt.Sprintf("d-%d", i), models.EventCrash, models.EventCustom)
		r.ReceivedAt = first.Add(-back)
		reports = append(reports, r)
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	types := []models.HealthEventType{models.EventCrash, models.EventCustom}
	all, err := c.Events(t.Context(), reports[0].ProjectID, models.EventQuery{Types: types, Limit: 100}, now)
	require.NoError(t, err)
	require.Len(t, all, 2*len(reports))
	for i := 1; i < len(all); i++ {
		require.False(t, all[i].ReceivedAt.After(all[i-1].ReceivedAt))
	}
	oldest, err := c.Events(t.Context(), reports[0].ProjectID, models.EventQuery{Types: types, OldestFirst: true, Limit: 100}, now)
	require.NoError(t, err)
	slices.Reverse(oldest)
	require.Equal(t, all, oldest)
	slices.Reverse(oldest)
	for limit := enginetest.Sized(1, 4); limit < len(all); limit += enginetest.Sized(3, 9) {
		var up []models.TelemetryEvent
		for q := (models.EventQuery{Types: types, OldestFirst: true, Limit: limit}); len(up) < len(all); {
			page, err := c.Events(t.Context(), reports[0].ProjectID, q, now)
			require.NoError(t, err)
			require.NotEmpty(t, page)
			up = append(up, page...)
			q.After = new(page[len(page)-1].Cursor())
		}
		require.Equal(t, oldest, up)
		var paged, skipped []models.TelemetryEvent
		q := models.EventQuery{Types: types, Limit: limit}
		for len(paged) < len(all) {
			page, err := c.Events(t.Context(), reports[0].ProjectID, q, now)
			require.NoError(t, err)
			require.NotEmpty(t, page)
			paged = append(paged, page...)
			after := page[len(page)-1].Cursor()
			q.After = &after
		}
		require.Equal(t, all, paged)
		for len(skipped) < len(all) {
			page, err := c.Events(t.Context(), reports[0].ProjectID, models.EventQuery{Types: types, Limit: limit, Skip: len(skipped)}, now)
			require.NoError(t, err)
			require.NotEmpty(t, page)
			skipped = append(skipped, page...)
		}
		require.Equal(t, all, skipped)
	}
}

// If one window does not fill a page, the next window is as long as the page probably needs, not all days.
func TestWindowsReachAsFarAsAPageShould(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, of := range []struct {
		window        time.Duration
		found, wanted int
		next          time.Duration
	}{
		{window: day, found: 0, wanted: 51, next: wholeWindow},
		{window: day, found: 50, wanted: 51, next: 2 * day},
		{window: day, found: 4, wanted: 20, next: 25 * day / 4},
		{window: day, found: 1, wanted: 501, next: wholeWindow},
		{window: 10 * day, found: 10, wanted: 40, next: 50 * day},
		{window: 40 * day, found: 50, wanted: 51, next: 80 * day},
	} {
		require.Equal(t, of.next, nextWindow(of.window, of.found, of.wanted), "%+v", of)
	}
}

// Days without events are skipped quickly, and a few events in many days are all found.
func TestAPageOfRareEvents(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	var reports []models.HealthReport
	for days := range 28 {
		r := testReport("d", models.EventCrash, models.EventCustom)
		r.ReceivedAt = now.AddDate(0, 0, -days)
		if r.Events[0].Message = "often"; days%9 == 8 {
			r.Events[0].Message = "seldom"
		}
		reports = append(reports, r)
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	for _, of := range []struct {
		text       string
		limit      int
		skip, want int
	}{
		{"seldom", 2, 0, 2}, {"seldom", 50, 0, 3}, {"seldom", 2, 2, 1}, {"often", 10, 0, 10}, {"often", 50, 0, 25}, {"often", 10, 20, 5},
	} {
		for _, types := range [][]models.HealthEventType{
			{models.EventCrash}, {models.EventAppLaunch, models.EventCustom, models.EventCrash, models.EventJSError},
		} {
			events, err := c.Events(t.Context(), reports[0].ProjectID, models.EventQuery{Types: types, Search: of.text, Limit: of.limit, Skip: of.skip}, now)
			require.NoError(t, err)
			require.Len(t, events, of.want, "%+v", of)
			for i, e := range events {
				require.Equal(t, of.text, e.Message)
				require.True(t, i == 0 || e.ReceivedAt.Before(events[i-1].ReceivedAt))
			}
		}
	}
	none, err := c.Events(t.Context(), reports[0].ProjectID, models.EventQuery{Types: []models.HealthEventType{models.EventJSError}, Limit: 50}, now)
	require.NoError(t, err)
	require.Empty(t, none)
}
