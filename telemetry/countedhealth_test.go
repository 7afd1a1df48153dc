package telemetry

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

// health stores reports and exposures and returns the health of their release. The release is derived from name, so
// that cases do not affect each other.
func health(
	t *testing.T, c *ClickHouse, name string, since time.Time, percentage float64,
	reports []models.HealthReport, exposures []models.Exposure,
) models.ReleaseHealth {
	t.Helper()
	// Reports are inserted one by one and exposures last, so the result must not depend on the order or on a common
	// insert.
	for k, r := range reports {
		r.UpdateUUID = name
		require.NoError(t, insertAll(t, c, fmt.Sprint(name, k), []models.HealthReport{r}))
	}
	for k, s := range exposures {
		s.UpdateUUID = name
		require.NoError(t, c.InsertExposures(t.Context(), fmt.Sprint(name, k), []models.Exposure{s}))
	}
	h, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
		ProjectID: 7, UpdateUUID: name, Salt: "s", Percentage: percentage, Since: since,
	})
	require.NoError(t, err)
	return h
}

func TestReleaseHealthCountsOnlyWhomWaftServed(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Add(-72 * time.Hour).Truncate(time.Millisecond)
	const hour, day = time.Hour, 24 * time.Hour
	report := func(device string, offset time.Duration, types ...models.HealthEventType) models.HealthReport {
		r := testReport(device, types...)
		r.ReceivedAt = start.Add(offset)
		return r
	}
	serve := func(kind models.ExposureKind, device string, offset time.Duration) models.Exposure {
		s := testExposure(device)
		s.Kind, s.ServedAt = kind, start.Add(offset)
		return s
	}
	const crash, launch = models.EventCrash, models.EventAppLaunch
	const manifest, failure = models.ExposureManifest, models.ExposureFailure
	foreign := serve(manifest, "forger", 0)
	foreign.ProjectID++
	type reports = []models.HealthReport
	type exposures = []models.Exposure
	c := migrated(t)
	for name, tc := range map[string]struct {
		reports   []models.HealthReport
		exposures []models.Exposure
		want      models.ReleaseHealth
	}{
		"a forged crash moves nothing": {
			reports{report("honest", 0, launch), report("forger", 0, crash), report("forger 2", hour, crash)},
			exposures{serve(manifest, "honest", -hour), foreign},
			models.ReleaseHealth{Devices: 1, Launches: 1, NotServedDevices: 2},
		},
		"a forged launch hides nothing":              {reports{report("f", 0, launch), report("d", 0, crash)}, exposures{serve(manifest, "d", 0)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1, NotServedDevices: 1}},
		"an exposure by a clock that runs ahead":     {reports{report("d", 0, crash)}, exposures{serve(manifest, "d", time.Second)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"the bundle was downloaded":                  {reports{report("d", 0, launch)}, exposures{serve(models.ExposureAsset, "d", 0)}, models.ReleaseHealth{Devices: 1, Launches: 1}},
		"a patch was downloaded":                     {reports{report("d", 0, launch)}, exposures{serve(models.ExposurePatch, "d", 0)}, models.ReleaseHealth{Devices: 1, Launches: 1}},
		"a directive to roll back is no update":      {reports{report("d", 0, launch)}, exposures{serve(models.ExposureRollback, "d", 0)}, models.ReleaseHealth{NotServedDevices: 1}},
		"served and not heard of":                    {nil, exposures{serve(manifest, "d", 0)}, models.ReleaseHealth{}},
		"served, and quiet since the start":          {reports{report("d", -hour, crash)}, exposures{serve(manifest, "d", -hour)}, models.ReleaseHealth{}},
		"a forger from before the start":             {reports{report("f", -hour), report("f", hour, crash)}, nil, models.ReleaseHealth{NotServedDevices: 1}},
		"a forger among devices from before":         {reports{report("f", -hour), report("f", hour, crash, launch), report("d", -hour), report("d", hour, launch)}, exposures{serve(manifest, "d", -hour)}, models.ReleaseHealth{Devices: 1, Launches: 1, NotServedDevices: 1}},
		"a failure counts as a crash":                {nil, exposures{serve(manifest, "d", 0), serve(failure, "d", hour)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"said again and again it counts once":        {nil, exposures{serve(manifest, "d", 0), serve(failure, "d", hour), serve(failure, "d", 2*hour), serve(failure, "d", 3*hour)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"with a reported crash it is still once":     {reports{report("d", hour, launch, crash)}, exposures{serve(manifest, "d", 0), serve(failure, "d", hour)}, models.ReleaseHealth{Devices: 1, Launches: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"a failure on what was never served":         {nil, exposures{serve(failure, "f", 0)}, models.ReleaseHealth{NotServedDevices: 1}},
		"a failure from before the start":            {nil, exposures{serve(manifest, "d", -2*hour), serve(failure, "d", -hour), serve(failure, "d", hour)}, models.ReleaseHealth{}},
		"a failure from before, and a report":        {reports{report("d", hour, launch)}, exposures{serve(manifest, "d", -2*hour), serve(failure, "d", -hour), serve(failure, "d", hour)}, models.ReleaseHealth{Devices: 1, Launches: 1}},
		"an early device fails":                      {reports{report("d", -hour, launch)}, exposures{serve(manifest, "d", -hour), serve(failure, "d", hour)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"an early device fails and crashes":          {reports{report("d", -hour, launch), report("d", hour, crash)}, exposures{serve(manifest, "d", -hour), serve(failure, "d", 2*hour)}, models.ReleaseHealth{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}},
		"a failure long after the first report":      {reports{report("d", 0, launch)}, exposures{serve(manifest, "d", 0), serve(failure, "d", day+time.Millisecond)}, models.ReleaseHealth{Devices: 1, Launches: 1}},
		"an early device's failure, long after that": {reports{report("d", -hour), report("d", 0, launch)}, exposures{serve(manifest, "d", 0), serve(failure, "d", day)}, models.ReleaseHealth{Devices: 1, Launches: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, inOneNetwork(tc.want), health(t, c, name, start, 100, tc.reports, tc.exposures))
		})
	}
}

// The bucket cannot be computed from a hashed ID, so it is stored with it.
func TestReleaseHealthOfHashedDevices(t *testing.T) {
	t.Parallel()
	start := time.Now().UTC().Add(-time.Hour)
	var reports []models.HealthReport
	var exposures []models.Exposure
	want := models.ReleaseHealth{}
	for n := range 300 {
		id := fmt.Sprint("device-", n)
		bucket := rollout.Bucket("s", id)
		r, s := testReport("hash of "+id, models.EventAppLaunch), testExposure("hash of "+id)
		s.ShareBucket = &bucket
		if n%2 == 0 {
			r.ShareBucket = &bucket
		}
		reports, exposures = append(reports, r), append(exposures, s)
		if rollout.InShare("s", id, 20) {
			want.Devices++
			want.Launches++
		} else {
			want.NotInShareDevices++
		}
	}
	c := migrated(t)
	require.NoError(t, c.InsertExposures(t.Context(), "token", exposures))
	require.NoError(t, insertAll(t, c, "token", reports))
	got, err := c.ReleaseHealth(t.Context(), models.HealthQuery{ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 20, Since: start})
	require.NoError(t, err)
	require.Equal(t, inOneNetwork(want), got)
}

// A device votes in the network from which it was first served the release, whatever it is served and reports later.
func TestADeviceVotesInTheNetworkThatItWasFirstServedFrom(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	start := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	serve := func(device string, kind models.ExposureKind, network models.NetworkHash, offset time.Duration) models.Exposure {
		s := testExposure(device)
		s.Kind, s.Network, s.ServedAt = kind, network, start.Add(offset)
		return s
	}
	const home, office = models.NetworkHash(math.MaxUint64), models.NetworkHash(1)
	for k, s := range []models.Exposure{
		serve("moved", models.ExposureManifest, office, time.Minute), // stored first, but served later
		serve("moved", models.ExposureAsset, home, time.Second),
		serve("moved", models.ExposureRollback, office, 0), // does not serve an update
		serve("moved", models.ExposureFailure, 0, 0),       // does not serve an update either
		serve("at home", models.ExposureManifest, home, 0),
		serve("at work", models.ExposurePatch, office, 0),
		serve("at work", models.ExposureManifest, home, time.Millisecond),
	} {
		require.NoError(t, c.InsertExposures(t.Context(), fmt.Sprint("token", k), []models.Exposure{s}))
	}
	reports := []models.HealthReport{testReport("moved"), testReport("at home"), testReport("at work", models.EventCrash)}
	require.NoError(t, insertAll(t, c, "token", reports))
	q := models.HealthQuery{ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: start, MaxPerNetwork: 1}
	got, err := c.ReleaseHealth(t.Context(), q)
	require.NoError(t, err)
	two := models.DeviceCounts{Devices: 2, ErroredDevices: 1, CrashedDevices: 1}
	one := models.DeviceCounts{Devices: 1, ErroredDevices: 1, CrashedDevices: 1}
	want := votestest.WithAllocation(models.Votes{}, []models.DeviceCounts{two, one}, 2, 1, 2)
	require.Equal(t, want, got.Votes, "the failure is a crash of the device that moved")
}

// A device that was served the release before allocations were stored is in a network that counts as its own
// allocation, until the device is served the release again.
func TestANetworkFromBeforeAllocationsIsOneByItself(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	served := func(token string, network models.NetworkHash, allocation models.AllocationHash, at time.Time) {
		s := testExposure(fmt.Sprint("device", network))
		s.Network, s.Allocation, s.ServedAt = network, allocation, at
		require.NoError(t, c.InsertExposures(t.Context(), token, []models.Exposure{s}))
	}
	start := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	var reports []models.HealthReport
	for network := range models.NetworkHash(4) {
		served(fmt.Sprint("before", network), network+1, 0, start)
		reports = append(reports, testReport(fmt.Sprint("device", network+1), models.EventCrash))
	}
	require.NoError(t, insertAll(t, c, "token", reports))
	votes := func() models.Votes {
		got, err := c.ReleaseHealth(t.Context(), models.HealthQuery{
			ProjectID: 7, UpdateUUID: testUpdate, Salt: "s", Percentage: 100, Since: start, AllocationVotes: 2,
		})
		require.NoError(t, err)
		return got.Votes
	}
	require.Equal(t, [3]int64{4, 4, 4}, [3]int64{votes().Networks, votes().Allocations, votes().Weight})
	for network := range models.NetworkHash(3) {
		served(fmt.Sprint("again", network), network+1, 9, start.Add(time.Minute))
	}
	require.Equal(t, [3]int64{4, 2, 3}, [3]int64{votes().Networks, votes().Allocations, votes().Weight}, "three of the networks are one allocation")
	require.InDelta(t, 3, votes().Crashed.Sum, 1e-6)
}

func TestInsertExposuresKeepsEveryFieldOnce(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	bucket := uint32(100_000)
	s := testExposure("gerät-漢字")
	s.ShareBucket = &bucket
	for range 3 {
		require.NoError(t, c.InsertExposures(t.Context(), "token", []models.Exposure{s}))
	}
	var got models.Exposure
	var platform, kind string
	var network, allocation uint64
	require.NoError(t, c.conn.QueryRow(t.Context(), `
		SELECT project_id, served_at, device_id, platform, channel, runtime_version, update_uuid, kind, share_bucket, network, allocation FROM exposures`).Scan(
		&got.ProjectID, &got.ServedAt, &got.DeviceID, &platform, &got.Channel, &got.RuntimeVersion, &got.UpdateUUID, &kind, &got.ShareBucket, &network,
		&allocation))
	got.Network, got.Allocation = models.NetworkHash(network), models.AllocationHash(allocation)
	got.Platform, got.Kind, got.ServedAt = models.Platform(platform), models.ExposureKind(kind), got.ServedAt.UTC()
	require.Equal(t, s, got)
	require.Equal(t, 1, count(t, c, "SELECT count() FROM exposures"))
	require.Equal(t, 1, count(t, c, `SELECT count() FROM device_releases WHERE platform = 'ios' AND channel = 'production'
		AND runtime_version = '1.4.0' AND first_served_at IS NOT NULL AND first_at IS NULL AND share_bucket = 100000`))
}
