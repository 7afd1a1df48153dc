package telemetry

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"
	"github.com/twmb/murmur3"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

// trueVotes computes the votes of devices in billionths, in the networks and allocations of networkOf and
// allocationOf.
func trueVotes(devices, errored, crashed map[string]bool, q models.HealthQuery) models.Votes {
	networks := map[models.NetworkHash]models.DeviceCounts{}
	allocations := map[models.NetworkHash]models.NetworkHash{}
	for device := range devices {
		one := models.DeviceCounts{Devices: 1}
		if errored[device] {
			one.ErroredDevices = 1
		}
		if crashed[device] {
			one.CrashedDevices = 1
		}
		network := networkOf(device)
		networks[network] = networks[network].Plus(one)
		allocations[network] = cmp.Or(models.NetworkHash(allocationOf(device)), network)
	}
	members := map[models.NetworkHash][]models.DeviceCounts{}
	for network, c := range networks {
		members[allocations[network]] = append(members[allocations[network]], c)
	}
	v := models.Votes{Networks: int64(len(networks)), Allocations: int64(len(members))}
	var erroredVotes, crashedVotes [][]int64
	for _, all := range members {
		weight, capped, heard := int64(len(all)), int64(0), int64(len(all))
		if q.AllocationVotes > 0 {
			weight = min(weight, q.AllocationVotes)
		}
		var errored, crashed []int64
		for _, c := range all {
			capped += min(c.Devices, q.MaxPerNetwork)
			v.LargestDevices = max(v.LargestDevices, c.Devices)
			errored = append(errored, (2e9*c.ErroredDevices+c.Devices)/(2*c.Devices))
			crashed = append(crashed, (2e9*c.CrashedDevices+c.Devices)/(2*c.Devices))
		}
		if q.AllocationVotes > 0 {
			capped = min(capped, q.MaxPerAllocation)
		}
		v.CappedDevices += capped
		v.Weight += weight
		erroredVotes, crashedVotes = append(erroredVotes, append(errored, weight, heard)), append(crashedVotes, append(crashed, weight, heard))
	}
	v.Errored, v.Crashed = trueTally(erroredVotes), trueTally(crashedVotes)
	return v
}

// trueTally computes the tally of allocations. Each element has the votes of an allocation's networks in billionths,
// then the weight and the number of networks.
func trueTally(allocations [][]int64) (t models.Tally) {
	var sum, most, healthy int64
	var votes []int64
	for _, all := range allocations {
		all, weight, heard := all[:len(all)-2], all[len(all)-2], all[len(all)-1]
		var of int64
		for _, vote := range all {
			of += vote
			votes = append(votes, vote*weight/heard)
		}
		of = of * weight / heard
		sum, most, healthy = sum+of, max(most, of), max(healthy, 1e9*weight-of)
	}
	slices.Sort(votes)
	for i, vote := range slices.Backward(votes) {
		if place := len(votes) - 1 - i; place < len(t.Most) {
			t.Most[place] = float64(vote) / 1e9
		}
	}
	t.Sum, t.MostOfAllocation, t.HealthyOfAllocation = float64(sum)/1e9, float64(most)/1e9, float64(healthy)/1e9
	return t
}

// inOneNetwork adds the votes of one network with all devices.
func inOneNetwork(h models.ReleaseHealth) models.ReleaseHealth {
	if h.Devices > 0 {
		counts := models.DeviceCounts{Devices: h.Devices, ErroredDevices: h.ErroredDevices, CrashedDevices: h.CrashedDevices}
		h.Votes = votestest.With(models.Votes{}, counts, 0)
	}
	return h
}

// networkOf returns the network that exposuresOf uses for a device. Some networks have many devices; some devices are
// alone in their network.
func networkOf(device string) models.NetworkHash {
	hash := uint64(murmur3.Sum32([]byte(device)))
	if hash%3 == 0 {
		return models.NetworkHash(hash << 32)
	}
	return models.NetworkHash(math.MaxUint64 - hash%50*(hash%50))
}

// allocationOf returns the allocation that exposuresOf uses for a device. The networks with many devices share seven
// allocations, and the others have none.
func allocationOf(device string) models.AllocationHash {
	hash := uint64(murmur3.Sum32([]byte(device)))
	if hash%3 == 0 {
		return 0
	}
	return models.AllocationHash(1<<63 | hash%50%7 + 1)
}

// trueHealth computes ReleaseHealth by its definition from all reports. All devices were served the release that they
// report.
func trueHealth(reports []models.HealthReport, q models.HealthQuery) models.ReleaseHealth {
	ofRelease := func(r models.HealthReport) bool { return r.ProjectID == q.ProjectID && r.UpdateUUID == q.UpdateUUID }
	mine := func(r models.HealthReport) bool {
		return ofRelease(r) && rollout.InShare(q.Salt, r.DeviceID, q.Percentage)
	}
	outside := map[string]bool{}
	firstReport := map[string]time.Time{}
	for _, r := range reports {
		if first, ok := firstReport[r.DeviceID]; mine(r) && (!ok || r.ReceivedAt.Before(first)) {
			firstReport[r.DeviceID] = r.ReceivedAt
		}
	}
	devices, errored, crashed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var h models.ReleaseHealth
	for _, r := range reports {
		if !ofRelease(r) || r.ReceivedAt.Before(q.Since) {
			continue
		}
		if !mine(r) {
			outside[r.DeviceID] = true
			continue
		}
		devices[r.DeviceID] = true
		counts := !r.ReceivedAt.After(firstReport[r.DeviceID].Add(24 * time.Hour))
		for _, e := range r.Events {
			switch {
			case e.Type == models.EventAppLaunch:
				h.Launches += e.Count
			case counts && e.Type == models.EventCrash:
				errored[r.DeviceID], crashed[r.DeviceID] = true, true
			case counts && e.Type == models.EventJSError:
				errored[r.DeviceID] = true
			}
		}
	}
	h.Devices, h.ErroredDevices, h.CrashedDevices = int64(len(devices)), int64(len(errored)), int64(len(crashed))
	h.NotInShareDevices = int64(len(outside))
	h.Votes = trueVotes(devices, errored, crashed, q)
	return h
}

// fleetReports invents days of reports of some releases, in random order. Devices get a release at their own time,
// report for some days, and have early and late errors.
func fleetReports(rng *rand.Rand, n int, begin time.Time, updates []string) []models.HealthReport {
	types := []models.HealthEventType{models.EventJSError, models.EventCrash, models.EventCustom}
	reports := make([]models.HealthReport, n)
	for i := range reports {
		device := rng.IntN(6000)
		update := rng.IntN(len(updates))
		arrival := time.Duration((device*7919+update*104729)%(3*24*3600)) * time.Second
		// Whole seconds make many times equal: first reports, errors and starts.
		stay := time.Duration(rng.ExpFloat64()*16*3600) * time.Second
		r := testReport(fmt.Sprintf("d-%d-é🚀", device))
		r.UpdateUUID = updates[update]
		r.ReceivedAt = begin.Add(arrival + stay)
		if rng.IntN(50) == 0 {
			r.ReceivedAt = begin.Add(arrival)
		}
		if rng.IntN(3) > 0 {
			r.Events = append(r.Events, models.HealthEvent{Type: models.EventAppLaunch, Count: 1 + rng.Int64N(4)})
		}
		for range rng.IntN(3) {
			if rng.IntN(6) == 0 {
				r.Events = append(r.Events, models.HealthEvent{Type: types[rng.IntN(len(types))], Count: 1 + rng.Int64N(9)})
			}
		}
		if rng.IntN(200) == 0 {
			r.ProjectID++
		}
		reports[i] = r
	}
	return reports
}

// TestReleaseHealthIsTheTruth compares the health of releases with a computation in Go, for 60,000 reports, or for 20,000 with -short.
func TestReleaseHealthIsTheTruth(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	rng := rand.New(rand.NewPCG(7, 11))
	begin := time.Now().UTC().Add(-6 * 24 * time.Hour).Truncate(time.Second)
	updates := []string{"", "0b1f9b2e-0000-4f0e-9a55-6d1f6f3c2a10", "0b1f9b2e-1111-4f0e-9a55-6d1f6f3c2a10", "0b1f9b2e-2222-4f0e-9a55-6d1f6f3c2a10"}
	reports := fleetReports(rng, enginetest.Sized(60_000, 20_000), begin, updates)

	for n := 0; len(reports[n:]) > 0; {
		size := min(1+rng.IntN(8_000), len(reports)-n)
		token := fmt.Sprintf("node/%d-%d", n+1, n+size)
		for range 1 + rng.IntN(2) {
			require.NoError(t, c.InsertExposures(t.Context(), token, exposuresOf(reports[n:n+size]...)))
			require.NoError(t, insertAll(t, c, token, reports[n:n+size]))
		}
		n += size
	}

	carried := 0
	for _, update := range updates[1:] {
		ofUpdate := slices.DeleteFunc(slices.Clone(reports), func(r models.HealthReport) bool { return r.UpdateUUID != update })
		for _, percentage := range enginetest.Sized([]float64{0.5, 12.345, 100}, []float64{12.345, 100}) {
			for _, hours := range []int{-1, 5, 30, 47, 72, 24 * 7} {
				q := models.HealthQuery{
					ProjectID: 7, UpdateUUID: update, Salt: "release:g-" + update, Percentage: percentage,
					Since: begin.Add(time.Duration(hours) * time.Hour), MaxPerNetwork: max(0, int64(hours)),
					AllocationVotes: max(0, int64(hours)) % 6, MaxPerAllocation: 3 * max(0, int64(hours)),
				}
				want := trueHealth(ofUpdate, q)
				got, err := c.ReleaseHealth(t.Context(), q)
				require.NoError(t, err)
				require.Equal(t, want, got, "%+v", q)
				if hours > 0 && want.ErroredDevices > 0 {
					carried++
				}
			}
		}
	}
	require.Greater(t, carried, enginetest.Sized(20, 15), "the fleet has errors of devices that came before the rollout")
}

func TestReleaseHealthByCase(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Millisecond)
	const day = 24 * time.Hour
	at := func(offset time.Duration, types ...models.HealthEventType) models.HealthReport {
		r := testReport("d", types...)
		r.ReceivedAt = start.Add(offset)
		return r
	}
	const launch, crash, jsError = models.EventAppLaunch, models.EventCrash, models.EventJSError
	one := func(launches, errored, crashed int64) models.ReleaseHealth {
		return models.ReleaseHealth{Devices: 1, Launches: launches, ErroredDevices: errored, CrashedDevices: crashed}
	}
	cases := map[string]struct {
		reports []models.HealthReport
		want    models.ReleaseHealth
	}{
		"nothing was reported":                            {nil, models.ReleaseHealth{}},
		"a report without events makes a device active":   {[]models.HealthReport{at(0)}, one(0, 0, 0)},
		"a report at the very start counts":               {[]models.HealthReport{at(0, launch, crash)}, one(1, 1, 1)},
		"a report before the start does not":              {[]models.HealthReport{at(-time.Millisecond, crash)}, models.ReleaseHealth{}},
		"an error is no crash":                            {[]models.HealthReport{at(0, jsError)}, one(0, 1, 0)},
		"a custom event is no error":                      {[]models.HealthReport{at(0, models.EventCustom)}, one(0, 0, 0)},
		"a crash 24 h after the first report counts":      {[]models.HealthReport{at(0), at(day, crash)}, one(0, 1, 1)},
		"a crash later than that does not":                {[]models.HealthReport{at(0), at(day+time.Millisecond, crash)}, one(0, 0, 0)},
		"launches before the start do not count":          {[]models.HealthReport{at(-time.Hour, launch), at(time.Hour, launch)}, one(1, 0, 0)},
		"a crash before the start does not count":         {[]models.HealthReport{at(-time.Hour, crash), at(time.Hour, launch)}, one(1, 0, 0)},
		"a crash after the start of an earlier device":    {[]models.HealthReport{at(-time.Hour, launch), at(time.Hour, crash)}, one(0, 1, 1)},
		"crashes before and after the start":              {[]models.HealthReport{at(-time.Hour, crash), at(time.Hour, crash)}, one(0, 1, 1)},
		"a crash over a day after an early first report":  {[]models.HealthReport{at(-time.Hour), at(day-time.Hour+1e6, crash)}, one(0, 0, 0)},
		"an early and a late crash, none within the time": {[]models.HealthReport{at(-time.Hour, crash), at(day, crash)}, one(0, 0, 0)},
		"a device that came days before the start":        {[]models.HealthReport{at(-3 * day), at(0, crash)}, one(0, 0, 0)},
		"an error in time and a crash too late":           {[]models.HealthReport{at(0), at(day, jsError), at(day+time.Hour, crash)}, one(0, 1, 0)},
		"a crash just a day after an early first report":  {[]models.HealthReport{at(-time.Hour), at(day-time.Hour, crash)}, one(0, 1, 1)},
		"reports stored in the wrong order":               {[]models.HealthReport{at(day, crash), at(time.Hour, launch), at(0)}, one(1, 1, 1)},
	}
	c := migrated(t)
	reports := map[string][]models.HealthReport{}
	for name, tc := range cases {
		reports[name] = tc.reports
	}
	insertInTurn(t, c, reports)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
				ProjectID: 7, UpdateUUID: name, Salt: "s", Percentage: 100, Since: start,
			})
			require.NoError(t, err)
			require.Equal(t, inOneNetwork(tc.want), got)
		})
	}
}

func TestReleaseHealthCountsADeviceOfTheStartOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	start := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Millisecond)
	earlier, later, first := testReport("carried"), testReport("carried"), testReport("new", models.EventCrash)
	earlier.ReceivedAt, later.ReceivedAt, first.ReceivedAt = start.Add(-time.Hour), start.Add(time.Hour), start
	require.NoError(t, insertAll(t, c, "token", []models.HealthReport{earlier, later, first}))
	require.NoError(t, c.InsertExposures(t.Context(), "token", exposuresOf(earlier, first)))
	got, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
		ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: start,
	})
	require.NoError(t, err)
	crashed := map[string]bool{"new": true}
	require.Equal(t, models.ReleaseHealth{
		Devices: 2, ErroredDevices: 1, CrashedDevices: 1,
		Votes: trueVotes(map[string]bool{"carried": true, "new": true}, crashed, crashed, models.HealthQuery{}),
	}, got)
}

func TestReleaseObservationsAtTheShare(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcXYZ019-_:/ %'\"\\\n\täß漢字🚀\u0000")
	reports := []models.HealthReport{testReport("", models.EventCrash)}
	for range 2000 {
		id := make([]rune, rng.IntN(24))
		for k := range id {
			id[k] = alphabet[rng.IntN(len(alphabet))]
		}
		reports = append(reports, testReport(string(id), models.EventCrash))
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	require.NoError(t, c.InsertExposures(t.Context(), "token", exposuresOf(reports...)))
	for _, salt := range []string{"release:1b", "", "änderung:\t🚀'\\", "a:b"} {
		for _, percentage := range []float64{0, 0.001, 1, 33.333, 99.999, 100} {
			q := models.HealthQuery{ProjectID: 7, UpdateUUID: testUpdate, Salt: salt, Percentage: percentage}
			q.Since = time.Now().UTC().Add(-time.Hour)
			got, err := c.ReleaseHealth(t.Context(), q)
			require.NoError(t, err)
			require.Equal(t, trueHealth(reports, q), got, "%q at %g %%", salt, percentage)
		}
	}
}

func TestClickHouseHashesLikeTheContract(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	for _, text := range []string{"", "a", "abc", "release:1:device", "ä", "漢字漢字", "🚀", "a\tb\n", "0123456789abcdef"} {
		var hash uint32
		row := c.conn.QueryRow(t.Context(), "SELECT murmurHash3_32({text:String})", clickhouse.Named("text", text))
		require.NoError(t, row.Scan(&hash))
		require.Equal(t, murmur3.Sum32([]byte(text)), hash, "%q", text)
	}
}

func TestReleaseHealthIsUnavailableWithoutClickHouse(t *testing.T) {
	t.Parallel()
	c := openTestClickHouse(t, "http://user:s3cret@127.0.0.1:1/waft")
	_, err := c.ReleaseHealth(t.Context(), models.HealthQuery{Since: time.Now()})
	requireUnavailable(t, err)
}
