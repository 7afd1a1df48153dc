package fleet_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

func TestARunLaunchesEveryDeviceOnceARound(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{Percentage: 30, Message: "one"})
	var mu sync.Mutex
	launches := map[int]int{}
	f := newFleet(t, s, func(o *fleet.Options) {
		o.Devices = 200
		o.OnLaunch = func(l fleet.Launch) {
			mu.Lock()
			defer mu.Unlock()
			launches[l.Device.Index]++
		}
	})
	require.NoError(t, f.Run(t.Context(), fleet.Load{Workers: 8, Launches: 400}))
	requireNoFailures(t, f)
	require.Len(t, launches, 200)
	for index, n := range launches {
		require.Equal(t, 2, n, "device %d", index)
	}
	stats := f.Stats()
	require.Equal(t, int64(200), stats.Seen)
	require.Equal(t, int64(400), stats.Launches)
	require.Equal(t, int64(400), stats.Reports)
	require.Equal(t, int64(400), stats.Updates+stats.NoUpdates)
	require.Equal(t, int64(400), stats.Manifest.Count)
	require.Len(t, stats.Running, 2)
	require.Zero(t, stats.Running[0].Update, "most run the embedded update")
	require.Equal(t, one.ID, stats.Running[1].Update.UpdateID)
	require.Equal(t, 200, stats.Running[0].Devices+stats.Running[1].Devices)
	require.Equal(t, stats.Updates, int64(stats.Running[1].Devices))
}

func TestNoMoreDevicesAtOnceThanWorkers(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	var mu sync.Mutex
	var now, most int
	full, release := make(chan struct{}), make(chan struct{})
	s.Intercept(onPath("/manifest/", func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		if now++; now == 3 && most < 3 {
			close(full)
		}
		most = max(most, now)
		mu.Unlock()
		<-release
		mu.Lock()
		now--
		mu.Unlock()
	}))
	f := newFleet(t, s, func(o *fleet.Options) { o.Devices = 20 })
	done := make(chan error, 1)
	go func() { done <- f.Run(t.Context(), fleet.Load{Workers: 3, Launches: 20}) }()
	<-full
	close(release)
	require.NoError(t, <-done)
	require.Equal(t, 3, most)
}

func TestTheEndOfTheContextEndsARunWithoutFailures(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Intercept(onPath("/manifest/", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	f := newFleet(t, s, nil)
	require.NoError(t, f.Run(ctx, fleet.Load{}))
	requireNoFailures(t, f)
}

func TestALoadHasNoNegativeNumbers(t *testing.T) {
	t.Parallel()
	f := newFleet(t, fleettest.NewServer(t), nil)
	require.Error(t, f.Run(t.Context(), fleet.Load{PerSecond: -1}))
}

func TestAFleetTalksToThisMachineOnly(t *testing.T) {
	t.Parallel()
	t.Run("wherever a manifest points", func(t *testing.T) {
		t.Parallel()
		s := fleettest.NewServer(t)
		f := newFleet(t, s, nil)
		s.Intercept(onPath("/manifest/", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		}))
		f.Launch(t.Context(), 0)
		require.Contains(t, f.Stats().Failures["manifest: connection"].First, "not on this machine")
	})
	t.Run("and says everything that is wrong with its options", func(t *testing.T) {
		t.Parallel()
		_, err := fleet.New(fleet.Options{BaseURL: "localhost:8080", IOSPercent: 101, Assets: fleet.AssetPolicy{Rest: "x"}})
		for _, part := range []string{"absolute http", "project", "channel", "runtime version", "at least one device", "100 percent", "head, skip or full"} {
			require.ErrorContains(t, err, part)
		}
	})
}
