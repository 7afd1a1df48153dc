package delivery

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// resolveCase arranges a project and a request, and holds the expected resolution.
type resolveCase struct {
	name    string
	arrange func(tp *testProject, r *Request) (release int64)
	outcome Outcome
	branch  string
}

func testResolve(t *testing.T, cases []resolveCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tp := newTestProject()
			r := ask("device")
			release := c.arrange(tp, &r)
			d := tp.snapshot(t).Resolve(r)
			require.Equal(t, c.outcome, d.Outcome)
			require.Equal(t, c.branch, d.BranchName)
			require.Equal(t, release, d.ReleaseID)
			if release != 0 {
				require.Equal(t, tp.uuid(release), d.UpdateUUID)
			}
			require.Empty(t, d.Steps)
		})
	}
}

// The channel's state and the minimum runtime version are checked before any release.
func TestResolveTheChannelComesFirst(t *testing.T) {
	t.Parallel()
	testResolve(t, []resolveCase{
		{
			name:    "an unknown channel",
			arrange: func(tp *testProject, r *Request) int64 { tp.publish("production"); r.Channel = "nope"; return 0 },
			outcome: OutcomeUnknownChannel,
		},
		{
			name: "a paused channel serves nothing",
			arrange: func(tp *testProject, _ *Request) int64 {
				tp.publish("production")
				tp.production().IsPaused = true
				return 0
			},
			outcome: OutcomeChannelPaused,
		},
		{
			name: "paused comes before the minimum runtime version",
			arrange: func(tp *testProject, _ *Request) int64 {
				tp.publish("production")
				tp.production().IsPaused, tp.production().MinRuntimeVersion = true, new("2")
				return 0
			},
			outcome: OutcomeChannelPaused,
		},
		{
			name: "a runtime version below the minimum",
			arrange: func(tp *testProject, _ *Request) int64 {
				tp.publish("production")
				tp.production().MinRuntimeVersion = new("1.0.1")
				return 0
			},
			outcome: OutcomeStoreUpdateRequired,
		},
		{
			name: "a runtime version at the minimum",
			arrange: func(tp *testProject, _ *Request) int64 {
				tp.production().MinRuntimeVersion = new("1")
				return tp.publish("production")
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
			arrange: func(*testProject, *Request) int64 { return 0 },
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name:    "the newest release",
			arrange: func(tp *testProject, _ *Request) int64 { tp.publish("production"); return tp.publish("production") },
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name:    "releases of other branches do not count",
			arrange: func(tp *testProject, _ *Request) int64 { id := tp.publish("production"); tp.publish("next"); return id },
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "releases of other platforms and runtime versions do not count",
			arrange: func(tp *testProject, _ *Request) int64 {
				id := tp.publish("production")
				tp.publish("production", func(r *models.Release) { r.Platform = models.IOS })
				tp.publish("production", func(r *models.Release) { r.RuntimeVersion = "1.0" })
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "disabled and deleted releases are skipped",
			arrange: func(tp *testProject, _ *Request) int64 {
				id := tp.publish("production")
				tp.publish("production", disabled)
				tp.remove(tp.publish("production"))
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
			arrange: func(tp *testProject, r *Request) int64 {
				id := tp.publish("production")
				rolling := tp.publish("production", percentage(10))
				r.DeviceID = deviceOutside(tp.release(rolling).ShareSalt, 10)
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device in the share gets the release",
			arrange: func(tp *testProject, r *Request) int64 {
				tp.publish("production")
				rolling := tp.publish("production", percentage(10))
				r.DeviceID = deviceIn(tp.release(rolling).ShareSalt, 10)
				return rolling
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device without an id is in no share below 100",
			arrange: func(tp *testProject, r *Request) int64 {
				id := tp.publish("production")
				tp.publish("production", percentage(99.999))
				tp.rollOut("next", 99.999)
				r.DeviceID = ""
				return id
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a device outside the share of the first release",
			arrange: func(tp *testProject, _ *Request) int64 {
				tp.publish("production", percentage(0))
				return 0
			},
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name: "a device in the channel's share gets the rollout branch",
			arrange: func(tp *testProject, r *Request) int64 {
				tp.publish("production")
				tp.rollOut("next", 10)
				r.DeviceID = deviceIn(channelSalt("demo", "production"), 10)
				return tp.publish("next")
			},
			outcome: OutcomeUpdate, branch: "next",
		},
		{
			name: "a device outside the channel's share gets the channel's branch",
			arrange: func(tp *testProject, r *Request) int64 {
				tp.publish("next")
				tp.rollOut("next", 10)
				r.DeviceID = deviceOutside(channelSalt("demo", "production"), 10)
				return tp.publish("production")
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
			arrange: func(tp *testProject, r *Request) int64 {
				id := tp.publish("production")
				r.CurrentUpdateUUID = tp.uuid(id)
				return id
			},
			outcome: OutcomeUpToDate, branch: "production",
		},
		{
			name: "a device that failed on the answer",
			arrange: func(tp *testProject, r *Request) int64 {
				id := tp.publish("production")
				r.RecentFailed = []string{"other", tp.uuid(id)}
				return id
			},
			outcome: OutcomeNoUpdate, branch: "production",
		},
		{
			name: "a device that failed on another release",
			arrange: func(tp *testProject, r *Request) int64 {
				r.RecentFailed = []string{tp.uuid(tp.publish("production"))}
				return tp.publish("production")
			},
			outcome: OutcomeUpdate, branch: "production",
		},
		{
			name: "a rollback to the embedded update",
			arrange: func(tp *testProject, r *Request) int64 {
				r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = tp.uuid(tp.publish("production")), embeddedID
				return tp.publish("production", toEmbedded)
			},
			outcome: OutcomeRollbackToEmbedded, branch: "production",
		},
		{
			name: "a rollback for a device that says nothing of what it runs",
			arrange: func(tp *testProject, _ *Request) int64 {
				return tp.publish("production", toEmbedded)
			},
			outcome: OutcomeRollbackToEmbedded, branch: "production",
		},
		{
			name: "a rollback for a device that runs the embedded update",
			arrange: func(tp *testProject, r *Request) int64 {
				r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = embeddedID, embeddedID
				return tp.publish("production", toEmbedded)
			},
			outcome: OutcomeUpToDate, branch: "production",
		},
	})
}

func TestExplainSaysEveryStep(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	minimum := "0.9"
	tp.production().MinRuntimeVersion = &minimum
	chosen := tp.publish("production")
	rolling := tp.publish("production", percentage(10))
	off := tp.publish("production", disabled)
	device := deviceOutside(tp.release(rolling).ShareSalt, 10)
	tp.rollOut("next", 0)
	salt := tp.release(rolling).ShareSalt

	d := tp.snapshot(t).Explain(ask(device))

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
	require.Contains(t, d.Steps[4].Detail, "the device is not in the 10%: its position is "+rollout.Position(rollout.Bucket(salt, device), 10_000))
	require.Contains(t, d.Steps[5].Detail, "release "+itoa(chosen)+": its rollout percentage of 100% includes every device")
}

func TestExplainSaysWhyNothingIsServed(t *testing.T) {
	t.Parallel()
	last := func(d Decision) Step { return d.Steps[len(d.Steps)-1] }
	t.Run("paused", func(t *testing.T) {
		t.Parallel()
		tp := newTestProject()
		tp.production().IsPaused = true
		require.Equal(t, Step{StepChannel, "paused", "channel production is paused"}, last(tp.snapshot(t).Explain(ask("d"))))
	})
	t.Run("below the minimum", func(t *testing.T) {
		t.Parallel()
		tp := newTestProject()
		minimum := "2.0.0"
		tp.production().MinRuntimeVersion = &minimum
		require.Equal(t, "below", last(tp.snapshot(t).Explain(ask("d"))).Outcome)
	})
	t.Run("no release for the runtime version", func(t *testing.T) {
		t.Parallel()
		tp := newTestProject()
		tp.publish("production")
		r := ask("d")
		r.RuntimeVersion = "9"
		require.Equal(t, Step{StepRelease, "none", `branch production has no release for android with runtime version "9"`},
			last(tp.snapshot(t).Explain(r)))
	})
	t.Run("no device ID", func(t *testing.T) {
		t.Parallel()
		tp := newTestProject()
		tp.publish("production", percentage(50))
		steps := tp.snapshot(t).Explain(ask("")).Steps
		require.Contains(t, steps[len(steps)-2].Detail, "no device ID")
		require.Equal(t, Step{StepRelease, "none", "branch production has no release for this device"}, steps[len(steps)-1])
	})
	t.Run("unknown channel", func(t *testing.T) {
		t.Parallel()
		r := ask("d")
		r.Channel = "nope"
		require.Equal(t, "unknown", last(newTestProject().snapshot(t).Explain(r)).Outcome)
	})
}

// TestSalts pins the salts, because the buckets of all devices in the field depend on them.
func TestSalts(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.rollOut("next", 10)
	rolling := tp.publish("production", percentage(10))
	s := tp.snapshot(t)
	require.Equal(t, "channel:demo/production", s.channels["production"].share.salt)
	require.Equal(t, "release:"+tp.release(rolling).GroupID.String(), s.releases[tp.uuid(rolling)].share.salt)
}
