package delivery

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/stretchr/testify/require"
)

// TestResolvingAllocatesNothing is not parallel: allocations are counted for the
// whole process.
func TestResolvingAllocatesNothing(t *testing.T) {
	for name, arrange := range map[string]func(w *world, r *Request){
		"up to date": func(w *world, r *Request) { r.CurrentUpdateUUID = w.uuid(w.publish("production")) },
		"up to date by an alias": func(w *world, r *Request) {
			r.CurrentUpdateUUID = w.uuid(w.publish("production"))
			w.rollBack("next", 0)
		},
		"no release":         func(*world, *Request) {},
		"outside of a share": func(w *world, _ *Request) { w.publish("production", percentage(0.001)) },
		"failed":             func(w *world, r *Request) { r.RecentFailed = []string{w.uuid(w.publish("production"))} },
		"an update":          func(w *world, _ *Request) { w.publish("production") },
		"override":           func(w *world, r *Request) { w.send("vip", "next"); r.UserID = "vip" },
		"branch rollout":     func(w *world, _ *Request) { w.rollOut("next", 50); w.publish("next") },
		"paused": func(w *world, r *Request) {
			r.CurrentUpdateUUID = w.uuid(w.publish("production"))
			w.publish("production")
			w.production().IsPaused = true
		},
	} {
		w, r := newWorld(), ask("device")
		w.branch("next")
		arrange(w, &r)
		s := w.snapshot(t)
		require.Zero(t, testing.AllocsPerRun(100, func() { s.Resolve(r) }), name)
	}
}

// TestAMinimumVersionCostsOneParse: only a channel with a minimum runtime version parses
// the device's, which allocates the version, its text and what the pattern matched.
func TestAMinimumVersionCostsOneParse(t *testing.T) {
	for _, runtimeVersion := range []string{"1.0.0", "0.9.0"} {
		w, r := newWorld(), ask("device")
		w.production().MinRuntimeVersion = new("1.0.0")
		w.publish("production")
		r.RuntimeVersion = runtimeVersion
		s := w.snapshot(t)
		parse := testing.AllocsPerRun(100, func() { _, _ = semver.NewVersion(runtimeVersion) })
		require.LessOrEqual(t, testing.AllocsPerRun(100, func() { s.Resolve(r) }), parse, runtimeVersion)
	}
}

// BenchmarkResolve is one decision in projects of every size: it must cost the same.
func BenchmarkResolve(b *testing.B) {
	for _, size := range []struct{ releases, disabled, channels, overrides int }{
		{10, 0, 10, 0}, {10_000, 0, 10, 0}, {10, 10_000, 10, 0}, {10_000, 0, 1000, 100_000},
	} {
		w := newWorld()
		branch := w.branchID("production")
		for i := range size.channels {
			w.channel("channel-"+itoa(int64(i)), branch)
		}
		for i := range size.overrides {
			w.send("user-"+itoa(int64(i)), "production")
		}
		for range size.releases {
			w.publish("production")
		}
		newest := w.uuid(w.state.Releases[0].ID)
		for range size.disabled {
			w.publish("production", disabled)
		}
		w.rollOut("next", 10)
		s := w.snapshot(b)
		r := ask("4f1cb2ca-c237-4cd5-8506-81232e8575a8")
		r.CurrentUpdateUUID, r.UserID = newest, "user-7"
		name := fmt.Sprintf("releases=%d,disabled=%d,channels=%d,overrides=%d", size.releases, size.disabled, size.channels, size.overrides)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if d := s.Resolve(r); d.Outcome != OutcomeUpToDate && d.BranchName != "next" {
					b.Fatal(d.Outcome)
				}
			}
		})
	}
}

func TestASnapshotRendersOnlyWhatCanBeAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for range 20 {
		w.publish("production")
	}
	w.publish("production", percentage(5))
	rendered := 0
	for _, r := range w.snapshot(t).releases {
		if r.body != nil {
			rendered++
		}
	}
	require.Equal(t, 2, rendered)
}

func BenchmarkManifest(b *testing.B) {
	for _, releases := range []int{1, 100, 10_000} {
		w := newWorld()
		for range releases {
			w.publish("production")
		}
		s := w.snapshot(b)
		newest := w.uuid(w.state.Releases[0].ID)
		h := http.Header{}
		h.Set("accept", stockAccept)
		h.Set("expo-protocol-version", "1")
		h.Set("expo-platform", "android")
		h.Set("expo-runtime-version", testRuntime)
		h.Set("expo-channel-name", "production")
		h.Set("eas-client-id", "4f1cb2ca-c237-4cd5-8506-81232e8575a8")
		b.Run(fmt.Sprintf("update/releases=%d", releases), func(b *testing.B) { benchmark(b, s, h.Clone()) })
		h.Set("expo-current-update-id", newest)
		b.Run(fmt.Sprintf("no update/releases=%d", releases), func(b *testing.B) { benchmark(b, s, h) })
	}
}

func benchmark(b *testing.B, s *Snapshot, h http.Header) {
	b.ReportAllocs()
	for b.Loop() {
		r, err := ParseRequest(h, "")
		if err != nil {
			b.Fatal(err)
		}
		if res := s.Render(s.Resolve(r), r); res.Status != http.StatusOK {
			b.Fatal(res.Status)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, releases := range []int{10, 1000} {
		w := newWorld()
		for range releases {
			w.publish("production")
		}
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.snapshot(b)
			}
		})
	}
}
