package fleet_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

func TestOnlyTheFirstDevicesDownloadAnAsset(t *testing.T) {
	t.Parallel()
	for rest, want := range map[fleet.AssetRest]struct{ downloads, heads, skips int }{
		fleet.AssetHead: {2 * 2, 2 * 8, 0},
		fleet.AssetSkip: {2 * 2, 0, 2 * 8},
		fleet.AssetFull: {2 * 10, 0, 0},
	} {
		t.Run(string(rest), func(t *testing.T) {
			t.Parallel()
			s := fleettest.NewServer(t)
			s.Publish(fleettest.Release{Bundle: []byte("bundle"), Assets: map[string][]byte{".png": []byte("picture")}})
			f := newFleet(t, s, func(o *fleet.Options) {
				o.Devices = 10
				o.Assets = fleet.AssetPolicy{FullDownloads: 2, Rest: rest}
			})
			for i := range 10 {
				require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), i).Outcome)
			}
			requireNoFailures(t, f)
			var heads, gets int
			for _, r := range s.Requests("/assets/") {
				if r.Method == http.MethodHead {
					heads++
				} else {
					gets++
				}
			}
			require.Equal(t, want.downloads, gets)
			require.Equal(t, want.heads, heads)
			stats := f.Stats()
			require.Equal(t, int64(want.skips), stats.AssetSkips)
			require.Equal(t, int64(want.downloads/2*len("bundle")+want.downloads/2*len("picture")), stats.AssetBytes)
		})
	}
}

func TestADeviceDownloadsOnlyWhatItDoesNotHold(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	picture := map[string][]byte{".png": []byte("picture")}
	s.Publish(fleettest.Release{Assets: picture})
	f := newFleet(t, s, nil)
	f.Launch(t.Context(), 0)
	require.Len(t, s.Requests("/assets/"), 2)
	two := s.Publish(fleettest.Release{Assets: picture})
	f.Launch(t.Context(), 0)
	asked := s.Requests("/assets/")
	require.Len(t, asked, 3)
	require.Contains(t, asked[2].Path, fleettest.Key(two.Bundle))
	requireNoFailures(t, f)
}

func TestAFailedDownloadDoesNotCountAsOneOfTheFirst(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	s.Publish(fleettest.Release{})
	f := newFleet(t, s, func(o *fleet.Options) {
		o.Devices, o.Assets = 3, fleet.AssetPolicy{FullDownloads: 1, Rest: fleet.AssetSkip}
	})
	s.Intercept(onPath("/assets/", status(500)))
	require.Equal(t, fleet.CheckFailed, f.Launch(t.Context(), 0).Outcome)
	s.Intercept(nil)
	require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), 1).Outcome)
	require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), 2).Outcome)
	require.Equal(t, int64(1), f.Stats().AssetDownloads)
	require.Equal(t, int64(1), f.Stats().AssetSkips)
}
