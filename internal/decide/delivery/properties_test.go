package delivery

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var (
	anyPercentage = rapid.OneOf(
		rapid.SampledFrom([]float64{0, 100, 50}),
		rapid.Map(rapid.IntRange(0, 100_000), func(n int) float64 { return float64(n) / 1000 }),
	)
	anyDevice  = rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-f0-9]{8}`))
	anyRuntime = rapid.SampledFrom([]string{testRuntime, "1.1.0", "fingerprint"})
	anyBranch  = rapid.SampledFrom([]string{"production", "next"})
	// Some minimums are above the runtime versions above, some are not, and one is not a version.
	anyMinimum = rapid.SampledFrom([]string{"1", "1.0.1", "1.1.0", "2", "any"})
)

func anyPlatform(t *rapid.T) models.Platform {
	return rapid.SampledFrom([]models.Platform{models.IOS, models.Android}).Draw(t, "platform")
}

func oneIn(t *rapid.T, n int, what string) bool { return rapid.IntRange(1, n).Draw(t, what) == n }

// anyProject returns a project with some history on two branches.
func anyProject(t *rapid.T) *testProject {
	tp := newTestProject()
	for range rapid.IntRange(0, 12).Draw(t, "releases") {
		tp.publish(anyBranch.Draw(t, "branch"), func(r *models.Release) {
			r.Platform, r.RuntimeVersion = anyPlatform(t), anyRuntime.Draw(t, "runtime")
			r.IsEnabled = !oneIn(t, 4, "disabled")
			r.RolloutPercentage = anyPercentage.Draw(t, "percentage")
			r.IsCritical = oneIn(t, 4, "critical")
			if oneIn(t, 5, "to embedded") {
				toEmbedded(r)
			}
		})
		if r := tp.state.Releases[0]; oneIn(t, 5, "deleted") {
			tp.remove(r.ID)
		} else if r.IsEnabled && oneIn(t, 4, "reverted") {
			tp.revert(r.ID)
		}
	}
	if rapid.Bool().Draw(t, "override") {
		tp.send("vip", "next")
	}
	if rapid.Bool().Draw(t, "branch rollout") {
		tp.rollOut("next", anyPercentage.Draw(t, "channel percentage"))
	}
	if oneIn(t, 3, "minimum") {
		minimum := anyMinimum.Draw(t, "minimum version")
		tp.production().MinRuntimeVersion = &minimum
	}
	tp.production().IsPaused = oneIn(t, 8, "paused")
	return tp
}

// anyRequest returns the request of a device that may run any update and may have failed on any update.
func anyRequest(t *rapid.T, tp *testProject) Request {
	r := ask(anyDevice.Draw(t, "device"))
	r.UserID = rapid.SampledFrom([]string{"", "vip", "somebody"}).Draw(t, "user")
	r.Platform, r.RuntimeVersion = anyPlatform(t), anyRuntime.Draw(t, "device runtime")
	r.Protocol = rapid.IntRange(0, 1).Draw(t, "protocol")
	ids := []string{"", embeddedID, "00000000-0000-4000-8000-000000000bad"}
	for _, rel := range tp.state.Releases {
		ids = append(ids, tp.names(rel)...)
	}
	r.CurrentUpdateUUID = rapid.SampledFrom(ids).Draw(t, "current")
	r.EmbeddedUpdateUUID = rapid.SampledFrom([]string{"", embeddedID}).Draw(t, "embedded")
	r.RecentFailed = rapid.SliceOfN(rapid.SampledFrom(ids), 0, 2).Draw(t, "failed")
	return r
}

func snapshotOf(t *rapid.T, tp *testProject) *Snapshot {
	s, err := NewSnapshot(tp.copy(), testBaseURL)
	require.NoError(t, err)
	return s
}

// TestResolveFollowsTheRules compares Resolve with a plain implementation of its rules.
func TestResolveFollowsTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		r := anyRequest(t, tp)
		want, d := rules(tp, r), snapshotOf(t, tp).Resolve(r)
		require.Equal(t, want.outcome, d.Outcome)
		if want.release == nil {
			require.Zero(t, d.ReleaseID)
			require.Empty(t, d.UpdateUUID)
			return
		}
		require.Equal(t, want.release.ID, d.ReleaseID)
		require.Equal(t, tp.branchNamed(want.branch), d.BranchName)
		names := tp.names(want.release)
		require.Equal(t, names[len(names)-1], d.UpdateUUID, "served under the newest alias")
	})
}

func TestEveryAnswerIsWellFormedAndOfTheDevicesPlatformAndRuntimeVersion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		s, r := snapshotOf(t, tp), anyRequest(t, tp)
		d := s.Resolve(r)
		if d.release != nil {
			require.Equal(t, r.Platform, d.release.Platform)
			require.Equal(t, r.RuntimeVersion, d.release.RuntimeVersion)
			require.True(t, d.release.IsEnabled)
			require.Nil(t, d.release.DeletedAt)
		}
		a, err := readWire(s.Respond(r), r.Protocol)
		require.NoError(t, err)
		if a.manifest == nil {
			return
		}
		require.Equal(t, d.UpdateUUID, a.manifest.ID)
		require.Equal(t, r.RuntimeVersion, a.manifest.RuntimeVersion)
		require.Equal(t, d.BranchName, a.manifest.Extra.Waft.BranchName)
		require.Equal(t, d.ReleaseID, a.manifest.Extra.Waft.ReleaseID)
		critical, said := a.manifest.Metadata["isCritical"]
		require.Equal(t, d.release.IsCritical, said, "only for critical releases")
		require.Equal(t, d.release.IsCritical, said && critical == true)
		require.Equal(t, d.release.IsCritical, a.manifest.Extra.Waft.IsCritical)
	})
}

func TestWhatIsExplainedIsWhatIsDecidedEachTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		s, r := snapshotOf(t, tp), anyRequest(t, tp)
		d := s.Resolve(r)
		require.Equal(t, d, s.Resolve(r), "deterministic")
		require.Equal(t, d, snapshotResolves(t, tp, r, d), "the same as in a snapshot built from scratch")
		explained := s.Explain(r)
		requireExplained(t, tp, r, explained)
		explained.Steps = nil
		require.Equal(t, d, explained)
		// ExplainAt with the release's own percentage must return the same decision.
		if len(tp.state.Releases) > 0 {
			rel := anyRelease(t, tp)
			supposed, ok := s.ExplainAt(r, rel.ID, rel.RolloutPercentage)
			require.Equal(t, rel.DeletedAt == nil, ok)
			if ok {
				supposed.Steps = nil
				require.Equal(t, d, supposed)
			}
		}
	})
}

// snapshotResolves returns the decision of another snapshot of the same project. It replaces the records by the
// records of d, which are equal but different objects.
func snapshotResolves(t *rapid.T, tp *testProject, r Request, d Decision) Decision {
	again := snapshotOf(t, tp).Resolve(r)
	require.Equal(t, d.release == nil, again.release == nil)
	again.release, again.channel = d.release, d.channel
	return again
}

// requireExplained checks that the steps name every release that was skipped, and every share that was checked with
// its bucket and threshold.
func requireExplained(t *rapid.T, tp *testProject, r Request, d Decision) {
	require.Equal(t, StepChannel, d.Steps[0].Step)
	skipped := []Step{}
	for _, s := range d.Steps {
		require.NotEmpty(t, s.Outcome)
		require.NotEmpty(t, s.Detail)
		if s.Step == StepRelease && s.Outcome == "skipped" {
			skipped = append(skipped, s)
		}
	}
	want := []Step{}
	rule := rules(tp, r)
	if rule.branch == 0 {
		require.Empty(t, skipped, "the resolution ended before the releases")
		return
	}
	probe := &models.Release{BranchID: rule.branch, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}
	for _, rel := range tp.stream(probe) {
		if rule.release != nil && rel.ID == rule.release.ID {
			break
		}
		detail := "release " + itoa(rel.ID) + " is disabled"
		if rel.IsEnabled {
			detail = "release " + itoa(rel.ID) + ": " + share{salt: rel.ShareSalt, percentage: rel.RolloutPercentage}.explain(r.DeviceID)
			if r.DeviceID != "" {
				position := rollout.Position(rollout.Bucket(rel.ShareSalt, r.DeviceID), rollout.Threshold(rel.RolloutPercentage))
				require.Contains(t, detail, fmt.Sprintf("not in the %v%%: its position is %s", rel.RolloutPercentage, position))
			}
		}
		want = append(want, Step{StepRelease, "skipped", detail})
	}
	require.Equal(t, want, skipped)
}

// TestSupposingAShareIsAsIfItWereSo compares ExplainAt with a project that has the other percentage.
func TestSupposingAShareIsAsIfItWereSo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		r := anyRequest(t, tp)
		rel := anyRelease(t, tp)
		if rel == nil || rel.DeletedAt != nil {
			return
		}
		percentage := anyPercentage.Draw(t, "supposed")
		d, ok := snapshotOf(t, tp).ExplainAt(r, rel.ID, percentage)
		require.True(t, ok)
		rel.RolloutPercentage = percentage
		want := rules(tp, r)
		require.Equal(t, want.outcome, d.Outcome)
		if want.release != nil {
			require.Equal(t, want.release.ID, d.ReleaseID)
		}
	})
}

func TestRaisingAShareOnlyAddsDevices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		tp.production().IsPaused, tp.production().MinRuntimeVersion = false, nil
		rolling := tp.publish("production")
		lower, higher := anyPercentage.Draw(t, "one"), anyPercentage.Draw(t, "other")
		if lower > higher {
			lower, higher = higher, lower
		}
		device := anyDevice.Draw(t, "device")
		serves := func(p float64) bool {
			tp.release(rolling).RolloutPercentage = p
			return snapshotOf(t, tp).Resolve(ask(device)).ReleaseID == rolling
		}
		if serves(lower) {
			require.True(t, serves(higher))
		}
		leads := func(p float64) bool {
			tp.rollOut("next", p)
			return snapshotOf(t, tp).Resolve(ask(device)).BranchName == "next"
		}
		if leads(lower) {
			require.True(t, leads(higher))
		}
	})
}

func TestAnOverrideBeatsEveryShare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		tp.production().IsPaused, tp.production().MinRuntimeVersion = false, nil
		tp.send("vip", "preview")
		tp.rollOut("next", anyPercentage.Draw(t, "channel percentage"))
		r := anyRequest(t, tp)
		r.UserID = "vip"
		require.Equal(t, "preview", snapshotOf(t, tp).Resolve(r).BranchName)
	})
}

// TestBothPlatformsOfAGroupAgree publishes two releases in one group. A device must be inside both rollouts or
// outside both.
func TestBothPlatformsOfAGroupAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp, p := newTestProject(), anyPercentage.Draw(t, "percentage")
		android := tp.publish("production", percentage(p))
		ios := tp.publish("production", percentage(p), func(r *models.Release) {
			r.Platform, r.GroupID, r.ShareSalt = models.IOS, tp.release(android).GroupID, tp.release(android).ShareSalt
		})
		s, r := snapshotOf(t, tp), ask(anyDevice.Draw(t, "device"))
		onAndroid := s.Resolve(r).ReleaseID == android
		r.Platform = models.IOS
		require.Equal(t, onAndroid, s.Resolve(r).ReleaseID == ios)
	})
}

// TestARevertMovesTheDevicesThatCouldHaveTheBadReleaseAndNoOthers starts with any history, in which older and newer
// releases may be rolling out too.
func TestARevertMovesTheDevicesThatCouldHaveTheBadReleaseAndNoOthers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := newTestProject()
		tp.publish("production")
		ids := []int64{}
		for range rapid.IntRange(1, 4).Draw(t, "rollouts") {
			ids = append(ids, tp.publish("production", percentage(anyPercentage.Draw(t, "percentage"))))
		}
		bad := tp.release(rapid.SampledFrom(ids).Draw(t, "bad"))
		before := snapshotOf(t, tp)
		successor := tp.revert(bad.ID)
		after := snapshotOf(t, tp)
		for range 20 {
			r := ask(anyDevice.Draw(t, "device"))
			was, is := before.Resolve(r).ReleaseID, after.Resolve(r).ReleaseID
			if was != bad.ID {
				older := was < bad.ID && rollout.InShare(bad.ShareSalt, r.DeviceID, bad.ReachedPercentage)
				require.False(t, older, "the device would have got the bad release")
				require.Equal(t, was, is, "the rollback does not change its release, even if a newer release is rolling out")
				continue
			}
			require.Equal(t, successor, is)
		}
	})
}

// TestADeviceGetsTheNewestReleaseThatHoldsIt has several rollouts at the same time, including a rollout of the first
// release.
func TestADeviceGetsTheNewestReleaseThatHoldsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := newTestProject()
		var releases []*models.Release
		for range rapid.IntRange(1, 5).Draw(t, "rollouts") {
			releases = append(releases, tp.release(tp.publish("production", percentage(anyPercentage.Draw(t, "percentage")))))
		}
		device := anyDevice.Draw(t, "device")
		want := int64(0)
		for _, r := range releases {
			if rollout.InShare("release:"+r.GroupID.String(), device, r.RolloutPercentage) {
				want = r.ID
			}
		}
		d := snapshotOf(t, tp).Resolve(ask(device))
		require.Equal(t, want, d.ReleaseID)
		if want == 0 {
			require.Equal(t, OutcomeNoUpdate, d.Outcome)
		}
	})
}

func TestAPausedChannelAndABinaryTooOldGetNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		r := anyRequest(t, tp)
		minimum := "2"
		tp.production().IsPaused, tp.production().MinRuntimeVersion = false, &minimum
		d := snapshotOf(t, tp).Resolve(r)
		require.Equal(t, r.RuntimeVersion != "fingerprint", d.Outcome == OutcomeStoreUpdateRequired, "a string that is not a version is never below a version")
		tp.production().IsPaused = true
		d = snapshotOf(t, tp).Resolve(r)
		require.Equal(t, OutcomeChannelPaused, d.Outcome)
		require.Zero(t, d.ReleaseID)
	})
}

func anyRelease(t *rapid.T, tp *testProject) *models.Release {
	if len(tp.state.Releases) == 0 {
		return nil
	}
	return tp.state.Releases[rapid.IntRange(0, len(tp.state.Releases)-1).Draw(t, "release")]
}

// branchNamed returns the name of the branch with the ID.
func (tp *testProject) branchNamed(id int64) string {
	i := slices.IndexFunc(tp.state.Branches, func(b models.Branch) bool { return b.ID == id })
	return tp.state.Branches[i].Name
}
