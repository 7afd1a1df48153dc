package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// resolveCase arranges a project and a request, and says what the request resolves to.
type resolveCase struct {
	name    string
	arrange func(w *world, r *Request) (release int64)
	outcome Outcome
	branch  string
}

func testResolve(t *testing.T, cases []resolveCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			r := ask("device")
			release := c.arrange(w, &r)
			d := w.snapshot(t).Resolve(r)
			require.Equal(t, c.outcome, d.Outcome)
			require.Equal(t, c.branch, d.BranchName)
			require.Equal(t, release, d.ReleaseID)
			if release != 0 {
				require.Equal(t, w.uuid(release), d.UpdateUUID)
			}
			require.Empty(t, d.Steps)
		})
	}
}

// Whether the channel is open and the runtime version is new enough is decided before
// any release.
func TestResolveTheChannelComesFirst(t *testing.T) {
	t.Parallel()
	testResolve(t, []resolveCase{
		{
			name:    "an unknown channel",
			arrange: func(w *world, r *Request) int64 { w.publish("production"); r.Channel = "nope"; return 0 },
			outcome: OutcomeUnknownChannel,
		},
		{
			name:    "a paused channel serves nothing",
			arrange: func(w *world, _ *Request) int64 { w.publish("production"); w.production().IsPaused = true; return 0 },
			outcome: OutcomeChannelPaused,
		},
		{
			name: "paused comes before the minimum runtime version",
			arrange: func(w *world, _ *Request) int64 {
				w.publish("production")
				w.production().IsPaused, w.production().MinRuntimeVersion = true, new("2")
				return 0
			},
			outcome: OutcomeChannelPaused,
		},
		{
			name: "a runtime version below the minimum",
			arrange: func(w *world, _ *Request) int64 {
				w.publish("production")
				w.production().MinRuntimeVersion = new("1.0.1")
				return 0
			},
			outcome: OutcomeStoreUpdateRequired,
		},
		{
			name: "a runtime version at the minimum",
			arrange: func(w *world, _ *Request) int64 {
				w.production().MinRuntimeVersion = new("1")
				return w.publish("production")
			},
			outcome: OutcomeUpdate, branch: "production",
		},
	})
}

func TestResolveTheNewestEnabledRelease(t *testing.T) {
	t.Parallel()
	testResolve(t, []resolveCase{
		{
			name:    "a branch without releases",
			arrange: func(*world, *Request) int64 { return 0 },
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name:    "the newest release",
			arrange: func(w *world, _ *Request) int64 { w.publish("production"); return w.publish("production") },
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name:    "releases of other branches do not count",
			arrange: func(w *world, _ *Request) int64 { id := w.publish("production"); w.publish("next"); return id },
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "releases of other platforms and runtime versions do not count",
			arrange: func(w *world, _ *Request) int64 {
				id := w.publish("production")
				w.publish("production", func(r *models.Release) { r.Platform = models.IOS })
				w.publish("production", func(r *models.Release) { r.RuntimeVersion = "1.0" })
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "disabled and deleted releases are skipped",
			arrange: func(w *world, _ *Request) int64 {
				id := w.publish("production")
				w.publish("production", disabled)
				w.remove(w.publish("production"))
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
	})
}

func TestResolveSharesDecideByDevice(t *testing.T) {
	t.Parallel()
	testResolve(t, []resolveCase{
		{
			name: "a device outside the share gets the release before",
			arrange: func(w *world, r *Request) int64 {
				id := w.publish("production")
				rolling := w.publish("production", percentage(10))
				r.DeviceID = deviceOutside(w.release(rolling).ShareSalt, 10)
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device in the share gets the release",
			arrange: func(w *world, r *Request) int64 {
				w.publish("production")
				rolling := w.publish("production", percentage(10))
				r.DeviceID = deviceIn(w.release(rolling).ShareSalt, 10)
				return rolling
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device without an id is in no share below 100",
			arrange: func(w *world, r *Request) int64 {
				id := w.publish("production")
				w.publish("production", percentage(99.999))
				w.rollOut("next", 99.999)
				r.DeviceID = ""
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device outside the share of the first release",
			arrange: func(w *world, _ *Request) int64 {
				w.publish("production", percentage(0))
				return 0
			},
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name: "a device in the channel's share gets the rollout branch",
			arrange: func(w *world, r *Request) int64 {
				w.publish("production")
				w.rollOut("next", 10)
				r.DeviceID = deviceIn(channelSalt("demo", "production"), 10)
				return w.publish("next")
			},
			outcome: OutcomeUpdate, branch: "next",
		},
		{
			name: "a device outside the channel's share gets the channel's branch",
			arrange: func(w *world, r *Request) int64 {
				w.publish("next")
				w.rollOut("next", 10)
				r.DeviceID = deviceOutside(channelSalt("demo", "production"), 10)
				return w.publish("production")
			},
			outcome: OutcomeUpdate, branch: "production",
		},
	})
}

func TestResolveWhatTheDeviceRunsDecidesLast(t *testing.T) {
	t.Parallel()
	testResolve(t, []resolveCase{
		{
			name: "a device that runs the answer",
			arrange: func(w *world, r *Request) int64 {
				id := w.publish("production")
				r.CurrentUpdateUUID = w.uuid(id)
				return id
			},
			outcome: OutcomeUpToDate, branch: "production",
		},
		{
			name: "a device that failed on the answer",
			arrange: func(w *world, r *Request) int64 {
				id := w.publish("production")
				r.RecentFailed = []string{"other", w.uuid(id)}
				return id
			},
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name: "a device that failed on another release",
			arrange: func(w *world, r *Request) int64 {
				r.RecentFailed = []string{w.uuid(w.publish("production"))}
				return w.publish("production")
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a rollback to the embedded update",
			arrange: func(w *world, r *Request) int64 {
				r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = w.uuid(w.publish("production")), embeddedID
				return w.publish("production", toEmbedded)
			},
			outcome: OutcomeRollbackToEmbedded, branch: "production",
		},
		{
			name: "a rollback for a device that says nothing of what it runs",
			arrange: func(w *world, _ *Request) int64 {
				return w.publish("production", toEmbedded)
			},
			outcome: OutcomeRollbackToEmbedded, branch: "production",
		},
		{
			name: "a rollback for a device that runs the embedded update",
			arrange: func(w *world, r *Request) int64 {
				r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = embeddedID, embeddedID
				return w.publish("production", toEmbedded)
			},
			outcome: OutcomeUpToDate, branch: "production",
		},
	})
}

func TestExplainSaysEveryStep(t *testing.T) {
	t.Parallel()
	w := newWorld()
	minimum := "0.9"
	w.production().MinRuntimeVersion = &minimum
	chosen := w.publish("production")
	rolling := w.publish("production", percentage(10))
	off := w.publish("production", disabled)
	device := deviceOutside(w.release(rolling).ShareSalt, 10)
	w.rollOut("next", 0)
	salt := w.release(rolling).ShareSalt

	d := w.snapshot(t).Explain(ask(device))

	require.Equal(t, OutcomeUpdate, d.Outcome)
	require.Equal(t, chosen, d.ReleaseID)
	var got []string
	for _, s := range d.Steps {
		got = append(got, s.Step+" "+s.Outcome)
		require.NotContains(t, s.Detail, "%!", "formatted")
	}
	require.Equal(t, []string{
		"channel open", "min_runtime_version not_below", "branch channel",
		"release skipped", "release skipped", "release chosen", "device update",
	}, got)
	require.Contains(t, d.Steps[3].Detail, "release "+itoa(off)+" is disabled")
	require.Contains(t, d.Steps[4].Detail, "release "+itoa(rolling))
	require.Contains(t, d.Steps[4].Detail, "bucket "+itoa(int64(rollout.Bucket(salt, device)))+" is not below threshold 10000")
	require.Contains(t, d.Steps[5].Detail, "release "+itoa(chosen)+": its share of 100 % holds every device")
}

func TestExplainSaysWhyNothingIsServed(t *testing.T) {
	t.Parallel()
	last := func(d Decision) Step { return d.Steps[len(d.Steps)-1] }
	t.Run("paused", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		w.production().IsPaused = true
		require.Equal(t, Step{StepChannel, "paused", "channel production is paused"}, last(w.snapshot(t).Explain(ask("d"))))
	})
	t.Run("below the minimum", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		minimum := "2.0.0"
		w.production().MinRuntimeVersion = &minimum
		require.Equal(t, "below", last(w.snapshot(t).Explain(ask("d"))).Outcome)
	})
	t.Run("no release for the runtime version", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		w.publish("production")
		r := ask("d")
		r.RuntimeVersion = "9"
		require.Equal(t, Step{StepRelease, "none", `branch production has no release for android with runtime version "9"`},
			last(w.snapshot(t).Explain(r)))
	})
	t.Run("no device id", func(t *testing.T) {
		t.Parallel()
		w := newWorld()
		w.publish("production", percentage(50))
		steps := w.snapshot(t).Explain(ask("")).Steps
		require.Contains(t, steps[len(steps)-2].Detail, "no device id")
		require.Equal(t, Step{StepRelease, "none", "no release of branch production is for this device"}, steps[len(steps)-1])
	})
	t.Run("unknown channel", func(t *testing.T) {
		t.Parallel()
		r := ask("d")
		r.Channel = "nope"
		require.Equal(t, "unknown", last(newWorld().snapshot(t).Explain(r)).Outcome)
	})
}

// TestSalts pins what the buckets of every device in the field depend on.
func TestSalts(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.rollOut("next", 10)
	rolling := w.publish("production", percentage(10))
	s := w.snapshot(t)
	require.Equal(t, "channel:demo/production", s.channels["production"].share.salt)
	require.Equal(t, "release:"+w.release(rolling).GroupID.String(), s.releases[w.uuid(rolling)].share.salt)
}
