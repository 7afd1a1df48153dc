package releasestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestOverviewRecords(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	empty, err := f.OverviewRecords(t.Context(), f.Demo.ID, nil)
	require.NoError(t, err)
	require.Empty(t, empty.Releases)
	first := f.MustPublish()
	rolling, e := f.MustRollOut()
	closed := storetest.NewIncident(f, "staging")
	now := time.Now().UTC().Truncate(time.Millisecond)
	for _, channel := range []string{"production", "production"} {
		_, opened, err := f.OpenIncident(t.Context(), storetest.NewIncident(f, channel))
		require.NoError(t, err)
		require.True(t, opened)
	}
	closed, _, err = f.OpenIncident(t.Context(), closed)
	require.NoError(t, err)
	closed.Resolve(models.ResolvedByRecovery, now)
	require.NoError(t, f.SaveIncident(t.Context(), closed))

	found, err := f.OverviewRecords(t.Context(), f.Demo.ID, []int64{first.ID, rolling.ID})
	require.NoError(t, err)
	require.Equal(t, map[int64]models.Release{first.ID: f.MustRelease(first.ID), rolling.ID: f.MustRelease(rolling.ID)}, found.Releases)
	require.Equal(t, map[int64]models.RolloutRule{rolling.ID: {StageIndex: e.StageIndex, Stages: e.Stages, Thresholds: e.Thresholds}}, found.Rules)
	require.Equal(t, map[int64]models.RolloutExecution{rolling.ID: f.MustExecution(e.ID)}, found.Rollouts)
	require.Equal(t, map[models.Stream]int64{
		{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"}: 2,
	}, found.Incidents)

	attention, err := f.Attention(t.Context(), f.Demo.ID, storetest.Alice)
	require.NoError(t, err)
	require.EqualValues(t, 2, attention.Incidents, "ended incidents do not count")
	require.Nil(t, attention.Stop)

	other := f.NewProject("other")
	found, err = f.OverviewRecords(t.Context(), other.ID, []int64{first.ID})
	require.NoError(t, err)
	require.Equal(t, empty, found)
}
