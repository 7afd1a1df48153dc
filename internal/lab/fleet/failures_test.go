package fleet_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/fleettest"
)

// onPath returns a handler that uses h for requests whose path contains part.
func onPath(part string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, part) {
			h(w, r)
		}
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func TestFailuresAreCountedByKindAndLeaveTheDeviceAsItWas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		intercept http.HandlerFunc
		kind      string
	}{
		"no service":             {onPath("/manifest/", status(503)), "manifest: status 503"},
		"no such channel":        {onPath("/manifest/", status(404)), "manifest: status 404"},
		"a manifest of nonsense": {onPath("/manifest/", func(w http.ResponseWriter, _ *http.Request) { protocol(w); fleettest.WritePart(w, "manifest", 1) }), "update: protocol"},
		"an unknown directive": {onPath("/manifest/", func(w http.ResponseWriter, _ *http.Request) {
			protocol(w)
			fleettest.WritePart(w, "directive", map[string]any{"type": "x"})
		}), "manifest: protocol"},
		"no protocol version":      {onPath("/manifest/", status(200)), "manifest: protocol"},
		"an asset is gone":         {onPath("/assets/", status(404)), "update: status 404"},
		"an asset is another one":  {onPath("/assets/", func(w http.ResponseWriter, _ *http.Request) { javascript(w); _, _ = w.Write([]byte("x")) }), "update: content"},
		"an asset of a wrong type": {onPath("/assets/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")) }), "update: content"},
		"an asset is cut off": {onPath("/assets/", func(w http.ResponseWriter, _ *http.Request) {
			javascript(w)
			w.Header().Set("content-length", "100")
			_, _ = w.Write([]byte("x"))
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}), "update: connection"},
		"a report is refused": {onPath("/health-metrics", status(400)), "report: status 400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fleettest.NewServer(t)
			one := s.Publish(fleettest.Release{})
			f := newFleet(t, s, nil)
			s.Intercept(c.intercept)
			f.Launch(t.Context(), 0)
			failures := f.Stats().Failures
			require.Equal(t, int64(1), failures[c.kind].Count, "%v", failures)
			require.NotEmpty(t, failures[c.kind].First)

			s.Intercept(nil)
			f.Launch(t.Context(), 0)
			require.Equal(t, one.ID, f.Launch(t.Context(), 0).Ran.UpdateID)
		})
	}
}

func protocol(w http.ResponseWriter) {
	w.Header().Set("expo-protocol-version", "1")
	w.Header().Set("expo-sfv-version", "0")
	w.Header().Set("expo-manifest-filters", "")
}

func javascript(w http.ResponseWriter) { w.Header().Set("content-type", "application/javascript") }

func TestFiltersOfAnAnswerThatCouldNotBeFollowedAreForgotten(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	one := s.Publish(fleettest.Release{})
	f := newFleet(t, s, nil)
	f.Launch(t.Context(), 0)
	s.Publish(fleettest.Release{Bundle: []byte("two")})
	s.Change(one.ID, func(r *fleettest.Release) { r.Disabled = true })
	s.Intercept(onPath("/assets/", status(500)))
	l := f.Launch(t.Context(), 0)
	require.Equal(t, fleet.CheckFailed, l.Outcome)
	require.Equal(t, one.ID, l.Next.UpdateID)
}

func TestAReportIsSentAgainUnderTheSameKeyUntilItIsTaken(t *testing.T) {
	t.Parallel()
	s := fleettest.NewServer(t)
	f := newFleet(t, s, nil)
	var tries atomic.Int32
	s.Intercept(onPath("/health-metrics", func(w http.ResponseWriter, _ *http.Request) {
		if tries.Add(1) < 3 {
			w.Header().Set("retry-after", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	require.True(t, f.Launch(t.Context(), 0).Reported)
	sent := s.Requests("/health-metrics")
	require.Len(t, sent, 3)
	for _, r := range sent {
		require.Equal(t, sent[0].Header.Get("idempotency-key"), r.Header.Get("idempotency-key"))
	}
	require.Len(t, s.Reports(), 1)
	require.Equal(t, int64(1), f.Stats().Reports)

	tries.Store(-100)
	require.False(t, f.Launch(t.Context(), 0).Reported, "and is given up in the end")
	require.Len(t, s.Requests("/health-metrics"), 6)
}
