package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func (f *fixture) republish(id int64, channels ...string) models.Republished {
	f.t.Helper()
	out, err := f.Republish(f.t.Context(), f.project.ID, alice, id, models.Republish{Channels: channels})
	require.NoError(f.t, err)
	return out
}

// pair publishes a group of an iOS and an Android release to production.
func (f *fixture) pair() (ios, android models.Release) {
	f.t.Helper()
	ios = f.publish(func(p *models.Publish) { p.IsCritical, p.ReleaseMessage = true, "both" })
	android = f.publish(func(p *models.Publish) {
		p.BuildID, p.GroupID = f.buildFor(models.Android, uuid.NewString()).ID, &ios.GroupID
	})
	return ios, android
}

func TestRepublish(t *testing.T) {
	t.Parallel()

	t.Run("publishes the whole group to its channel again", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		ios, android := f.pair()
		f.publish()
		var out models.Republished
		f.requireBumped(true, func() { out = f.republish(android.ID) })
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
			require.Equal(t, r.UpdateUUID, f.release(r.ID).UpdateUUID)
		}
		for i, entry := range f.audited(2) {
			require.Equal(t, "update.republished", entry.Action)
			require.Equal(t, out.Updates[i].UpdateUUID.String(), entry.Details["updateUuid"])
		}
	})

	t.Run("publishes to every channel given, with another message", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		ios, _ := f.pair()
		out, err := f.Republish(t.Context(), f.project.ID, alice, ios.ID, models.Republish{
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
		f := setup(t)
		r := f.publish()
		_, err := f.UpdateChannel(t.Context(), f.project.ID, alice, "staging", models.ChannelPatch{BranchName: new("production")})
		require.NoError(t, err)
		out := f.republish(r.ID, "staging", "production")
		require.Len(t, out.Updates, 1)
		require.Equal(t, "staging", *out.Updates[0].Channel)
		require.Equal(t, "production", out.Updates[0].BranchName)
	})

	t.Run("stays on the branch of a release without a channel", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish(func(p *models.Publish) { p.Channel, p.Branch = "", "staging" })
		out := f.republish(r.ID)
		require.Len(t, out.Updates, 1)
		require.Nil(t, out.Updates[0].Channel)
		require.Equal(t, "staging", out.Updates[0].BranchName)
	})

	t.Run("brings a disabled release back to everybody", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish(share(10))
		f.patch(r.ID, models.ReleasePatch{IsEnabled: new(false)})
		out := f.republish(r.ID)
		require.True(t, out.Updates[0].IsEnabled)
		require.InDelta(t, 100, out.Updates[0].ReachedPercentage, 0)
	})

	t.Run("ends the rollouts of what is older", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r, _ := f.rollOut()
		f.republish(r.ID)
		require.Len(t, f.outbox(models.OutboxRolloutSuperseded), 1)
	})

	t.Run("refuses what is not there", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		r := f.publish()
		_, err := f.Republish(t.Context(), f.project.ID, alice, r.ID, models.Republish{Channels: []string{"nobody"}})
		requireCode(t, models.CodeNotFound, err)
		_, err = f.Republish(t.Context(), f.newProject("other").ID, alice, r.ID, models.Republish{})
		requireCode(t, models.CodeNotFound, err)
		_, err = f.Republish(t.Context(), f.project.ID, alice, r.ID, models.Republish{Channels: []string{"staging", "staging"}})
		requireField(t, "channels[1]", err)
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		_, err = f.Republish(t.Context(), f.project.ID, alice, r.ID, models.Republish{})
		requireCode(t, models.CodeNotFound, err)
	})
}
