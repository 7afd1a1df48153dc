package unit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

var (
	admin  = models.Actor{Type: models.ActorUser, ID: "1", Name: "admin@example.com", Role: models.RoleAdmin}
	editor = models.Actor{Type: models.ActorUser, ID: "2", Name: "editor@example.com", Role: models.RoleEditor}
)

// protect makes a channel of the fixture protected.
func protect(f *storetest.Fixture, channel string, approvals int) {
	f.T.Helper()
	_, err := f.UpdateChannel(f.T.Context(), f.Demo.ID, admin, channel, models.ChannelPatch{
		IsProtected: new(true), RequiredApprovals: &approvals,
	})
	require.NoError(f.T, err)
}

func TestOnlyAdminsProtectChannels(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for _, patch := range []models.ChannelPatch{{IsProtected: new(true)}, {RequiredApprovals: new(2)}} {
		_, err := f.UpdateChannel(t.Context(), f.Demo.ID, editor, "production", patch)
		storetest.RequireCode(t, models.CodeForbidden, err)
	}
	protect(f, "production", 2)
	c, err := f.UpdateChannel(t.Context(), f.Demo.ID, editor, "production", models.ChannelPatch{IsProtected: new(true)})
	require.NoError(t, err, "nothing changes")
	require.True(t, c.IsProtected)
	require.Equal(t, 2, c.RequiredApprovals)
	_, err = f.UpdateChannel(t.Context(), f.Demo.ID, editor, "production", models.ChannelPatch{IsProtected: new(false)})
	storetest.RequireCode(t, models.CodeForbidden, err)
}

func TestAProtectedChannelAsks(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	build := f.MustBuild("next").ID
	publish := func(actor models.Actor, to models.Publish) error {
		to.BuildID = build
		_, err := f.Publish(t.Context(), f.Demo.ID, actor, to)
		return err
	}
	protect(f, "production", 0)
	err := publish(editor, models.Publish{Channel: "production"})
	storetest.RequireCode(t, models.CodeForbidden, err)
	require.ErrorContains(t, err, `channel "production" is protected`)
	storetest.RequireCode(t, models.CodeForbidden, publish(editor, models.Publish{Branch: "production"}))
	require.NoError(t, publish(editor, models.Publish{Channel: "staging"}))
	require.NoError(t, publish(admin, models.Publish{Channel: "production"}))
	require.NoError(t, publish(models.SystemActor("rollout"), models.Publish{Channel: "production"}))

	protect(f, "production", 2)
	f.RequireBumped(false, func() {
		for _, actor := range []models.Actor{editor, admin} {
			var needed *models.ApprovalNeeded
			require.ErrorAs(t, publish(actor, models.Publish{Branch: "production"}), &needed)
			require.Equal(t, 2, needed.Required)
			require.Equal(t, []string{"production"}, needed.Channels)
			require.Contains(t, needed.Summary, `to branch "production", for 100% of the devices`)
		}
	})
	require.NoError(t, publish(editor, models.Publish{Channel: "staging"}))
	_, err = f.CreateUserOverride(t.Context(), f.Demo.ID, editor, models.NewUserOverride{UserID: "u", BranchName: "staging"})
	storetest.RequireCode(t, models.CodeApprovalPending, err)
}
