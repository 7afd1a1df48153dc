package fleet_test

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets/bsdiff"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

func takingPatches(o *fleet.Options) {
	o.Patches, o.Assets = true, fleet.AssetPolicy{Rest: fleet.AssetFull}
}

// patched returns a handler that responds to requests for patches with a patch for the running update. change may make
// the response invalid.
func patched(t *testing.T, running string, patch []byte, change func(http.Header)) http.HandlerFunc {
	t.Helper()
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "/assets/") || r.Header.Get("a-im") != "bsdiff" {
			return
		}
		h := w.Header()
		h.Set("im", "bsdiff")
		h.Set("expo-base-update-id", running)
		h.Set("content-length", strconv.Itoa(len(patch)))
		if change != nil {
			change(h)
		}
		w.WriteHeader(http.StatusIMUsed)
		_, _ = w.Write(patch)
	}
}

func TestADeviceAppliesPatches(t *testing.T) {
	t.Parallel()
	oldBundle := bytes.Repeat([]byte("the first bundle "), 1000)
	newBundle := append(bytes.Clone(oldBundle), "and the second"...)
	patch, err := bsdiff.Diff(t.Context(), oldBundle, newBundle)
	require.NoError(t, err)

	for name, c := range map[string]struct {
		patch  []byte
		change func(http.Header)
		taken  int64
		fails  string
	}{
		"a good patch":       {patch, nil, 1, ""},
		"a corrupt patch":    {patch[:40], nil, 0, "corrupt"},
		"for another update": {patch, func(h http.Header) { h.Set("expo-base-update-id", "x") }, 0, "runs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fleettest.NewServer(t)
			first := s.Publish(fleettest.Release{Bundle: oldBundle})
			f := newFleet(t, s, takingPatches)
			require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), 0).Outcome)
			s.Publish(fleettest.Release{Bundle: newBundle})
			s.Intercept(patched(t, first.ID, c.patch, c.change))
			require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), 0).Outcome, "with or without the patch")
			stats := f.Stats()
			require.Equal(t, c.taken, stats.Patches)
			require.Equal(t, int64(2), stats.AssetDownloads)
			if c.fails == "" {
				requireNoFailures(t, f)
				require.Equal(t, int64(len(patch)), stats.PatchBytes)
				require.Equal(t, int64(len(oldBundle)+len(patch)), stats.AssetBytes)
				return
			}
			require.Equal(t, int64(1), stats.FailureCount())
			for _, failure := range stats.Failures {
				require.Contains(t, failure.First, c.fails)
			}
		})
	}
}

func TestAServerWithoutPatchesIsAskedForThemInVain(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	s.Publish(fleettest.Release{Assets: map[string][]byte{".png": []byte("picture")}})
	f := newFleet(t, s, takingPatches)
	require.Equal(t, fleet.TookUpdate, f.Launch(t.Context(), 0).Outcome)
	requireNoFailures(t, f)
	asked := 0
	for _, r := range s.Requests("/assets/") {
		if r.Header.Get("a-im") != "" {
			asked++
		}
	}
	require.Equal(t, 1, asked, "for the launch asset alone")
	require.Zero(t, f.Stats().Patches)
}
