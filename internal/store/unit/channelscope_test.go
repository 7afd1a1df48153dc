package unit_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// A key limited to staging may change what is only on staging, and nothing else.
func TestAKeyForStaging(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	ctx, project := t.Context(), f.Demo.ID
	ci := models.Actor{Type: models.ActorAPIKey, ID: "9", Name: "ci", Role: models.RoleEditor, Channels: []string{"staging"}}
	build := func() int64 {
		b, err := f.CreateBuild(ctx, project, ci, storetest.NewBuild(models.IOS, t.Name()))
		require.NoError(t, err, "a build does not belong to a channel")
		return b.ID
	}
	first, second, unused := build(), build(), build()
	publish := func(actor models.Actor, p models.Publish) (models.Release, error) {
		return f.Publish(ctx, project, actor, p)
	}
	onStaging, err := publish(ci, models.Publish{BuildID: first, Channel: "staging"})
	require.NoError(t, err)
	onProduction, err := publish(storetest.Alice, models.Publish{BuildID: first, Channel: "production"})
	require.NoError(t, err)
	_, err = f.CreateBranch(ctx, project, storetest.Alice, models.NewBranch{Name: "feature"})
	require.NoError(t, err)
	flag, err := f.CreateFlag(ctx, project, storetest.Alice, models.NewFlag{Name: "checkout", Key: "checkout", FlagType: models.FlagBoolean})
	require.NoError(t, err)
	off := false
	patch := func(id int64, p models.ReleasePatch) error {
		_, err := f.UpdateRelease(ctx, project, ci, id, p)
		return err
	}
	pauses := func(name string) error {
		_, err := f.UpdateChannel(ctx, project, ci, name, models.ChannelPatch{IsPaused: new(true)})
		return err
	}

	// Applying an approved call checks its permission again, against the key's own channels.
	p := storetest.PutPublishers(f, storetest.NewPublisher())[0]
	k, err := storetest.Exchange(f, storetest.NewExchange(p.ID, "approved", time.Now()))
	require.NoError(t, err)
	approved := models.Actor{
		Type: models.ActorAPIKey, ID: strconv.FormatInt(k.ID, 10), Name: k.Name, Role: models.RoleEditor, ApprovalID: 7, Channels: k.Channels,
	}
	_, err = publish(approved, models.Publish{BuildID: second, Channel: "production"})
	require.ErrorContains(t, err, "staging")
	storetest.RequireCode(t, models.CodeForbidden, err)
	_, err = publish(approved, models.Publish{BuildID: second, Channel: "staging"})
	require.ErrorContains(t, err, "approval 7 does not exist", "its channels suffice")

	before := f.Version()
	message := "x"
	for what, refused := range map[string]func() error{
		"publish to production": func() error {
			_, err := publish(ci, models.Publish{BuildID: second, Channel: "production"})
			return err
		},
		"publish to its branch": func() error {
			_, err := publish(ci, models.Publish{BuildID: second, Branch: "production"})
			return err
		},
		"publish without a channel": func() error {
			_, err := publish(ci, models.Publish{BuildID: second, Branch: "feature"})
			return err
		},
		"disable a release": func() error { return patch(onProduction.ID, models.ReleasePatch{IsEnabled: &off}) },
		"reword a release":  func() error { return patch(onProduction.ID, models.ReleasePatch{ReleaseMessage: &message}) },
		"delete a release":  func() error { return f.DeleteRelease(ctx, project, ci, onProduction.ID) },
		"republish": func() error {
			_, err := f.Republish(ctx, project, ci, onStaging.ID, models.Republish{Channels: []string{"staging", "production"}})
			return err
		},
		"roll back": func() error {
			_, err := f.Rollback(ctx, project, ci, models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0"})
			return err
		},
		"pause production": func() error { return pauses("production") },
		"delete a build":   func() error { return f.DeleteBuild(ctx, project, ci, unused) },
		"make a branch": func() error {
			_, err := f.CreateBranch(ctx, project, ci, models.NewBranch{Name: "mine"})
			return err
		},
		"make a channel": func() error {
			_, err := f.CreateChannel(ctx, project, ci, models.NewChannel{Name: "mine", BranchName: "staging"})
			return err
		},
		"delete a branch": func() error { return f.DeleteBranch(ctx, project, ci, "feature") },
		"override a user": func() error {
			_, err := f.CreateUserOverride(ctx, project, ci, models.NewUserOverride{UserID: "u", BranchName: "staging"})
			return err
		},
		"turn a flag on": func() error {
			_, err := f.UpdateFlag(ctx, project, ci, flag.ID, models.FlagPatch{Enabled: new(true)})
			return err
		},
		"make a flag": func() error {
			_, err := f.CreateFlag(ctx, project, ci, models.NewFlag{Name: "x", Key: "x", FlagType: models.FlagBoolean})
			return err
		},
		"make a key": func() error {
			_, err := f.CreateAPIKey(ctx, project, ci, models.NewAPIKey{Name: "x", Role: models.RoleAdmin}, models.NewAPIKeyToken())
			return err
		},
		"trust somebody": func() error {
			_, err := f.PutTrustedPublishers(ctx, project, ci, models.NewTrustedPublishers{})
			return err
		},
		"make a policy": func() error {
			_, err := f.CreatePolicy(ctx, project, ci, models.NewRolloutPolicy{Name: "x", Stages: []models.Stage{{Percentage: 100}}})
			return err
		},
		"make a webhook": func() error {
			_, _, err := f.CreateWebhook(ctx, project, ci, models.NewWebhook{URL: "https://example.com/x", Events: []string{"*"}})
			return err
		},
		"change the settings": func() error {
			_, err := f.UpdateSettings(ctx, project, ci, models.SettingsPatch{BuildRetentionDays: models.Nullable[int]{Set: true, Value: new(7)}})
			return err
		},
	} {
		err := refused()
		require.ErrorContains(t, err, "staging", what)
		storetest.RequireCode(t, models.CodeForbidden, err)
	}
	require.Equal(t, before, f.Version(), "nothing has changed")

	require.NoError(t, patch(onStaging.ID, models.ReleasePatch{ReleaseMessage: &message}))
	require.NoError(t, patch(onStaging.ID, models.ReleasePatch{ReleaseMessage: &message}), "even without a change")
	require.NoError(t, pauses("staging"))
	_, _, err = f.UpdateFlagEnvironment(ctx, project, ci, flag.ID, "staging", models.FlagEnvironmentPatch{Enabled: models.Nullable[bool]{Set: true, Value: new(true)}})
	require.NoError(t, err)
	_, _, err = f.UpdateFlagEnvironment(ctx, project, ci, flag.ID, "production", models.FlagEnvironmentPatch{Enabled: models.Nullable[bool]{Set: true, Value: new(true)}})
	storetest.RequireCode(t, models.CodeForbidden, err)

	// A branch that another channel also points to does not belong to staging alone.
	_, err = f.UpdateChannel(ctx, project, storetest.Alice, "production", models.ChannelPatch{BranchName: new("staging")})
	require.NoError(t, err)
	_, err = publish(ci, models.Publish{BuildID: second, Channel: "staging"})
	storetest.RequireCode(t, models.CodeForbidden, err)
	_, err = f.UpdateChannel(ctx, project, storetest.Alice, "production", models.ChannelPatch{BranchName: new("production")})
	require.NoError(t, err)
	_, err = publish(ci, models.Publish{BuildID: second, Channel: "staging"})
	require.NoError(t, err)
	_, err = f.UpdateChannel(ctx, project, ci, "staging", models.ChannelPatch{BranchName: new("production")})
	require.NoError(t, err, "only staging's devices get what production gets")
	_, err = publish(ci, models.Publish{BuildID: second, Channel: "staging"})
	storetest.RequireCode(t, models.CodeForbidden, err)
}
