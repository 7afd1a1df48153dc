package telemetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// groupWorld contains invented errors of many kinds, and the expected results.
type groupWorld struct {
	now     time.Time
	reports []models.HealthReport
}

const (
	inventedKinds   = 500
	inventedErrors  = 100_000
	inventedDevices = 20_000
	// inventedHours is the number of past hours in which the errors were received.
	inventedHours = 60
)

var inventedUpdates = []string{"", testUpdate, "1c2e8a3d-0000-4000-8000-000000000001", "1c2e8a3d-0000-4000-8000-000000000002"}

// inventErrors creates reports of two errors each. Small kinds have few devices and large kinds many. Some kinds are
// on few updates.
func inventErrors(errors int) groupWorld {
	rng := rand.New(rand.NewPCG(20, 1))
	w := groupWorld{now: time.Now().UTC().Truncate(time.Hour).Add(30 * time.Minute)}
	for len(w.reports) < errors/2 {
		device := rng.IntN(inventedDevices)
		r := testReport(fmt.Sprint("device-", device))
		r.Platform = []models.Platform{models.IOS, models.Android}[device%2]
		r.Channel = []string{"production", "staging"}[device%7/6]
		r.ReceivedAt = w.now.Add(-time.Duration(rng.Int64N(int64(inventedHours * time.Hour)))).Truncate(time.Millisecond)
		for range 2 {
			kind := min(rng.IntN(inventedKinds), rng.IntN(inventedKinds))
			r.UpdateUUID = inventedUpdates[min(kind%5, rng.IntN(len(inventedUpdates)))]
			r.Events = append(r.Events, inventedError(rng, kind))
		}
		w.reports = append(w.reports, r)
	}
	return w
}

func inventedError(rng *rand.Rand, kind int) models.HealthEvent {
	e := models.HealthEvent{
		Type: models.EventJSError, ErrorName: fmt.Sprint("Error of kind ", kind), Count: 1 + rng.Int64N(3),
		Message: fmt.Sprintf("kind %d at %d", kind, rng.IntN(1000)),
		Group: models.EventGroup{
			Fingerprint: models.Fingerprint(1 + kind), Culprit: fmt.Sprint("f", kind), Title: "kind # at #",
		},
	}
	if kind%10 == 0 {
		e.Type = models.EventCrash
	}
	if kind%3 == 0 {
		e.FlagStates = models.TextsOf(map[string]string{"cart": []string{"on", "off"}[rng.IntN(2)], "theme": "dark"})
	}
	return e
}

// insert inserts the reports in ranges. It inserts some ranges twice, as retries do.
func (w groupWorld) insert(t *testing.T, c *ClickHouse) {
	t.Helper()
	for n, reports := range slices.Collect(slices.Chunk(w.reports, 5000)) {
		for range 1 + n%2 {
			require.NoError(t, insertAll(t, c, fmt.Sprint("range ", n), reports))
		}
	}
}

// truth computes the expected result of the query, by fingerprint.
func (w groupWorld) truth(q models.GroupQuery) map[models.Fingerprint]models.GroupFigures {
	from, to := q.From.Truncate(time.Hour), hourAfter(q.To)
	devices := map[string]bool{}
	groups, first := map[models.Fingerprint]models.GroupFigures{}, map[models.Fingerprint]models.GroupFigures{}
	for _, r := range w.reports {
		for _, e := range r.Events {
			life := first[e.Group.Fingerprint]
			if life.FirstAt.IsZero() || r.ReceivedAt.Before(life.FirstAt) {
				life.FirstAt = r.ReceivedAt
			}
			if r.ReceivedAt.After(life.LastAt) {
				life.LastAt = r.ReceivedAt
			}
			first[e.Group.Fingerprint] = life
			if r.ReceivedAt.Before(from) || !r.ReceivedAt.Before(to) || q.Channel != "" && r.Channel != q.Channel ||
				q.Platform != "" && r.Platform != q.Platform || q.UpdateUUID != "" && r.UpdateUUID != q.UpdateUUID {
				continue
			}
			g := groups[e.Group.Fingerprint]
			g.Fingerprint, g.Type, g.ErrorName, g.Title, g.Culprit = e.Group.Fingerprint, e.Type, e.ErrorName, e.Group.Title, e.Group.Culprit
			g.Events += e.Count
			if key := fmt.Sprint(g.Fingerprint, " ", r.DeviceID); !devices[key] {
				devices[key] = true
				g.Devices++
			}
			groups[e.Group.Fingerprint] = g
		}
	}
	for f, g := range groups {
		g.FirstAt, g.LastAt = first[f].FirstAt, first[f].LastAt
		groups[f] = g
	}
	return groups
}

// Groups, their events and their devices must be exact with all filters, even though ranges are inserted twice.
func TestErrorGroupsAreExact(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventErrors(enginetest.Sized(inventedErrors, inventedErrors/4))
	w.insert(t, c)
	whole := models.GroupQuery{From: w.now.Add(-inventedHours * time.Hour), To: w.now}
	for name, change := range map[string]func(*models.GroupQuery){
		"everything":         func(*models.GroupQuery) {},
		"the last 30 days":   func(q *models.GroupQuery) { q.From = w.now.Add(-models.GroupHours) },
		"a day":              func(q *models.GroupQuery) { q.From = w.now.Add(-24 * time.Hour) },
		"hours within a day": func(q *models.GroupQuery) { q.From, q.To = w.now.Add(-5*time.Hour), w.now.Add(-3*time.Hour) },
		"a channel":          func(q *models.GroupQuery) { q.Channel = "staging" },
		"a platform":         func(q *models.GroupQuery) { q.Platform = models.Android },
		"an update":          func(q *models.GroupQuery) { q.UpdateUUID = testUpdate },
		"a group":            func(q *models.GroupQuery) { q.Fingerprint = 7 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := whole
			change(&q)
			found, err := c.ErrorGroups(t.Context(), 7, q, w.now)
			require.NoError(t, err)
			want := w.truth(q)
			if q.Fingerprint != 0 {
				want = map[models.Fingerprint]models.GroupFigures{q.Fingerprint: want[q.Fingerprint]}
			}
			require.Len(t, found, len(want))
			for _, g := range found {
				require.NotEmpty(t, g.Seen)
				g.Seen = nil
				require.Equal(t, want[g.Fingerprint], g)
			}
			require.True(t, slices.IsSortedFunc(found, func(a, b models.GroupFigures) int { return int(b.Events - a.Events) }))
		})
	}
	others, err := c.ErrorGroups(t.Context(), 8, whole, w.now)
	require.NoError(t, err)
	require.Empty(t, others, "groups of another project")
}

// Above exactErrors, devices are estimated. Everything else stays exact.
func TestManyErrorGroupsAreEstimated(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	c.exactErrors = 0
	w := inventErrors(inventedErrors / 4)
	w.insert(t, c)
	q := models.GroupQuery{From: w.now.Add(-inventedHours * time.Hour), To: w.now}
	found, err := c.ErrorGroups(t.Context(), 7, q, w.now)
	require.NoError(t, err)
	want := w.truth(q)
	require.Len(t, found, len(want))
	for _, g := range found {
		require.Equal(t, want[g.Fingerprint].Events, g.Events)
		require.Equal(t, want[g.Fingerprint].Devices, g.Devices, "a sketch is exact up to 256 devices")
	}
	detail, err := c.ErrorGroupDetail(t.Context(), 7, models.GroupQuery{From: q.From, To: q.To, Fingerprint: 7}, w.now)
	require.NoError(t, err)
	requireDetail(t, w, q, 7, detail)
}

// A group's page shows where its events occurred, and the trend adds up to the number of events.
func TestAnErrorGroupIsShownByUpdatePlatformAndFlag(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventErrors(inventedErrors / 4)
	w.insert(t, c)
	for _, fingerprint := range []models.Fingerprint{1, 4, 7} {
		q := models.GroupQuery{From: w.now.Add(-inventedHours * time.Hour), To: w.now, Fingerprint: fingerprint}
		detail, err := c.ErrorGroupDetail(t.Context(), 7, q, w.now)
		require.NoError(t, err)
		requireDetail(t, w, q, fingerprint, detail)

		trends, err := c.ErrorGroupTrends(t.Context(), 7, q, []models.Fingerprint{fingerprint})
		require.NoError(t, err)
		end := hourAfter(w.now)
		want := make([]int64, models.GroupTrendHours)
		for _, r := range w.reports {
			for _, e := range r.Events {
				hour := models.GroupTrendHours - 1 - int(end.Sub(r.ReceivedAt)/time.Hour)
				if e.Group.Fingerprint == fingerprint && hour >= 0 {
					want[hour] += e.Count
				}
			}
		}
		require.Equal(t, want, trends[fingerprint])
	}
}

func requireDetail(t *testing.T, w groupWorld, q models.GroupQuery, fingerprint models.Fingerprint, detail models.GroupDetail) {
	t.Helper()
	from := q.From.Truncate(time.Hour)
	type key struct{ kind, name, value string }
	events, devices := map[key]int64{}, map[key]map[string]bool{}
	add := func(k key, r models.HealthReport, e models.HealthEvent) {
		if devices[k] == nil {
			devices[k] = map[string]bool{}
		}
		events[k] += e.Count
		devices[k][r.DeviceID] = true
	}
	for _, r := range w.reports {
		for _, e := range r.Events {
			if e.Group.Fingerprint != fingerprint || r.ReceivedAt.Before(from) {
				continue
			}
			add(key{"update", "", r.UpdateUUID}, r, e)
			add(key{"platform", "", string(r.Platform)}, r, e)
			for _, s := range e.FlagStates {
				add(key{"flag", s.Name, s.Value}, r, e)
			}
		}
	}
	found := 0
	for kind, shares := range map[string][]models.GroupShare{"update": detail.ByUpdate, "platform": detail.ByPlatform, "flag": detail.ByFlag} {
		for _, s := range shares {
			found++
			k := key{kind, s.Name, s.Value}
			require.Equal(t, events[k], s.Events, k)
			require.EqualValues(t, len(devices[k]), s.Devices, k)
		}
	}
	require.Equal(t, len(events), found)

	require.Len(t, detail.Samples, maxSamples)
	require.True(t, slices.IsSortedFunc(detail.Samples, func(a, b models.TelemetryEvent) int { return b.ReceivedAt.Compare(a.ReceivedAt) }))
	newest := time.Time{}
	for _, r := range w.reports {
		if r.ReceivedAt.After(newest) && slices.ContainsFunc(r.Events, func(e models.HealthEvent) bool { return e.Group.Fingerprint == fingerprint }) {
			newest = r.ReceivedAt
		}
	}
	require.Equal(t, newest, detail.Samples[0].ReceivedAt, "the newest event is among the samples")
	for _, s := range detail.Samples {
		require.Equal(t, fingerprint, s.Group.Fingerprint)
	}
}

// An event must be found by its ID, whether or not the ID contains the time.
func TestAnEventIsFoundByItsID(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	timed, keyed := testReport("timed", models.EventJSError, models.EventCustom), testReport("keyed", models.EventCrash)
	keyed.ID = models.ReportID(7, "keyed", "key")
	keyed.ReceivedAt = keyed.ReceivedAt.Add(-20 * 24 * time.Hour)
	require.NoError(t, insertAll(t, c, "t", []models.HealthReport{timed, keyed}))
	for report, index := range map[*models.HealthReport]uint16{&timed: 1, &keyed: 0} {
		e, err := c.Event(t.Context(), 7, uuid.MustParse(report.ID), index, time.Now())
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%s-%d", report.ID, index), e.ID)
		require.Equal(t, report.Events[index].Type, e.Type)
		_, err = c.Event(t.Context(), 7, uuid.MustParse(report.ID), 9, time.Now())
		require.Equal(t, models.CodeNotFound, models.CodeOf(err))
		_, err = c.Event(t.Context(), 8, uuid.MustParse(report.ID), index, time.Now())
		require.Equal(t, models.CodeNotFound, models.CodeOf(err), "another project's")
	}
}
