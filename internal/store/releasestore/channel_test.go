package releasestore_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateChannel(t *testing.T) {
	t.Parallel()

	t.Run("points to an existing branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.RequireBumped(true, func() {
			c, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "staging"})
			require.NoError(t, err)
			require.Equal(t, "staging", c.BranchName)
		})
		require.Equal(t, "channel.created", f.Audited(1)[0].Action)
	})

	t.Run("makes a missing branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "beta"})
		require.NoError(t, err)
		entries := f.Audited(2)
		require.Equal(t, "branch.created", entries[0].Action)
		require.Equal(t, "channel.created", entries[1].Action)
	})

	t.Run("refuses a name that is taken", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "staging", BranchName: "new"})
		storetest.RequireCode(t, models.CodeAlreadyExists, err)
		branches, err := f.ListBranches(t.Context(), f.Demo.ID, models.Page{})
		require.NoError(t, err)
		require.Len(t, branches, 2, "the branch was not created either")
	})

	t.Run("refuses bad names", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "a b", BranchName: "staging"})
		storetest.RequireField(t, "name", err)
	})

	t.Run("creates only one of two identical channels that are requested at the same time", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		errs := make([]error, 2)
		var both sync.WaitGroup
		for i := range errs {
			both.Go(func() {
				_, errs[i] = f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "beta"})
			})
		}
		both.Wait()
		if errs[0] != nil {
			errs[0], errs[1] = errs[1], errs[0]
		}
		require.NoError(t, errs[0])
		storetest.RequireCode(t, models.CodeAlreadyExists, errs[1])
	})
}

func TestUpdateChannel(t *testing.T) {
	t.Parallel()

	t.Run("changes what is set and nothing else", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		yes := true
		f.RequireBumped(true, func() {
			c, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{
				RolloutBranchName: storetest.SetTo("staging"), RolloutPercentage: storetest.SetTo(12.5), MinRuntimeVersion: storetest.SetTo("1.2"),
				IsPaused: &yes,
			})
			require.NoError(t, err)
			require.Equal(t, "production", c.BranchName)
			require.Equal(t, "staging", *c.RolloutBranchName)
			require.InDelta(t, 12.5, *c.RolloutPercentage, 0)
		})
		entry := f.Audited(1)[0]
		require.Equal(t, "channel.updated", entry.Action)
		require.Equal(t, map[string]any{
			"name":              "production",
			"rolloutBranchName": map[string]any{"before": nil, "after": "staging"},
			"rolloutPercentage": map[string]any{"before": nil, "after": 12.5},
			"minRuntimeVersion": map[string]any{"before": nil, "after": "1.2"},
			"isPaused":          map[string]any{"before": false, "after": true},
		}, entry.Details)

		no := false
		_, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{IsPaused: &no})
		require.NoError(t, err)
		channels, err := f.ListChannels(t.Context(), f.Demo.ID, models.Page{})
		require.NoError(t, err)
		require.False(t, channels[1].IsPaused, "a zero value is written")
		require.Equal(t, "staging", *channels[1].RolloutBranchName)
		require.Equal(t, "1.2", *channels[1].MinRuntimeVersion)
	})

	t.Run("promotes by pointing to another branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		branch := "staging"
		c, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{BranchName: &branch})
		require.NoError(t, err)
		require.Equal(t, "staging", c.BranchName)
	})

	t.Run("ends a branch rollout by clearing its branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{
			RolloutBranchName: storetest.SetTo("staging"), RolloutPercentage: storetest.SetTo(10.0),
		})
		require.NoError(t, err)
		c, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{
			RolloutBranchName: models.Nullable[string]{Set: true},
		})
		require.NoError(t, err)
		require.Nil(t, c.RolloutBranchName)
		require.Nil(t, c.RolloutPercentage)
	})

	t.Run("writes nothing when nothing changes", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		entries := storetest.Query[int64](f, "SELECT count(*) FROM audit_log")
		branch := "production"
		f.RequireBumped(false, func() {
			c, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "production", models.ChannelPatch{BranchName: &branch})
			require.NoError(t, err)
			require.Equal(t, c.CreatedAt, c.UpdatedAt)
		})
		require.Equal(t, entries, storetest.Query[int64](f, "SELECT count(*) FROM audit_log"))
	})

	for name, tc := range map[string]struct {
		channel string
		patch   models.ChannelPatch
		code    models.ErrorCode
		field   string
	}{
		"a share without a branch": {"production", models.ChannelPatch{RolloutPercentage: storetest.SetTo(5.0)}, models.CodeInvalid,
			"rolloutBranchName"},
		"a branch without a share": {"production", models.ChannelPatch{RolloutBranchName: storetest.SetTo("staging")}, models.CodeInvalid,
			"rolloutPercentage"},
		"a share out of range": {"production", models.ChannelPatch{RolloutBranchName: storetest.SetTo("staging"),
			RolloutPercentage: storetest.SetTo(101.0)}, models.CodeInvalid, "rolloutPercentage"},
		"a channel that does not exist": {"nobody", models.ChannelPatch{}, models.CodeNotFound, ""},
		"a branch that does not exist":  {"production", models.ChannelPatch{BranchName: new("nobody")}, models.CodeNotFound, ""},
		"an unknown rollout branch": {"production", models.ChannelPatch{RolloutBranchName: storetest.SetTo("nobody"),
			RolloutPercentage: storetest.SetTo(5.0)}, models.CodeNotFound, ""},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			_, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, tc.channel, tc.patch)
			storetest.RequireCode(t, tc.code, err)
			if tc.field != "" {
				storetest.RequireField(t, tc.field, err)
			} else {
				require.ErrorContains(t, err, "nobody")
			}
		})
	}
}

func TestDeleteChannel(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	r := f.MustPublish()
	f.RequireBumped(true, func() {
		require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "production"))
	})
	require.Equal(t, "channel.deleted", f.Audited(1)[0].Action)
	require.Equal(t, "production", *f.MustRelease(r.ID).Channel, "its releases stay on their branch")
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "production"))
}
