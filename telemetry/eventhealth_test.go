package telemetry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// custom returns a report of a custom event with the given name.
func custom(device, name string, at time.Time) models.HealthReport {
	r := testReport(device)
	r.ReceivedAt = at
	r.Events = []models.HealthEvent{{Type: models.EventCustom, Name: name, Count: 1}, {Type: models.EventCustom, Name: "another", Count: 2}}
	return r
}

func TestEventHealthByCase(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Millisecond)
	const hour, day, ms = time.Hour, 24 * time.Hour, time.Millisecond
	seen := func(offset time.Duration) models.HealthReport {
		r := testReport("d", models.EventAppLaunch)
		r.ReceivedAt = start.Add(offset)
		return r
	}
	paid := func(offset time.Duration) models.HealthReport { return custom("d", "paid", start.Add(offset)) }
	limited := paid(hour)
	limited.Events[0].Name, limited.Events[0].SentName = "(other)", "paid"
	crashed := testReport("d", models.EventCrash)
	crashed.ReceivedAt, crashed.Events[0].Name = start, "paid"
	now := start.Add(71 * hour)
	c := migrated(t)
	reports := map[string][]models.HealthReport{}
	cases := map[string]struct {
		reports []models.HealthReport
		// above and below are the expected numbers of devices that count, and of devices that reported the event, for
		// a maximum rate and for a minimum rate with a window of an hour.
		above, below [2]int64
	}{
		"nobody reported":                               {nil, [2]int64{0, 0}, [2]int64{0, 0}},
		"a device without the event":                    {[]models.HealthReport{seen(0)}, [2]int64{1, 0}, [2]int64{1, 0}},
		"the event in the first report":                 {[]models.HealthReport{paid(0)}, [2]int64{1, 1}, [2]int64{1, 1}},
		"the event twice":                               {[]models.HealthReport{paid(hour), paid(0)}, [2]int64{1, 1}, [2]int64{1, 1}},
		"the event when the hour ends":                  {[]models.HealthReport{seen(0), paid(hour)}, [2]int64{1, 1}, [2]int64{1, 1}},
		"the event after the hour":                      {[]models.HealthReport{seen(0), paid(hour + ms)}, [2]int64{1, 1}, [2]int64{1, 0}},
		"the event after the day":                       {[]models.HealthReport{seen(0), paid(day + ms)}, [2]int64{1, 0}, [2]int64{1, 0}},
		"a crash of that name is no custom event":       {[]models.HealthReport{crashed}, [2]int64{1, 0}, [2]int64{1, 0}},
		"a name that a limit replaced counts as sent":   {[]models.HealthReport{seen(0), limited}, [2]int64{1, 1}, [2]int64{1, 1}},
		"a device in its hour does not count below":     {[]models.HealthReport{seen(70*hour + ms)}, [2]int64{1, 0}, [2]int64{0, 0}},
		"nor when it has reported the event":            {[]models.HealthReport{paid(70*hour + ms)}, [2]int64{1, 1}, [2]int64{0, 0}},
		"a device whose hour is over just now counts":   {[]models.HealthReport{seen(70 * hour)}, [2]int64{1, 0}, [2]int64{1, 0}},
		"the event before the rollout":                  {[]models.HealthReport{paid(-ms), seen(0)}, [2]int64{1, 0}, [2]int64{1, 0}},
		"a device from before has its hour from then":   {[]models.HealthReport{seen(-9 * day), seen(3 * hour), paid(4 * hour)}, [2]int64{1, 0}, [2]int64{1, 1}},
		"a device from before too late":                 {[]models.HealthReport{seen(-hour), seen(0), paid(hour + ms)}, [2]int64{1, 1}, [2]int64{1, 0}},
		"a device from before that is in its hour":      {[]models.HealthReport{seen(-hour), paid(70*hour + ms)}, [2]int64{1, 0}, [2]int64{0, 0}},
		"only a device from before that did not return": {[]models.HealthReport{seen(-hour)}, [2]int64{0, 0}, [2]int64{0, 0}},
	}
	for name, tc := range cases {
		reports[name] = tc.reports
	}
	insertInTurn(t, c, reports)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := eventsAt(t, c, name, start, now)
			require.Equal(t, tc.above, [2]int64{h[0].Devices, h[0].ReportedDevices}, "above")
			require.Equal(t, tc.below, [2]int64{h[1].Devices, h[1].ReportedDevices}, "below")
			waits := tc.above[0] > tc.below[0]
			require.Equal(t, waits, h[1].DueAt != nil)
			if waits {
				require.Equal(t, now.Add(ms), *h[1].DueAt)
			}
		})
	}
}

// eventsAt returns the health of the event "paid" for a maximum rate, and for a minimum rate within an hour.
func eventsAt(t *testing.T, c *ClickHouse, update string, since, now time.Time) []models.EventHealth {
	t.Helper()
	q := models.HealthQuery{ProjectID: 7, UpdateUUID: update, Salt: "s", Percentage: 100, Since: since, Events: []models.EventHealthQuery{
		{Name: "paid", Direction: models.EventAbove, Within: 24 * time.Hour}, {Name: "paid", Direction: models.EventBelow, Within: time.Hour},
	}}
	health, err := c.ReleaseHealth(t.Context(), q)
	require.NoError(t, err)
	// The same query as of now.
	carried := make([]models.ReleaseHealth, 1)
	require.NoError(t, c.addEvents(t.Context(), []models.HealthQuery{q}, []bool{true}, carried, now))
	require.Equal(t, health.Events[0], carried[0].Events[0])
	return carried[0].Events
}

// Counts and votes of random reports must be exact, for several releases in one query.
func TestEventHealthIsTheTruth(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	random := rand.New(rand.NewPCG(3, 2026))
	now := time.Now().UTC().Truncate(time.Millisecond)
	begin := now.Add(-50 * time.Hour).Truncate(time.Second)
	updates := []string{"0b1f9b2e-0000-4f0e-9a55-6d1f6f3c2a10", "0b1f9b2e-1111-4f0e-9a55-6d1f6f3c2a10"}
	reports := fleetReports(random, enginetest.Sized(20_000, 8_000), begin, updates)
	const within = 5 * time.Hour
	reports = slices.DeleteFunc(reports, func(r models.HealthReport) bool {
		due := r.ReceivedAt.Add(within).Sub(now) // no device may begin to count between now and the query
		return r.ReceivedAt.After(now) || due > 0 && due < 5*time.Minute || r.ProjectID != 7
	})
	names := []string{"paid", "signed up", "left ✈", "n"}
	for i := range reports {
		for range random.IntN(3) {
			reports[i].Events = append(reports[i].Events, models.HealthEvent{
				Type: models.EventCustom, Name: names[random.IntN(len(names))], Count: 1,
			})
		}
	}
	for n := range slices.Collect(slices.Chunk(reports, 5000)) {
		chunk := reports[n*5000 : min(n*5000+5000, len(reports))]
		for range 2 {
			require.NoError(t, insertAll(t, c, fmt.Sprint("token", n), chunk))
			require.NoError(t, c.InsertExposures(t.Context(), fmt.Sprint("token", n), exposuresOf(chunk...)))
		}
	}
	for _, since := range []time.Duration{-time.Hour, 5 * time.Hour, 30 * time.Hour} {
		for _, percentage := range []float64{12.345, 100} {
			var queries []models.HealthQuery
			for i, update := range updates {
				q := models.HealthQuery{
					ProjectID: 7, UpdateUUID: update, Salt: "release:" + update, Percentage: percentage, Since: begin.Add(since), MaxPerNetwork: 3, MaxPerAllocation: 7, AllocationVotes: 2,
					Events: []models.EventHealthQuery{
						{Name: names[i], Direction: models.EventBelow, Within: within},
						{Name: names[2], Direction: models.EventAbove, Within: 24 * time.Hour},
					},
				}
				queries = append(queries, q)
			}
			queries[1].Events = append(queries[1].Events, models.EventHealthQuery{Name: "nobody's", Direction: models.EventBelow, Within: 0})
			health, err := c.ReleasesHealth(t.Context(), queries)
			require.NoError(t, err)
			for i, q := range queries {
				require.Len(t, health[i].Events, len(q.Events))
				for n, e := range q.Events {
					want, got := trueEvent(reports, q, e, now), health[i].Events[n]
					require.Positive(t, want.Devices)
					if e.Name != "nobody's" {
						require.Positive(t, want.ReportedDevices)
					}
					got.DueAt = nil
					require.Equal(t, want, got, "%+v", q)
				}
			}
		}
	}
}

// trueEvent computes the health of an event by its definition. All devices were served the release that they report.
func trueEvent(reports []models.HealthReport, q models.HealthQuery, e models.EventHealthQuery, now time.Time) models.EventHealth {
	began, since, happened := map[string]time.Time{}, map[string]time.Time{}, map[string]time.Time{}
	earliest := func(in map[string]time.Time, device string, at time.Time) {
		if known, ok := in[device]; !ok || at.Before(known) {
			in[device] = at
		}
	}
	for _, r := range reports {
		if r.UpdateUUID != q.UpdateUUID || !rollout.InShare(q.Salt, r.DeviceID, q.Percentage) {
			continue
		}
		earliest(began, r.DeviceID, r.ReceivedAt)
		if r.ReceivedAt.Before(q.Since) {
			continue
		}
		earliest(since, r.DeviceID, r.ReceivedAt)
		if slices.Contains(r.CustomNames(), e.Name) {
			earliest(happened, r.DeviceID, r.ReceivedAt)
		}
	}
	devices, affected := map[string]bool{}, map[string]bool{}
	below := e.Direction == models.EventBelow
	for device, first := range since {
		from := began[device]
		if below {
			from = first
			if !began[device].Before(q.Since) {
				from = began[device]
			}
			if from.Add(e.Within).After(now) {
				continue
			}
		}
		at, reported := happened[device]
		devices[device] = true
		if (reported && !at.After(from.Add(e.Within))) != below {
			affected[device] = true
		}
	}
	v := trueVotes(devices, affected, nil, q)
	h := models.EventHealth{Name: e.Name, Direction: e.Direction, Devices: int64(len(devices)), ReportedDevices: int64(len(affected))}
	if below {
		h.ReportedDevices = h.Devices - h.ReportedDevices
	}
	h.Votes = models.EventVotes{
		Networks: v.Networks, Allocations: v.Allocations, Weight: v.Weight, CappedDevices: v.CappedDevices, Affected: v.Errored,
	}
	return h
}
