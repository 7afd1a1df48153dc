package releasestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateBranch(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)

	f.RequireBumped(true, func() {
		b, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "feature/x"})
		require.NoError(t, err)
		require.Equal(t, "feature/x", b.Name)
		require.Equal(t, "branch.created", f.Audited(1)[0].Action)
	})

	_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "feature/x"})
	storetest.RequireCode(t, models.CodeAlreadyExists, err)
	_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: " "})
	storetest.RequireField(t, "name", err)
	_, err = f.CreateBranch(t.Context(), 1<<40, storetest.Alice, models.NewBranch{Name: "x"})
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.CreateBranch(t.Context(), f.NewProject("other").ID, storetest.Alice, models.NewBranch{Name: "feature/x"})
	require.NoError(t, err, "another project may have the same name")
}

func TestListBranchesShowsTheNewestLiveReleaseOfEachStream(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	ios := f.MustPublish()
	deleted := f.MustPublish()
	require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, deleted.ID))
	android := f.MustPublish(func(p *models.Publish) { p.BuildID = f.MustBuildFor(models.Android, "a").ID })

	branches, err := f.ListBranches(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	require.Len(t, branches, 2)
	require.Equal(t, "staging", branches[0].Name)
	require.Empty(t, branches[0].LatestUpdates)
	require.Equal(t, []int64{android.ID, ios.ID}, ids(branches[1].LatestUpdates))
	require.Equal(t, "production", branches[1].LatestUpdates[0].BranchName)
	require.Equal(t, []string{"production"}, branches[1].Channels)

	_, err = f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging", models.ChannelPatch{
		RolloutBranchName: models.Nullable[string]{Set: true, Value: new("production")}, RolloutPercentage: models.Nullable[float64]{Set: true, Value: new(10.0)},
	})
	require.NoError(t, err)
	branches, err = f.ListBranches(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []string{"production", "staging"}, branches[1].Channels, "a channel that rolls the branch out")
	require.Equal(t, []string{"staging"}, branches[0].Channels)
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

	t.Run("deletes its releases and frees its name", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "production"))
		f.RequireBumped(true, func() {
			require.NoError(t, f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "production"))
		})
		entry := f.Audited(1)[0]
		require.Equal(t, "branch.deleted", entry.Action)
		require.EqualValues(t, 1, entry.Details["releases"])

		_, err := f.Release(t.Context(), f.Demo.ID, r.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "production"))
		_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "production"})
		require.NoError(t, err)
	})

	t.Run("refuses while a channel points to it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		err := f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "production")
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "production")
	})

	t.Run("refuses while a channel sends a percentage of devices to it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "next"})
		require.NoError(t, err)
		name, percentage := "next", 5.0
		_, err = f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging", models.ChannelPatch{
			RolloutBranchName: models.Nullable[string]{Set: true, Value: &name},
			RolloutPercentage: models.Nullable[float64]{Set: true, Value: &percentage},
		})
		require.NoError(t, err)
		err = f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "next")
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "staging")
	})

	t.Run("refuses while one of its releases rolls out", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustRollOut()
		require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "production"))
		storetest.RequireCode(t, models.CodeRolloutInProgress, f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "production"))
	})
}
