package releasestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func history(f *storetest.Fixture, id int64) (actions []string) {
	f.T.Helper()
	entries, err := f.ReleaseHistory(f.T.Context(), f.Demo.ID, id, models.HistoryPage{})
	require.NoError(f.T, err)
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	return actions
}

func TestReleaseHistory(t *testing.T) {
	t.Parallel()

	t.Run("tells all that became of a release, oldest first", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		good := f.MustPublish()
		r, e := f.MustRollOut()
		end(f, e.ID)
		f.MustPatch(r.ID, models.ReleasePatch{ReleaseMessage: new("x")})
		again := republish(f, r.ID).Updates[0]
		rollback(f, backTo(good.ID))
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		f.MustPatch(again.ID, models.ReleasePatch{ReleaseMessage: new("not this one's")})

		require.Equal(t, []string{
			"build.published", "rollout.started", "update.patched", "update.republished", "update.patched", "update.rollback",
			"update.deleted",
		}, history(f, r.ID))
		require.Equal(t, []string{"build.published", "update.rollback"}, history(f, good.ID))
		require.Equal(t, []string{"update.republished", "update.patched", "update.rollback", "update.patched"}, history(f, again.ID))
	})

	t.Run("pages", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		for _, message := range []string{"a", "b", "c"} {
			f.MustPatch(r.ID, models.ReleasePatch{ReleaseMessage: &message})
		}
		all, err := f.ReleaseHistory(t.Context(), f.Demo.ID, r.ID, models.HistoryPage{})
		require.NoError(t, err)
		require.Len(t, all, 4)
		page, err := f.ReleaseHistory(t.Context(), f.Demo.ID, r.ID, models.HistoryPage{Limit: 2, After: all[0].ID})
		require.NoError(t, err)
		require.Equal(t, all[1:3], page)
		page, err = f.ReleaseHistory(t.Context(), f.Demo.ID, r.ID, models.HistoryPage{Before: all[1].ID})
		require.NoError(t, err)
		require.Equal(t, all[:1], page)
		page, err = f.ReleaseHistory(t.Context(), f.Demo.ID, r.ID, models.HistoryPage{Limit: 2, Before: all[3].ID, NewestFirst: true})
		require.NoError(t, err)
		require.Equal(t, []models.AuditEntry{all[2], all[1]}, page)
	})

	t.Run("is of the project", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		_, err := f.ReleaseHistory(t.Context(), f.NewProject("other").ID, r.ID, models.HistoryPage{})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}
