package incidents

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// fakes stores incidents like the store, and returns the device counts that a test sets.
type fakes struct {
	incidents []models.Incident
	hours     map[int64][]models.ReleaseHour
	states    []models.FlagState
	err       error
	looks     int
	// withdrawn has the releases that devices no longer get, and pending the devices that still have them.
	withdrawn map[string]bool
	pending   int64
	// behind fails CatchUp. since is the time from which WithdrawnDevices was asked to count.
	behind bool
	since  time.Time
}

func (f *fakes) OpenIncident(_ context.Context, i models.Incident) (models.Incident, bool, error) {
	for _, other := range f.incidents {
		if other.ResolvedAt == nil && other.UpdateUUID == i.UpdateUUID && other.Channel == i.Channel {
			return i, false, nil
		}
	}
	i.ID = int64(len(f.incidents) + 1)
	f.incidents = append(f.incidents, i)
	return i, true, nil
}

func (f *fakes) SaveIncident(_ context.Context, i models.Incident) error {
	f.incidents[i.ID-1] = i
	return nil
}

func (f *fakes) OpenIncidents(context.Context) (map[int64][]models.Incident, error) {
	open := map[int64][]models.Incident{}
	for _, i := range f.incidents {
		if i.ResolvedAt == nil {
			open[i.ProjectID] = append(open[i.ProjectID], i)
		}
	}
	return open, f.err
}

func (f *fakes) ReleaseHours(_ context.Context, projectID int64, _ time.Time) ([]models.ReleaseHour, error) {
	f.looks++
	return f.hours[projectID], f.err
}

func (f *fakes) FlagStates(context.Context, int64, models.ReleaseHour, time.Time) ([]models.FlagState, error) {
	return f.states, f.err
}

func (f *fakes) WithdrawnDevices(_ context.Context, _ int64, of models.WithdrawnRelease) (models.WithdrawnDevices, error) {
	f.since = of.Since
	return models.WithdrawnDevices{Pending: f.pending}, f.err
}

func (f *fakes) Withdrawn(_ int64, _ models.Stream, updateUUID string) (withdrawn, own bool) {
	return f.withdrawn[updateUUID], true
}

func (f *fakes) CatchUp(context.Context, int64) error {
	if f.behind {
		return context.DeadlineExceeded
	}
	return nil
}

func errored(projectID int64) []models.HealthReport {
	return []models.HealthReport{{ProjectID: projectID, Events: []models.HealthEvent{{Type: models.EventCrash}}}}
}

func hour(update string, devices, errored int64) models.ReleaseHour {
	return models.ReleaseHour{
		UpdateUUID: update, Channel: "production", Platform: models.IOS, RuntimeVersion: "1",
		DeviceCounts: models.DeviceCounts{Devices: devices, ErroredDevices: errored, CrashedDevices: errored / 2},
		Before:       models.DeviceCounts{Devices: 24 * devices, ErroredDevices: 2},
	}
}

func TestASpikeIsAnIncident(t *testing.T) {
	t.Parallel()
	f := &fakes{hours: map[int64][]models.ReleaseHour{7: {hour("good", 1000, 3), hour("bad", 1000, 60)}}}
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	w := NewWatcher(f, f, f, time.Second, slog.New(slog.DiscardHandler), func() time.Time { return at })
	check := func(all bool) { require.NoError(t, w.checkPending(t.Context(), all)) }

	check(false)
	require.Zero(t, f.looks, "devices do not report errors")
	w.ErrorsInserted(errored(7))
	check(false)
	check(false)
	require.Equal(t, 1, f.looks)
	require.Len(t, f.incidents, 1)
	i := f.incidents[0]
	require.Equal(t, "bad", i.UpdateUUID)
	require.Equal(t, [4]int64{1000, 60, 30, 60}, [4]int64{i.Devices, i.ErroredDevices, i.CrashedDevices, i.PeakErroredDevices})
	require.Equal(t, [2]int64{24_000, 2}, [2]int64{i.BaselineDevices, i.BaselineErroredDevices})
	require.Nil(t, i.FlagKey)

	// The spike continues. By now a flag stands out, and the preceding hours also have errors.
	at = at.Add(30 * time.Minute)
	f.states = []models.FlagState{
		{FlagKey: "checkout", Variation: "true", DeviceCounts: models.DeviceCounts{Devices: 100, ErroredDevices: 45}},
		{FlagKey: "checkout", Variation: "false", DeviceCounts: models.DeviceCounts{Devices: 900, ErroredDevices: 5}},
	}
	bad := hour("bad", 1000, 50)
	bad.Before.ErroredDevices = 1200
	f.hours[7] = []models.ReleaseHour{bad}
	check(true)
	require.Len(t, f.incidents, 1)
	require.Equal(t, "checkout", *f.incidents[0].FlagKey)
	require.Equal(t, "true", *f.incidents[0].FlagVariation)
	require.Equal(t, int64(60), f.incidents[0].PeakErroredDevices)
	require.Nil(t, f.incidents[0].ResolvedAt)

	at = at.Add(30 * time.Minute)
	f.hours[7] = nil // devices stopped reporting
	check(true)
	require.Nil(t, f.incidents[0].ResolvedAt)
	at = at.Add(time.Minute)
	check(true)
	require.Equal(t, &at, f.incidents[0].ResolvedAt)
	looks := f.looks
	check(true)
	require.Equal(t, looks, f.looks, "ended incidents are not checked")
}

// An incident of a release that devices no longer get ends once all of them have asked again.
func TestARollbackEndsAnIncident(t *testing.T) {
	t.Parallel()
	f := &fakes{hours: map[int64][]models.ReleaseHour{7: {hour("bad", 1000, 60)}}, withdrawn: map[string]bool{}, pending: 2}
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	w := NewWatcher(f, f, f, time.Second, slog.New(slog.DiscardHandler), func() time.Time { return at })
	w.ErrorsInserted(errored(7))
	for range 2 {
		require.NoError(t, w.checkPending(t.Context(), true))
		f.withdrawn["bad"] = true
	}
	require.Nil(t, f.incidents[0].ResolvedAt)
	f.pending = 0
	require.NoError(t, w.checkPending(t.Context(), true))
	require.Equal(t, models.ResolvedByRollback, *f.incidents[0].Resolution)
}

// A process that does not serve a rollback yet must not find that devices still get the release. Devices that have asked
// another process since the rollback would otherwise count as pending.
func TestAProcessThatIsBehindDoesNotFollowIncidents(t *testing.T) {
	t.Parallel()
	f := &fakes{hours: map[int64][]models.ReleaseHour{7: {hour("bad", 1000, 60)}}, pending: 2}
	began := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	at := began
	w := NewWatcher(f, f, f, time.Second, slog.New(slog.DiscardHandler), func() time.Time { return at })
	late := *f // the same telemetry, but an older snapshot
	late.behind = true
	check := func(releases *fakes) {
		at = at.Add(time.Second)
		w.releases = releases
		require.NoError(t, w.checkPending(t.Context(), true))
	}
	w.ErrorsInserted(errored(7))
	check(&late)
	require.Len(t, f.incidents, 1, "a spike is not withheld")
	check(f)
	found := at
	check(&late)
	f.withdrawn = map[string]bool{"bad": true}
	check(f)
	require.Equal(t, found, f.since)
	check(&late)
	check(f)
	require.Equal(t, found, f.since)
	require.Nil(t, f.incidents[0].ResolvedAt)
}

// If a release does not start on any device, it does not produce reports.
func TestFailuresBeforeTheFirstRenderAreLookedAt(t *testing.T) {
	t.Parallel()
	f := &fakes{hours: map[int64][]models.ReleaseHour{7: {hour("dead", 40, 40)}}}
	w := NewWatcher(f, f, f, time.Second, slog.New(slog.DiscardHandler), time.Now)
	w.Served([]models.Exposure{{ProjectID: 7, Kind: models.ExposureManifest}})
	require.NoError(t, w.checkPending(t.Context(), false))
	require.Zero(t, f.looks)
	w.Served([]models.Exposure{{ProjectID: 8, Kind: models.ExposureManifest}, {ProjectID: 7, Kind: models.ExposureFailure}})
	require.NoError(t, w.checkPending(t.Context(), false))
	require.Len(t, f.incidents, 1)
	require.Equal(t, 1, f.looks)
}

func TestALookThatFailsIsMadeAgain(t *testing.T) {
	t.Parallel()
	f := &fakes{hours: map[int64][]models.ReleaseHour{}, err: errors.New("away")}
	w := NewWatcher(f, f, f, time.Second, slog.New(slog.DiscardHandler), time.Now)
	for n := range int64(20) {
		f.hours[n+1] = []models.ReleaseHour{hour(strconv.FormatInt(n, 10), 1000, 60)}
		w.ErrorsInserted(errored(n + 1))
	}
	require.Error(t, w.checkPending(t.Context(), false))
	f.err = nil
	require.NoError(t, w.checkPending(t.Context(), false))
	require.Len(t, f.incidents, 20)
}
