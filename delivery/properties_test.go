package delivery

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/rollout"
)

var (
	anyPercentage = rapid.OneOf(
		rapid.SampledFrom([]float64{0, 100, 50}),
		rapid.Map(rapid.IntRange(0, 100_000), func(n int) float64 { return float64(n) / 1000 }),
	)
	anyDevice  = rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-f0-9]{8}`))
	anyRuntime = rapid.SampledFrom([]string{testRuntime, "1.1.0", "fingerprint"})
)

func anyPlatform(t *rapid.T) models.Platform {
	return rapid.SampledFrom([]models.Platform{models.IOS, models.Android}).Draw(t, "platform")
}

// anyWorld is a project with some history on two branches.
func anyWorld(t *rapid.T) *world {
	w := newWorld()
	for range rapid.IntRange(0, 12).Draw(t, "releases") {
		w.publish(rapid.SampledFrom([]string{"production", "next"}).Draw(t, "branch"), func(r *models.Release) {
			r.Platform, r.RuntimeVersion = anyPlatform(t), anyRuntime.Draw(t, "runtime")
			r.IsEnabled = rapid.IntRange(0, 3).Draw(t, "enabled") > 0
			r.RolloutPercentage = anyPercentage.Draw(t, "percentage")
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				toEmbedded(r)
			}
			if rapid.IntRange(0, 4).Draw(t, "deleted") == 0 {
				at := r.CreatedAt
				r.DeletedAt = &at
			}
		})
	}
	if rapid.Bool().Draw(t, "override") {
		w.send("vip", "next")
	}
	if rapid.Bool().Draw(t, "branch rollout") {
		w.rollOut("next", anyPercentage.Draw(t, "channel percentage"))
	}
	return w
}

func anyRequest(t *rapid.T, w *world) Request {
	r := ask(anyDevice.Draw(t, "device"))
	r.UserID = rapid.SampledFrom([]string{"", "vip", "somebody"}).Draw(t, "user")
	r.Platform, r.RuntimeVersion = anyPlatform(t), anyRuntime.Draw(t, "device runtime")
	r.Protocol = rapid.IntRange(0, 1).Draw(t, "protocol")
	ids := []string{"", embeddedID}
	for i := range w.state.Releases {
		ids = append(ids, w.state.Releases[i].UpdateUUID.String())
	}
	r.CurrentUpdateUUID = rapid.SampledFrom(ids).Draw(t, "current")
	r.EmbeddedUpdateUUID = rapid.SampledFrom([]string{"", embeddedID}).Draw(t, "embedded")
	return r
}

// TestResolveFollowsTheRules compares with the contract's sentence, read plainly.
func TestResolveFollowsTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorld(t)
		r := anyRequest(t, w)
		branch := w.production().BranchID
		if p := w.production().RolloutPercentage; p != nil && rollout.InShare("channel:demo/production", r.DeviceID, *p) {
			branch = *w.production().RolloutBranchID
		}
		for _, o := range w.state.UserOverrides {
			if o.UserID == r.UserID {
				branch = o.BranchID
			}
		}
		i := slices.IndexFunc(w.state.Releases, func(rel models.Release) bool {
			return rel.BranchID == branch && rel.Platform == r.Platform && rel.RuntimeVersion == r.RuntimeVersion &&
				rel.IsEnabled && rel.DeletedAt == nil && rollout.InShare(rel.ShareSalt, r.DeviceID, rel.RolloutPercentage)
		})
		d := snapshotOf(t, w).Resolve(r)
		if i < 0 {
			require.Equal(t, OutcomeNoUpdate, d.Outcome)
			require.Zero(t, d.ReleaseID)
			return
		}
		want := w.state.Releases[i]
		require.Equal(t, want.ID, d.ReleaseID)
		embedded := r.CurrentUpdateUUID != "" && r.CurrentUpdateUUID == r.EmbeddedUpdateUUID
		switch {
		case want.Kind == models.KindRollbackToEmbedded && embedded, r.CurrentUpdateUUID == want.UpdateUUID.String() && want.Kind == models.KindUpdate:
			require.Equal(t, OutcomeUpToDate, d.Outcome)
		case want.Kind == models.KindRollbackToEmbedded:
			require.Equal(t, OutcomeRollbackToEmbedded, d.Outcome)
		default:
			require.Equal(t, OutcomeUpdate, d.Outcome)
		}
	})
}

func snapshotOf(t *rapid.T, w *world) *Snapshot {
	s, err := NewSnapshot(w.state, testBaseURL)
	require.NoError(t, err)
	return s
}

func TestEveryAnswerIsWellFormedAndExplainedAsDecided(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := anyWorld(t)
		s, r := snapshotOf(t, w), anyRequest(t, w)
		d := s.Resolve(r)
		a, err := readWire(s.Render(d, r), r.Protocol)
		require.NoError(t, err)
		if a.manifest != nil {
			require.Equal(t, d.UpdateUUID, a.manifest.ID)
			require.Equal(t, r.RuntimeVersion, a.manifest.RuntimeVersion)
			require.Equal(t, d.BranchName, a.manifest.Extra.Waft.BranchName)
		}
		explained := s.Explain(r)
		require.NotEmpty(t, explained.Steps)
		explained.Steps = nil
		require.Equal(t, d, explained)
		require.Equal(t, d, s.Resolve(r), "deterministic")
	})
}

func TestRaisingAShareOnlyAddsDevices(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		w.publish("production")
		rolling := w.publish("production")
		lower, higher := anyPercentage.Draw(t, "one"), anyPercentage.Draw(t, "other")
		if lower > higher {
			lower, higher = higher, lower
		}
		device := anyDevice.Draw(t, "device")
		serves := func(p float64) bool {
			w.release(rolling).RolloutPercentage = p
			return snapshotOf(t, w).Resolve(ask(device)).ReleaseID == rolling
		}
		if serves(lower) {
			require.True(t, serves(higher))
		}
	})
}

func TestASuccessorReachesExactlyTheDevicesOfTheRevertedRelease(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		good := w.publish("production")
		bad := w.publish("production", percentage(anyPercentage.Draw(t, "percentage")))
		before := snapshotOf(t, w)
		successor := w.revert(bad)
		after := snapshotOf(t, w)
		for range 20 {
			r := ask(anyDevice.Draw(t, "device"))
			if before.Resolve(r).ReleaseID == bad {
				require.Equal(t, successor, after.Resolve(r).ReleaseID)
			} else {
				require.Equal(t, good, after.Resolve(r).ReleaseID)
			}
		}
	})
}

// TestStockClientsEndUpOnWhatTheyAreServed drives phones through any sequence of
// changes that does not go back beyond a rollback to the embedded update: after
// each, a phone runs what the rules say, whatever it stored before.
func TestStockClientsEndUpOnWhatTheyAreServed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		w.branch("next")
		var phones []*stockClient
		for i := range 3 {
			phone := newStockClient(fmt.Sprintf("device-%d-%s", i, anyDevice.Draw(t, "device")))
			phone.user = rapid.SampledFrom([]string{"", "vip", "somebody"}).Draw(t, "user")
			phones = append(phones, phone)
		}
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			change := rapid.SampledFrom(changes).Draw(t, "change")
			change(t, w)
			s := snapshotOf(t, w)
			for i, phone := range phones {
				if !rapid.Bool().Draw(t, "phone is used") {
					continue
				}
				before := phone.running.release
				got := phone.coldStart(t, s)
				require.Equal(t, wanted(s, w, phone, before), got, "phone %d ran %d", i, before)
			}
		}
	})
}

// wanted is the release that the phone should run after a cold start.
func wanted(s *Snapshot, w *world, phone *stockClient, before int64) int64 {
	if w.production().IsPaused {
		if before != embedded && (!w.release(before).IsEnabled || w.release(before).DeletedAt != nil) {
			return phone.running.release // some older one, as it happens to have
		}
		return before
	}
	r := ask(phone.id)
	r.UserID = phone.user
	r.CurrentUpdateUUID, r.EmbeddedUpdateUUID = phone.running.id, embeddedID
	return s.Resolve(r).ReleaseID
}

// changes are what engineers do to a project.
var changes = []func(t *rapid.T, w *world){
	func(t *rapid.T, w *world) {
		branch := rapid.SampledFrom([]string{"production", "next"}).Draw(t, "branch")
		w.publish(branch, percentage(anyPercentage.Draw(t, "percentage")))
	},
	func(t *rapid.T, w *world) {
		if r := anyRelease(t, w); r != nil {
			r.IsEnabled = !r.IsEnabled
		}
	},
	func(t *rapid.T, w *world) {
		if r := anyRelease(t, w); r != nil {
			r.RolloutPercentage = anyPercentage.Draw(t, "percentage")
		}
	},
	func(t *rapid.T, w *world) {
		if r := anyRelease(t, w); r != nil {
			w.remove(r.ID)
		}
	},
	func(t *rapid.T, w *world) {
		if r := anyRelease(t, w); r != nil && r.IsEnabled && r.DeletedAt == nil {
			w.revert(r.ID)
		}
	},
	func(t *rapid.T, w *world) {
		w.production().BranchID = w.branchID(rapid.SampledFrom([]string{"production", "next"}).Draw(t, "points to"))
	},
	func(t *rapid.T, w *world) { w.rollOut("next", anyPercentage.Draw(t, "channel percentage")) },
	func(_ *rapid.T, w *world) { w.production().IsPaused = !w.production().IsPaused },
	func(t *rapid.T, w *world) {
		w.send("vip", rapid.SampledFrom([]string{"production", "next"}).Draw(t, "override"))
	},
	func(_ *rapid.T, w *world) { w.unsend("vip") },
}

func anyRelease(t *rapid.T, w *world) *models.Release {
	if len(w.state.Releases) == 0 {
		return nil
	}
	return &w.state.Releases[rapid.IntRange(0, len(w.state.Releases)-1).Draw(t, "release")]
}
