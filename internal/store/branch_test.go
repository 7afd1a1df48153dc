package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestCreateBranch(t *testing.T) {
	t.Parallel()
	f := setup(t)

	f.requireBumped(true, func() {
		b, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "feature/x"})
		require.NoError(t, err)
		require.Equal(t, "feature/x", b.Name)
		require.Equal(t, "branch.created", f.audited(1)[0].Action)
	})

	_, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "feature/x"})
	requireCode(t, models.CodeAlreadyExists, err)
	_, err = f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: " "})
	requireField(t, "name", err)
	_, err = f.CreateBranch(t.Context(), 1<<40, alice, models.NewBranch{Name: "x"})
	requireCode(t, models.CodeNotFound, err)
	_, err = f.CreateBranch(t.Context(), f.newProject("other").ID, alice, models.NewBranch{Name: "feature/x"})
	require.NoError(t, err, "another project may have the same name")
}

func TestListBranchesShowsTheNewestLiveReleaseOfEachStream(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.publish()
	ios := f.publish()
	deleted := f.publish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, deleted.ID))
	android := f.publish(func(p *models.Publish) { p.BuildID = f.buildFor(models.Android, "a").ID })

	branches, err := f.ListBranches(t.Context(), f.project.ID, models.Page{})
	require.NoError(t, err)
	require.Len(t, branches, 2)
	require.Equal(t, "staging", branches[0].Name)
	require.Empty(t, branches[0].LatestUpdates)
	require.Equal(t, []int64{android.ID, ios.ID}, ids(branches[1].LatestUpdates))
	require.Equal(t, "production", branches[1].LatestUpdates[0].BranchName)
}

func ids(releases []models.Release) []int64 {
	ids := []int64{}
	for _, r := range releases {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestDeleteBranch(t *testing.T) {
	t.Parallel()

	t.Run("takes its releases away and frees its name", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		require.NoError(t, f.DeleteChannel(t.Context(), f.project.ID, alice, "production"))
		f.requireBumped(true, func() {
			require.NoError(t, f.DeleteBranch(t.Context(), f.project.ID, alice, "production"))
		})
		entry := f.audited(1)[0]
		require.Equal(t, "branch.deleted", entry.Action)
		require.EqualValues(t, 1, entry.Details["releases"])

		_, err := f.Release(t.Context(), f.project.ID, r.ID)
		requireCode(t, models.CodeNotFound, err)
		requireCode(t, models.CodeNotFound, f.DeleteBranch(t.Context(), f.project.ID, alice, "production"))
		_, err = f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "production"})
		require.NoError(t, err)
	})

	t.Run("refuses while a channel points to it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		err := f.DeleteBranch(t.Context(), f.project.ID, alice, "production")
		requireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "production")
	})

	t.Run("refuses while a channel sends a share to it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "next"})
		require.NoError(t, err)
		name, percentage := "next", 5.0
		_, err = f.UpdateChannel(t.Context(), f.project.ID, alice, "staging", models.ChannelPatch{
			RolloutBranchName: models.Nullable[string]{Set: true, Value: &name},
			RolloutPercentage: models.Nullable[float64]{Set: true, Value: &percentage},
		})
		require.NoError(t, err)
		err = f.DeleteBranch(t.Context(), f.project.ID, alice, "next")
		requireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "staging")
	})

	t.Run("refuses while one of its releases rolls out", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.rollOut()
		require.NoError(t, f.DeleteChannel(t.Context(), f.project.ID, alice, "production"))
		requireCode(t, models.CodeRolloutInProgress, f.DeleteBranch(t.Context(), f.project.ID, alice, "production"))
	})
}
