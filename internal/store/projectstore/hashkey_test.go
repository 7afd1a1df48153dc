package projectstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// Whether a device is inside the rollout cannot be computed from a hashed device ID.
func TestPoliciesWithAControlNeedDeviceIDs(t *testing.T) {
	t.Parallel()
	control := models.Thresholds{Baseline: models.BaselineControl}
	ofStage := []models.Stage{{Percentage: 10, Thresholds: &control}, {Percentage: 100}}
	hashing := func(f *storetest.Fixture, on bool) error {
		_, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{HashIDs: &on})
		return err
	}

	t.Run("a project that hashes ids takes none", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		plain := f.MustPolicy()
		require.NoError(t, hashing(f, true))
		n := storetest.NewPolicy()
		n.Thresholds.Baseline = models.BaselineControl
		_, err := f.CreatePolicy(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "thresholds.baseline", err)
		n = storetest.NewPolicy()
		n.Stages = ofStage
		_, err = f.CreatePolicy(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "stages[0].thresholds.baseline", err)
		_, err = f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, plain.ID,
			models.PolicyPatch{Thresholds: models.ThresholdsPatch{Baseline: new(models.BaselineControl)}})
		storetest.RequireField(t, "thresholds.baseline", err)
		_, err = f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, plain.ID, models.PolicyPatch{Stages: &ofStage})
		storetest.RequireField(t, "stages[0].thresholds.baseline", err)

		require.NoError(t, hashing(f, false))
		_, err = f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, plain.ID, models.PolicyPatch{Stages: &ofStage})
		require.NoError(t, err)
	})

	t.Run("a project that has one hashes none", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		policy := f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Stages = ofStage })
		require.ErrorContains(t, hashing(f, true), policy.Name)
		storetest.RequireField(t, "hashIds", hashing(f, true))
		settings, err := f.Settings(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.False(t, settings.HashIDs)
		require.NoError(t, f.DeletePolicy(t.Context(), f.Demo.ID, storetest.Alice, policy.ID))
		require.NoError(t, hashing(f, true))
	})
}

func TestTrustedNetworksReachTheSnapshot(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	snapshot := func() models.ProjectSnapshot {
		s, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		return s
	}
	before := snapshot()
	require.Equal(t, []string{}, before.Project.TrustedNetworks)
	require.Len(t, before.NetworkKey, 32)
	require.Nil(t, before.HashKey)
	networks := []string{"203.0.113.0/24", "2001:db8::/48"}
	change := models.SettingsPatch{TrustedNetworks: &networks}
	for _, bumped := range []bool{true, false} {
		f.RequireBumped(bumped, func() {
			settings, err := f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, change)
			require.NoError(t, err)
			require.Equal(t, networks, settings.TrustedNetworks)
		})
	}
	after, ok, err := f.SnapshotSince(t.Context(), before)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, networks, after.Project.TrustedNetworks)
	require.Equal(t, before.NetworkKey, after.NetworkKey)
	bad := []string{"203.0.113.7"}
	_, err = f.UpdateSettings(t.Context(), f.Demo.ID, storetest.Alice, models.SettingsPatch{TrustedNetworks: &bad})
	storetest.RequireField(t, "trustedNetworks", err)
	require.NotEqual(t, before.NetworkKey, func() []byte {
		other, err := f.Snapshot(t.Context(), f.NewProject("other").ID)
		require.NoError(t, err)
		return other.NetworkKey
	}(), "networks cannot be compared across projects")
}

func TestALostHashKeyIsReplaced(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustExec("UPDATE projects SET sealed_hash_key = ''")
	_, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.ErrorContains(t, err, "key for hashing device IDs and networks")
	n, err := f.ResealSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	s, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	require.Len(t, s.NetworkKey, 32)
}
