package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// aliases are the project's, by release, in the order of their commit times.
func (f *fixture) aliases() map[int64][]models.ReleaseAlias {
	f.t.Helper()
	snapshot, err := f.Snapshot(f.t.Context(), f.project.ID)
	require.NoError(f.t, err)
	found := map[int64][]models.ReleaseAlias{}
	var last time.Time
	for _, a := range snapshot.Aliases {
		require.True(f.t, a.CreatedAt.After(last))
		last = a.CreatedAt
		found[a.ReleaseID] = append(found[a.ReleaseID], a)
	}
	return found
}

func TestRestamp(t *testing.T) {
	t.Parallel()

	t.Run("gives what a rollback to the embedded update shadows another name and time", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first, off := f.publish(), f.publish(disabled)
		staging := f.publish(func(p *models.Publish) { p.Channel = "staging" })
		deleted := f.publish()
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, deleted.ID))
		android := f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })
		back := f.rollback(toEmbedded())
		later := f.publish()

		aliases := f.aliases()
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
		require.True(t, later.CreatedAt.After(last.CreatedAt), "what comes later is newer than all of it")
		require.Empty(t, aliases[android.ID])

		entries, err := f.ReleaseHistory(t.Context(), f.project.ID, staging.ID, models.HistoryPage{})
		require.NoError(t, err)
		require.Equal(t, "update.rollback", entries[len(entries)-1].Action, "its history says where its new name is from")
		require.InDelta(t, 3, entries[len(entries)-1].Details["restampedUpdates"], 0)
		f.requireInvariants()

		f.rollback(toEmbedded())
		require.Len(t, f.aliases()[first.ID], 2)
		require.Len(t, f.aliases()[later.ID], 1)
		f.requireInvariants()
	})

	t.Run("is done by a revert and a republication, too", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		other := f.publish(func(p *models.Publish) { p.Channel = "staging" })
		bad := f.revertAt(40)
		successor := f.newest()
		require.Equal(t, models.KindRollbackToEmbedded, successor.Kind)
		require.Equal(t, successor.ID, f.aliases()[other.ID][0].RollbackID)
		require.Len(t, f.aliases()[bad.ID], 1, "it may be enabled again")

		again, err := f.Republish(t.Context(), f.project.ID, alice, successor.ID, models.Republish{})
		require.NoError(t, err)
		require.Equal(t, again.Updates[0].ID, f.aliases()[other.ID][1].RollbackID)
		require.InDelta(t, 2, f.audited(1)[0].Details["restampedUpdates"], 0)
		f.requireInvariants()
	})

	t.Run("is of no release where nothing is shadowed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		f.revertAt(10)
		good := f.publish()
		f.publish()
		f.rollback(backTo(good.ID))
		require.Empty(t, f.aliases())
	})

	t.Run("is all or nothing", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		f.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`)
		f.exec(`CREATE TRIGGER refuse BEFORE INSERT ON release_aliases FOR EACH ROW EXECUTE FUNCTION refuse()`)
		_, err := f.Rollback(t.Context(), f.project.ID, alice, toEmbedded())
		requireCode(t, models.CodeInternal, err)
		require.Equal(t, r.ID, f.newest().ID)
		require.True(t, f.release(r.ID).IsEnabled)
	})

	t.Run("keeps a build whose release a device runs by another name", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.UpdateSettings(t.Context(), f.project.ID, alice, models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: new(30)}})
		require.NoError(t, err)
		b := f.age(f.build("old"), 200)
		r := f.publish(func(p *models.Publish) { p.BuildID = b.ID })
		f.rollback(toEmbedded())
		alias := f.aliases()[r.ID][0].UpdateUUID.String()
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		f.exec("UPDATE releases SET deleted_at = now() - make_interval(days => 150) WHERE id = $1", r.ID)

		candidates, err := f.GarbageCandidates(t.Context(), f.project.ID)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{r.UpdateUUID.String(), alias}, candidates)
		require.Empty(t, f.collect(r.UpdateUUID.String()).Builds)
		require.Equal(t, []int64{b.ID}, buildNumbers(f.collect(candidates...).Builds))
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		f.rollback(toEmbedded())
		require.NoError(t, f.DeleteProject(t.Context(), alice, f.project.Slug))
		require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM release_aliases"))
	})
}

// TestASuccessorStandsWhereTheRevertedReleaseStood has a fix rolling out while the
// release before it, which also is, goes bad.
func TestASuccessorStandsWhereTheRevertedReleaseStood(t *testing.T) {
	t.Parallel()

	t.Run("behind a newer release, which is newer to clients, too", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		bad, e := f.rollOut()
		e = f.reach(e, 100) // still watched
		fix, running := f.rollOut()
		running = f.reach(running, 20)
		f.apply(reverting(e))

		successor := f.newest()
		requireSuccessor(t, f, bad, successor, 100)
		require.Equal(t, bad.CreatedAt, *successor.PlaceAt)
		require.Positive(t, models.NewestFirst(&successor, &fix))
		require.Len(t, f.aliases(), 1)
		require.True(t, f.aliases()[fix.ID][0].CreatedAt.After(successor.CreatedAt))
		require.Empty(t, f.outbox(models.OutboxRolloutSuperseded), "the fix rolls on")

		f.apply(reverting(running))
		second := f.newest()
		requireSuccessor(t, f, fix, second, 20)
		require.Equal(t, successor.ID, *second.RepublishedFromID, "what everybody else has")
		f.requireInvariants()
	})

	t.Run("is newer than a release to go back to by hand", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		bad := f.revertAt(30)
		successor := f.newest()
		require.Equal(t, []int64{successor.ID}, f.rollback(backTo(good.ID)).RolledBackUpdateIDs)
		require.False(t, f.release(bad.ID).IsEnabled)
	})
}

func TestASuccessorEndsWhenAnOlderRolloutReachesEverybody(t *testing.T) {
	t.Parallel()

	t.Run("if it went back behind that", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish()
		older, e := f.rollOut()
		e = f.reach(e, 10)
		f.revertAt(20)
		successor := f.newest()
		e = f.reach(e, 50)
		require.True(t, f.release(successor.ID).IsEnabled)

		f.requireBumped(true, func() { f.reach(e, 100) })
		require.False(t, f.release(successor.ID).IsEnabled)
		entries, err := f.ReleaseHistory(t.Context(), f.project.ID, successor.ID, models.HistoryPage{})
		require.NoError(t, err)
		last := entries[len(entries)-1]
		require.Equal(t, "update.patched", last.Action)
		require.Equal(t, map[string]any{"before": true, "after": false}, last.Details["isEnabled"])
		require.Contains(t, last.Details["reason"], "release")
		require.True(t, f.release(older.ID).IsEnabled)
		f.requireInvariants()
	})

	t.Run("if it is an order to return to the embedded update", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		older := f.publish(share(10))
		f.revertAt(20)
		successor := f.newest()
		require.Equal(t, models.KindRollbackToEmbedded, successor.Kind)
		f.patch(older.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.False(t, f.release(successor.ID).IsEnabled)
	})

	t.Run("not if it repeats something newer, nor if it is for everybody, nor on another branch", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		off := f.publish(disabled)
		f.publish()
		f.revertAt(20)
		newer := f.newest()
		f.publish(func(p *models.Publish) { p.Channel = "staging"; p.RolloutPercentage = new(50.0) })
		f.patch(off.ID, models.ReleasePatch{IsEnabled: new(true)})
		require.True(t, f.release(newer.ID).IsEnabled, "what it repeats is newer")

		older := f.publish(share(10))
		_, e := f.rollOut()
		f.apply(reverting(f.reach(e, 100)))
		everybodys := f.newest()
		f.patch(older.ID, models.ReleasePatch{RolloutPercentage: new(100.0)})
		require.True(t, f.release(everybodys.ID).IsEnabled)
	})
}
