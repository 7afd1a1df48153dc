package delivery

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/stretchr/testify/require"
)

// TestResolvingAllocatesNothing does not run in parallel, because it counts the allocations of the whole process.
func TestResolvingAllocatesNothing(t *testing.T) {
	for name, arrange := range map[string]func(tp *testProject, r *Request){
		"up to date": func(tp *testProject, r *Request) { r.CurrentUpdateUUID = tp.uuid(tp.publish("production")) },
		"up to date by an alias": func(tp *testProject, r *Request) {
			r.CurrentUpdateUUID = tp.uuid(tp.publish("production"))
			tp.rollBack("next", 0)
		},
		"no release":         func(*testProject, *Request) {},
		"outside of a share": func(tp *testProject, _ *Request) { tp.publish("production", percentage(0.001)) },
		"failed":             func(tp *testProject, r *Request) { r.RecentFailed = []string{tp.uuid(tp.publish("production"))} },
		"an update":          func(tp *testProject, _ *Request) { tp.publish("production") },
		"override":           func(tp *testProject, r *Request) { tp.send("vip", "next"); r.UserID = "vip" },
		"branch rollout":     func(tp *testProject, _ *Request) { tp.rollOut("next", 50); tp.publish("next") },
		"paused": func(tp *testProject, r *Request) {
			r.CurrentUpdateUUID = tp.uuid(tp.publish("production"))
			tp.publish("production")
			tp.production().IsPaused = true
		},
		"a release that a restore lost": func(tp *testProject, r *Request) {
			tp.publish("production")
			tp.restore(tp.copy())
			r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = "lost", embeddedID
		},
	} {
		tp, r := newTestProject(), ask("device")
		tp.branch("next")
		arrange(tp, &r)
		s := tp.snapshot(t)
		require.Zero(t, testing.AllocsPerRun(100, func() { s.Resolve(r) }), name)
	}
}

// TestAMinimumVersionCostsOneParse checks that a device's runtime version is parsed only in a channel with a minimum.
// Parsing allocates the version, its string and the matches of the pattern.
func TestAMinimumVersionCostsOneParse(t *testing.T) {
	for _, runtimeVersion := range []string{"1.0.0", "0.9.0"} {
		tp, r := newTestProject(), ask("device")
		tp.production().MinRuntimeVersion = new("1.0.0")
		tp.publish("production")
		r.RuntimeVersion = runtimeVersion
		s := tp.snapshot(t)
		parse := fewestAllocations(func() { _, _ = semver.NewVersion(runtimeVersion) })
		require.LessOrEqual(t, fewestAllocations(func() { s.Resolve(r) }), parse, runtimeVersion)
	}
}

// fewestAllocations returns the lowest number of allocations in several runs of do. With the race detector, a
// sync.Pool drops every fourth value at random, so some runs allocate more.
func fewestAllocations(do func()) float64 {
	fewest := testing.AllocsPerRun(1, do)
	for range 50 {
		fewest = min(fewest, testing.AllocsPerRun(1, do))
	}
	return fewest
}

// BenchmarkResolve measures one decision in projects of several sizes. The time must not depend on the size.
func BenchmarkResolve(b *testing.B) {
	for _, size := range []struct{ releases, disabled, channels, overrides int }{
		{10, 0, 10, 0}, {10_000, 0, 10, 0}, {10, 10_000, 10, 0}, {10_000, 0, 1000, 100_000},
	} {
		tp := newTestProject()
		branch := tp.branchID("production")
		for i := range size.channels {
			tp.channel("channel-"+itoa(int64(i)), branch)
		}
		for i := range size.overrides {
			tp.send("user-"+itoa(int64(i)), "production")
		}
		for range size.releases {
			tp.publish("production")
		}
		newest := tp.uuid(tp.state.Releases[0].ID)
		for range size.disabled {
			tp.publish("production", disabled)
		}
		tp.rollOut("next", 10)
		s := tp.snapshot(b)
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
	tp := newTestProject()
	for range 20 {
		tp.publish("production")
	}
	tp.publish("production", percentage(5))
	rendered := 0
	for _, r := range tp.snapshot(t).releases {
		if r.body != nil {
			rendered++
		}
	}
	require.Equal(t, 2, rendered)
}

func BenchmarkManifest(b *testing.B) {
	for _, releases := range []int{1, 100, 10_000} {
		tp := newTestProject()
		for range releases {
			tp.publish("production")
		}
		s := tp.snapshot(b)
		newest := tp.uuid(tp.state.Releases[0].ID)
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
		if res := s.Respond(r); res.Status != http.StatusOK {
			b.Fatal(res.Status)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, releases := range []int{10, 1000} {
		tp := newTestProject()
		for range releases {
			tp.publish("production")
		}
		b.Run(fmt.Sprintf("releases=%d", releases), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tp.snapshot(b)
			}
		})
	}
}
