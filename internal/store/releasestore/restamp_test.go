package releasestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// aliasesOf returns the project's aliases by release, in the order of their commit times.
func aliasesOf(f *storetest.Fixture) map[int64][]models.ReleaseAlias {
	f.T.Helper()
	snapshot, err := f.Snapshot(f.T.Context(), f.Demo.ID)
	require.NoError(f.T, err)
	found := map[int64][]models.ReleaseAlias{}
	var last time.Time
	for _, a := range snapshot.Aliases {
		require.True(f.T, a.CreatedAt.After(last))
		last = a.CreatedAt
		found[a.ReleaseID] = append(found[a.ReleaseID], a)
	}
	return found
}

func TestRestamp(t *testing.T) {
	t.Parallel()

	t.Run("gives what a rollback to the embedded update shadows another name and time", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first, off := f.MustPublish(), f.MustPublish(storetest.Disabled)
		staging := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
		deleted := f.MustPublish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted.ID))
		android := f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })
		back := rollback(f, toEmbedded())
		later := f.MustPublish()

		aliases := aliasesOf(f)
		require.Len(t, aliases, 3)
		last := back
		for _, r := range []models.Release{first, off, staging} {
			require.Len(t, aliases[r.ID], 1)
			a := aliases[r.ID][0]
			require.Equal(t, back.ID, a.RollbackID)
			require.Equal(t, r.UpdateUUID, a.OriginalUUID)
			require.NotEqual(t, r.UpdateUUID, a.UpdateUUID)
			require.Equal(t, last.CreatedAt.Add(time.Millisecond), a.CreatedAt, "in the order of the releases")
			last.CreatedAt = a.CreatedAt
		}
		require.True(t, later.CreatedAt.After(last.CreatedAt), "a later release is newer than all aliases")
		require.Empty(t, aliases[android.ID])

		entries, err := f.ReleaseHistory(t.Context(), f.Demo.ID, staging.ID, models.HistoryPage{})
		require.NoError(t, err)
		require.Equal(t, "update.rollback", entries[len(entries)-1].Action, "its history names the rollback that gave it the alias")
		require.InDelta(t, 3, entries[len(entries)-1].Details["restampedUpdates"], 0)
		storetest.RequireInvariants(f)

		rollback(f, toEmbedded())
		require.Len(t, aliasesOf(f)[first.ID], 2)
		require.Len(t, aliasesOf(f)[later.ID], 1)
		storetest.RequireInvariants(f)
	})

	t.Run("is done by a revert and a republication, too", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		other := f.MustPublish(func(p *models.Publish) { p.Channel = "staging" })
		bad := revertAt(f, 40)
		successor := newest(f)
		require.Equal(t, models.KindRollbackToEmbedded, successor.Kind)
		require.Equal(t, successor.ID, aliasesOf(f)[other.ID][0].RollbackID)
		require.Len(t, aliasesOf(f)[bad.ID], 1, "it may be enabled again")

		again, err := f.Republish(t.Context(), f.Demo.ID, storetest.Alice, successor.ID, models.Republish{})
		require.NoError(t, err)
		require.Equal(t, again.Updates[0].ID, aliasesOf(f)[other.ID][1].RollbackID)
		require.InDelta(t, 2, f.Audited(1)[0].Details["restampedUpdates"], 0)
		storetest.RequireInvariants(f)
	})

	t.Run("is of no release where nothing is shadowed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		revertAt(f, 10)
		good := f.MustPublish()
		f.MustPublish()
		rollback(f, backTo(good.ID))
		require.Empty(t, aliasesOf(f))
	})

	t.Run("is all or nothing", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		f.MustExec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`)
		f.MustExec(`CREATE TRIGGER refuse BEFORE INSERT ON release_aliases FOR EACH ROW EXECUTE FUNCTION refuse()`)
		_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice, toEmbedded())
		storetest.RequireCode(t, models.CodeInternal, err)
		require.Equal(t, r.ID, newest(f).ID)
		require.True(t, f.MustRelease(r.ID).IsEnabled)
	})

	t.Run("keeps a build whose release a device runs by another name", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice,
			models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: new(30)}})
		require.NoError(t, err)
		b := storetest.MakeOld(f, f.MustBuild("old"), 200)
		r := f.MustPublish(func(p *models.Publish) { p.BuildID = b.ID })
		rollback(f, toEmbedded())
		alias := aliasesOf(f)[r.ID][0].UpdateUUID.String()
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		f.MustExec("UPDATE releases SET deleted_at = now() - make_interval(days => 150) WHERE id = $1", r.ID)

		candidates, err := f.GarbageCandidates(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{r.UpdateUUID.String(), alias}, candidates)
		require.Empty(t, storetest.CollectGarbage(f, r.UpdateUUID.String()).Builds)
		require.Equal(t, []int64{b.ID}, storetest.BuildNumbers(storetest.CollectGarbage(f, candidates...).Builds))
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		rollback(f, toEmbedded())
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, f.Demo.Slug))
		require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM release_aliases"))
	})
}

// TestASuccessorStandsWhereTheRevertedReleaseStood has a fix that is rolling out while an earlier release, which is
// also still rolling out, goes bad.
func TestASuccessorStandsWhereTheRevertedReleaseStood(t *testing.T) {
	t.Parallel()

	t.Run("behind a newer release, which is newer to clients, too", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		bad, e := f.MustRollOut()
		e = f.MustReach(e, 100) // still watched
		fix, running := f.MustRollOut()
		running = f.MustReach(running, 20)
		f.MustApply(reverting(e))

		successor := newest(f)
		requireSuccessor(t, f, bad, successor, 100)
		require.Equal(t, bad.CreatedAt, *successor.PlaceAt)
		require.Positive(t, models.NewestFirst(&successor, &fix))
		require.Len(t, aliasesOf(f), 1)
		require.True(t, aliasesOf(f)[fix.ID][0].CreatedAt.After(successor.CreatedAt))
		require.Empty(t, f.Outbox(models.OutboxRolloutSuperseded), "the rollout of the fix continues")

		f.MustApply(reverting(running))
		second := newest(f)
		requireSuccessor(t, f, fix, second, 20)
		require.Equal(t, successor.ID, *second.RepublishedFromID, "the release that every other device has")
		storetest.RequireInvariants(f)
	})

	t.Run("is newer than the goal of a manual rollback", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		bad := revertAt(f, 30)
		successor := newest(f)
		require.Equal(t, []int64{successor.ID}, rollback(f, backTo(good.ID)).RolledBackUpdateIDs)
		require.False(t, f.MustRelease(bad.ID).IsEnabled)
	})
}

func TestASuccessorEndsWhenAnOlderRolloutReachesEverybody(t *testing.T) {
	t.Parallel()

	t.Run("if it went back behind that", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish()
		older, e := f.MustRollOut()
		e = f.MustReach(e, 10)
		revertAt(f, 20)
		successor := newest(f)
		e = f.MustReach(e, 50)
		require.True(t, f.MustRelease(successor.ID).IsEnabled)

		f.RequireBumped(true, func() { f.MustReach(e, 100) })
		require.False(t, f.MustRelease(successor.ID).IsEnabled)
		entries, err := f.ReleaseHistory(t.Context(), f.Demo.ID, successor.ID, models.HistoryPage{})
		require.NoError(t, err)
		last := entries[len(entries)-1]
		require.Equal(t, "update.patched", last.Action)
		require.Equal(t, map[string]any{"before": true, "after": false}, last.Details["isEnabled"])
		require.Contains(t, last.Details["reason"], "release")
		require.True(t, f.MustRelease(older.ID).IsEnabled)
		storetest.RequireInvariants(f)
	})

	t.Run("if it is an order to return to the embedded update", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		older := f.MustPublish(storetest.Share(10))
		revertAt(f, 20)
		successor := newest(f)
		require.Equal(t, models.KindRollbackToEmbedded, successor.Kind)
		f.MustPatch(older.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.False(t, f.MustRelease(successor.ID).IsEnabled)
	})

	t.Run("not if it repeats something newer, nor if it is for everybody, nor on another branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		off := f.MustPublish(storetest.Disabled)
		f.MustPublish()
		revertAt(f, 20)
		newer := newest(f)
		f.MustPublish(func(p *models.Publish) { p.Channel = "staging"; p.RolloutPercentage = new(50.0) })
		f.MustPatch(off.ID, models.ReleasePatch{IsEnabled: new(true)})
		require.True(t, f.MustRelease(newer.ID).IsEnabled, "what it repeats is newer")

		older := f.MustPublish(storetest.Share(10))
		_, e := f.MustRollOut()
		f.MustApply(reverting(f.MustReach(e, 100)))
		everybodys := newest(f)
		f.MustPatch(older.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.True(t, f.MustRelease(everybodys.ID).IsEnabled)
	})
}
