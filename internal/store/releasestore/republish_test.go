package releasestore_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func republish(f *storetest.Fixture, id int64, channels ...string) models.Republished {
	f.T.Helper()
	out, err := f.Republish(f.T.Context(), f.Demo.ID, storetest.Alice, id, models.Republish{Channels: channels})
	require.NoError(f.T, err)
	return out
}

// pair publishes a group of an iOS and an Android release to production.
func pair(f *storetest.Fixture) (ios, android models.Release) {
	f.T.Helper()
	ios = f.MustPublish(func(p *models.Publish) { p.IsCritical, p.ReleaseMessage = true, "both" })
	android = f.MustPublish(func(p *models.Publish) {
		p.BuildID, p.GroupID = f.MustBuildFor(models.Android, uuid.NewString()).ID, &ios.GroupID
	})
	return ios, android
}

func TestRepublish(t *testing.T) {
	t.Parallel()

	t.Run("publishes the whole group to its channel again", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		ios, android := pair(f)
		f.MustPublish()
		var out models.Republished
		f.RequireBumped(true, func() { out = republish(f, android.ID) })
		require.Len(t, out.Updates, 2)
		for i, original := range []models.Release{ios, android} {
			r := out.Updates[i]
			require.Equal(t, out.GroupID, r.GroupID)
			require.NotEqual(t, original.GroupID, r.GroupID)
			require.NotEqual(t, original.UpdateUUID, r.UpdateUUID)
			require.True(t, r.CreatedAt.After(original.CreatedAt))
			require.Equal(t, original.Platform, r.Platform)
			require.Equal(t, original.BuildID, r.BuildID)
			require.Equal(t, original.ID, *r.RepublishedFromID)
			require.Equal(t, "production", *r.Channel)
			require.Equal(t, original.ReleaseMessage, r.ReleaseMessage)
			require.Equal(t, original.IsCritical, r.IsCritical)
			require.InDelta(t, 100, r.RolloutPercentage, 0)
			require.Equal(t, models.ReleaseSalt(out.GroupID), r.ShareSalt)
			require.Equal(t, r.UpdateUUID, f.MustRelease(r.ID).UpdateUUID)
		}
		for i, entry := range f.Audited(2) {
			require.Equal(t, "update.republished", entry.Action)
			require.Equal(t, out.Updates[i].UpdateUUID.String(), entry.Details["updateUuid"])
		}
	})

	t.Run("publishes to every channel given, with another message", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		ios, _ := pair(f)
		out, err := f.Republish(t.Context(), f.Demo.ID, storetest.Alice, ios.ID, models.Republish{
			Channels: []string{"staging", "production"}, ReleaseMessage: new("again"),
		})
		require.NoError(t, err)
		require.Len(t, out.Updates, 4)
		for i, channel := range []string{"staging", "staging", "production", "production"} {
			require.Equal(t, channel, *out.Updates[i].Channel)
			require.Equal(t, channel, out.Updates[i].BranchName)
			require.Equal(t, "again", out.Updates[i].ReleaseMessage)
			require.Equal(t, out.GroupID, out.Updates[i].GroupID)
		}
	})

	t.Run("publishes once for channels that share a branch", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		_, err := f.UpdateChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging", models.ChannelPatch{BranchName: new("production")})
		require.NoError(t, err)
		out := republish(f, r.ID, "staging", "production")
		require.Len(t, out.Updates, 1)
		require.Equal(t, "staging", *out.Updates[0].Channel)
		require.Equal(t, "production", out.Updates[0].BranchName)
	})

	t.Run("stays on the branch of a release without a channel", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(func(p *models.Publish) { p.Channel, p.Branch = "", "staging" })
		out := republish(f, r.ID)
		require.Len(t, out.Updates, 1)
		require.Nil(t, out.Updates[0].Channel)
		require.Equal(t, "staging", out.Updates[0].BranchName)
	})

	t.Run("brings a disabled release back to everybody", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(storetest.Share(10))
		f.MustPatch(r.ID, models.ReleasePatch{IsEnabled: new(false)})
		out := republish(f, r.ID)
		require.True(t, out.Updates[0].IsEnabled)
		require.InDelta(t, 100, out.Updates[0].ReachedPercentage, 0)
	})

	t.Run("ends the rollouts of what is older", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r, _ := f.MustRollOut()
		republish(f, r.ID)
		require.Len(t, f.Outbox(models.OutboxRolloutSuperseded), 1)
	})

	t.Run("refuses what is not there", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish()
		_, err := f.Republish(t.Context(), f.Demo.ID, storetest.Alice, r.ID, models.Republish{Channels: []string{"nobody"}})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.Republish(t.Context(), f.NewProject("other").ID, storetest.Alice, r.ID, models.Republish{})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.Republish(t.Context(), f.Demo.ID, storetest.Alice, r.ID, models.Republish{Channels: []string{"staging", "staging"}})
		storetest.RequireField(t, "channels[1]", err)
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		_, err = f.Republish(t.Context(), f.Demo.ID, storetest.Alice, r.ID, models.Republish{})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}
