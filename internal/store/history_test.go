package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func (f *fixture) history(id int64) (actions []string) {
	f.t.Helper()
	entries, err := f.ReleaseHistory(f.t.Context(), f.project.ID, id, models.HistoryPage{})
	require.NoError(f.t, err)
	for _, e := range entries {
		actions = append(actions, e.Action)
	}
	return actions
}

func TestReleaseHistory(t *testing.T) {
	t.Parallel()

	t.Run("tells all that became of a release, oldest first", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		good := f.publish()
		r, e := f.rollOut()
		f.end(e.ID)
		f.patch(r.ID, models.ReleasePatch{ReleaseMessage: new("x")})
		again := f.republish(r.ID).Updates[0]
		f.rollback(backTo(good.ID))
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		f.patch(again.ID, models.ReleasePatch{ReleaseMessage: new("not this one's")})

		require.Equal(t, []string{
			"build.published", "rollout.started", "update.patched", "update.republished", "update.patched", "update.rollback",
			"update.deleted",
		}, f.history(r.ID))
		require.Equal(t, []string{"build.published", "update.rollback"}, f.history(good.ID))
		require.Equal(t, []string{"update.republished", "update.patched", "update.rollback", "update.patched"}, f.history(again.ID))
	})

	t.Run("pages", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		for _, message := range []string{"a", "b", "c"} {
			f.patch(r.ID, models.ReleasePatch{ReleaseMessage: &message})
		}
		all, err := f.ReleaseHistory(t.Context(), f.project.ID, r.ID, models.HistoryPage{})
		require.NoError(t, err)
		require.Len(t, all, 4)
		page, err := f.ReleaseHistory(t.Context(), f.project.ID, r.ID, models.HistoryPage{Limit: 2, After: all[0].ID})
		require.NoError(t, err)
		require.Equal(t, all[1:3], page)
		page, err = f.ReleaseHistory(t.Context(), f.project.ID, r.ID, models.HistoryPage{Before: all[1].ID})
		require.NoError(t, err)
		require.Equal(t, all[:1], page)
	})

	t.Run("is of the project", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		_, err := f.ReleaseHistory(t.Context(), f.newProject("other").ID, r.ID, models.HistoryPage{})
		requireCode(t, models.CodeNotFound, err)
	})
}
