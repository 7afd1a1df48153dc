package fleet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

// newFleet creates a fleet for the server, with options that change may modify.
func newFleet(t *testing.T, s *fleettest.Server, change func(*fleet.Options)) *fleet.Fleet {
	t.Helper()
	o := fleet.Options{
		BaseURL: s.URL, ProjectSlug: "demo", Channel: "production", RuntimeVersion: "1.0.0",
		Devices: 1, Seed: 1, IOSPercent: 50,
	}
	if change != nil {
		change(&o)
	}
	f, err := fleet.New(o)
	require.NoError(t, err)
	t.Cleanup(f.Close)
	return f
}

func requireNoFailures(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	require.Empty(t, f.Stats().Failures)
}

func TestADeviceRunsAnUpdateAtTheStartAfterItFoundIt(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{Message: "one"})
	f := newFleet(t, s, nil)

	first := f.Launch(t.Context(), 0)
	require.Equal(t, fleet.TookUpdate, first.Outcome)
	require.Zero(t, first.Ran, "the embedded update")
	require.Equal(t, fleet.Ref{UpdateID: one.ID, Bundle: fleettest.Key(one.Bundle), Message: "one"}, first.Next)

	second := f.Launch(t.Context(), 0)
	require.Equal(t, fleet.NoUpdate, second.Outcome)
	require.Equal(t, first.Next, second.Ran)
	requireNoFailures(t, f)

	reports := s.Reports()
	require.Len(t, reports, 2)
	require.Nil(t, reports[0].UpdateUUID)
	require.Equal(t, one.ID, *reports[1].UpdateUUID)
	require.Equal(t, first.Device.ID, reports[1].DeviceID)
	require.Equal(t, []fleettest.Event{{Type: "app_launch", Count: 1}}, reports[1].Events)
	require.NotEqual(t, reports[0].IdempotencyKey, reports[1].IdempotencyKey)
}

func TestADeviceSaysWhatTheStockClientSays(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{})
	f := newFleet(t, s, func(o *fleet.Options) { o.IOSPercent = 0 })
	f.Launch(t.Context(), 0)
	device := f.Launch(t.Context(), 0).Device

	manifests := s.Requests("/manifest/demo")
	require.Len(t, manifests, 2)
	h := manifests[1].Header
	for name, want := range map[string]string{
		"accept":                        "multipart/mixed,application/expo+json,application/json",
		"expo-protocol-version":         "1",
		"expo-platform":                 "android",
		"expo-runtime-version":          "1.0.0",
		"expo-channel-name":             "production",
		"expo-json-error":               "true",
		"eas-client-id":                 device.ID,
		"expo-current-update-id":        one.ID,
		"expo-embedded-update-id":       device.EmbeddedID,
		"expo-recent-failed-update-ids": "",
	} {
		require.Equal(t, want, h.Get(name), name)
	}
	require.Equal(t, device.EmbeddedID, manifests[0].Header.Get("expo-current-update-id"))
	assets := s.Requests("/assets/")
	require.Len(t, assets, 1)
	require.Equal(t, one.ID, assets[0].Header.Get("expo-requested-update-id"))
	require.Empty(t, assets[0].Header.Get("expo-json-error"))
}

func TestACriticalUpdateRunsAtOnce(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{Critical: true})
	f := newFleet(t, s, nil)
	l := f.Launch(t.Context(), 0)
	require.Equal(t, one.ID, l.Ran.UpdateID)
	require.Len(t, s.Reports(), 2, "one for the start, one for the reload")
	requireNoFailures(t, f)
}

func TestAStartThatWaitsRunsWhatItFound(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{})
	f := newFleet(t, s, func(o *fleet.Options) { o.WaitForUpdate = true })
	l := f.Launch(t.Context(), 0)
	require.Equal(t, one.ID, l.Ran.UpdateID)
	reports := s.Reports()
	require.Len(t, reports, 1)
	require.Equal(t, one.ID, *reports[0].UpdateUUID)
}

func TestDevicesGoBackAsTheServerWants(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		goBack func(s *fleettest.Server, good, bad fleettest.Release)
		runs   func(good fleettest.Release) (bundle string)
	}{
		"the bad release is disabled: the one before is still on the device": {
			func(s *fleettest.Server, _, bad fleettest.Release) {
				s.Change(bad.ID, func(r *fleettest.Release) { r.Disabled = true })
			},
			func(good fleettest.Release) string { return fleettest.Key(good.Bundle) },
		},
		"the one before is published again": {
			func(s *fleettest.Server, good, bad fleettest.Release) {
				s.Change(bad.ID, func(r *fleettest.Release) { r.Disabled = true })
				s.Publish(fleettest.Release{Bundle: good.Bundle})
			},
			func(good fleettest.Release) string { return fleettest.Key(good.Bundle) },
		},
		"roll back to the embedded update": {
			func(s *fleettest.Server, _, _ fleettest.Release) { s.RollBackToEmbedded() },
			func(fleettest.Release) string { return "" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fleettest.NewServer(t)
			good := s.Publish(fleettest.Release{Message: "good"})
			f := newFleet(t, s, nil)
			f.Launch(t.Context(), 0)
			bad := s.Publish(fleettest.Release{Message: "bad"})
			f.Launch(t.Context(), 0)
			require.Equal(t, bad.ID, f.Launch(t.Context(), 0).Ran.UpdateID)

			c.goBack(s, good, bad)
			f.Launch(t.Context(), 0)
			before := len(s.Requests("/assets/"))
			require.Equal(t, c.runs(good), f.Launch(t.Context(), 0).Ran.Bundle)
			require.Len(t, s.Requests("/assets/"), before, "nothing was downloaded again")
			requireNoFailures(t, f)
		})
	}
}

func TestAnOlderManifestIsRefused(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	old := s.Publish(fleettest.Release{Message: "old"})
	newer := s.Publish(fleettest.Release{Message: "newer"})
	f := newFleet(t, s, nil)
	f.Launch(t.Context(), 0)
	s.Change(newer.ID, func(r *fleettest.Release) { r.Platform = "none" }) // no longer served, without a filter against it
	l := f.Launch(t.Context(), 0)
	require.Equal(t, fleet.RefusedOlder, l.Outcome)
	require.Equal(t, newer.ID, l.Next.UpdateID)
	require.NotEqual(t, old.ID, l.Next.UpdateID)
	require.Equal(t, int64(1), f.Stats().Refused)
}

func TestACrashIsReportedWithTheLaunch(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	s.Publish(fleettest.Release{Message: "broken"})
	f := newFleet(t, s, func(o *fleet.Options) { o.WaitForUpdate = true })
	f.SetRules(fleet.Rule{Match: "broken", Effect: fleet.Crash, Percent: 100},
		fleet.Rule{Match: "broken", Effect: fleet.JSError, Percent: 100})
	l := f.Launch(t.Context(), 0)
	require.True(t, l.Crashed)
	require.True(t, l.Errored)
	require.True(t, l.Reported)
	events := s.Reports()[0].Events
	require.Len(t, events, 3)
	for i, kind := range []string{"app_launch", "js_error", "crash"} {
		require.Equal(t, kind, events[i].Type)
		require.Equal(t, int64(1), events[i].Count)
	}
	require.Equal(t, int64(1), f.Stats().Crashes)
	require.Equal(t, int64(1), f.Stats().JSErrors)
}

func TestErrorsOfSimulatedDevicesHaveBreadcrumbs(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	at := time.Date(2026, time.March, 1, 9, 0, 0, 0, time.UTC)
	f := newFleet(t, s, func(o *fleet.Options) { o.Now = func() time.Time { return at } })
	f.SetRules(fleet.Rule{Match: fleet.AnyMatch, Effect: fleet.Crash, Percent: 100},
		fleet.Rule{Match: fleet.AnyMatch, Effect: fleet.JSError, Percent: 100})
	f.Launch(t.Context(), 0)
	events := s.Reports()[0].Events
	require.Empty(t, events[0].Breadcrumbs, "a launch does not have breadcrumbs")
	for _, e := range events[1:] {
		require.Greater(t, len(e.Breadcrumbs), 3)
		before := at.Add(-time.Minute)
		for _, b := range e.Breadcrumbs {
			require.True(t, b.Timestamp.After(before) && b.Timestamp.Before(at), b.Timestamp)
			require.NotEmpty(t, b.Level)
			require.NotEmpty(t, b.Category+b.Message)
			before = b.Timestamp
		}
	}
}

func TestAnUpdateThatFailsToStartIsLeftAndListed(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	good := s.Publish(fleettest.Release{Message: "good"})
	f := newFleet(t, s, nil)
	f.SetRules(fleet.Rule{Match: "dead", Effect: fleet.StartupCrash, Percent: 100})
	f.Launch(t.Context(), 0)
	dead := s.Publish(fleettest.Release{Message: "dead"})
	f.Launch(t.Context(), 0)

	l := f.Launch(t.Context(), 0)
	require.Equal(t, good.ID, l.Ran.UpdateID, "the client fell back")
	requests := s.Requests("/manifest/")
	require.Equal(t, `"`+dead.ID+`"`, requests[len(requests)-1].Header.Get("expo-recent-failed-update-ids"))
	require.Equal(t, good.ID, requests[len(requests)-1].Header.Get("expo-current-update-id"))
	require.Equal(t, int64(1), f.Stats().StartupCrashes)
	for _, r := range s.Reports() {
		require.False(t, r.UpdateUUID != nil && *r.UpdateUUID == dead.ID, "nothing could be reported")
	}
	require.Equal(t, good.ID, f.Launch(t.Context(), 0).Ran.UpdateID, "and never tries it again")
	require.Equal(t, int64(1), f.Stats().StartupCrashes)
}
