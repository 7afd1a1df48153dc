package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// content reads the flag or the user overrides that a call changes. Such a call does not change releases or rollouts, so its preview in
// the API reads the content in the transaction of the preview.
type content struct {
	// read returns the content, with the context of a preview or of the test.
	read func(ctx context.Context) (any, error)
	// check checks the served project after the call. nil checks nothing.
	check func(read any, after facts)
}

// previewedContent lists the calls whose previews read content. They may follow each other in any order.
var previewedContent = []previewed{
	{"flag on a channel", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id, channel := o.mostly(w, "flag", "SELECT id::text FROM flags ORDER BY id"), o.name()
		// The patch always sets or clears the default value. An empty patch would not change anything, and the test would not prove anything.
		value := mayBe(o, json.RawMessage(strconv.FormatBool(o.bool())))
		patch := models.FlagEnvironmentPatch{
			Enabled: mayClear(o, o.bool()), DefaultValue: models.Nullable[json.RawMessage]{Set: true, Value: value},
		}
		o.content = o.contentOfFlag(id)
		return func(ctx context.Context, actor models.Actor) error {
			_, _, err := o.Store.UpdateFlagEnvironment(ctx, o.project.ID, actor, id, channel, patch)
			return err
		}
	}},
	{"copy a flag", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id := o.mostly(w, "flag", "SELECT id::text FROM flags ORDER BY id")
		n := models.FlagCopy{FromChannel: []string{"production", "a"}[o.IntN(2)], ToChannel: o.name()}
		if o.bool() {
			_, err := o.Store.CreateRule(o.ctx, o.project.ID, storetest.Alice, id, models.NewFlagRule{
				RuleType: models.RuleUserList, VariantValue: new("true"), ChannelName: &n.FromChannel,
				Config: models.RuleConfig{UserIDs: []string{o.word()}},
			})
			if models.CodeOf(err) != models.CodeNotFound { // now and then, the ID is not the ID of a flag
				require.NoError(w.f.T, err)
			}
		}
		o.content = o.contentOfFlag(id)
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.CopyFlag(ctx, o.project.ID, actor, id, n)
			return err
		}
	}},
	{"delete a flag", func(o *operator, w observer) func(context.Context, models.Actor) error {
		// Either a flag that a release links, which cannot be deleted, or a flag that no release links.
		id := o.mostly(w, "none", "SELECT DISTINCT l.flag_id::text FROM release_flags l JOIN releases r ON r.id = l.release_id WHERE r.deleted_at IS NULL")
		if o.IntN(4) > 0 {
			id = storetest.AddFlag(o.Store, "passing-"+o.word(), storetest.Boolean).ID
		}
		o.content = o.contentOfFlag(id)
		return func(ctx context.Context, actor models.Actor) error {
			return o.Store.DeleteFlag(ctx, o.project.ID, actor, id)
		}
	}},
	{"override", func(o *operator, w observer) func(context.Context, models.Actor) error {
		n := models.NewUserOverride{UserID: o.name(), BranchName: []string{"a", "b", "c", "production", "unknown"}[o.IntN(5)]}
		o.content = o.contentOfOverride(w, n)
		return func(ctx context.Context, actor models.Actor) error {
			_, err := o.Store.CreateUserOverride(ctx, o.project.ID, actor, n)
			return err
		}
	}},
	{"delete an override", func(o *operator, w observer) func(context.Context, models.Actor) error {
		id := o.mostly(w, "release", "SELECT id::text FROM user_overrides ORDER BY id")
		o.content = content{read: o.overrides}
		return func(ctx context.Context, actor models.Actor) error {
			return o.Store.DeleteUserOverride(ctx, o.project.ID, actor, id)
		}
	}},
}

// contentOfFlag returns how to read a flag, without IDs and times that would differ if the same call ran again.
func (o *operator) contentOfFlag(id int64) content {
	return content{read: func(ctx context.Context) (any, error) {
		f, err := o.Store.Flag(ctx, o.project.ID, id)
		if models.CodeOf(err) == models.CodeNotFound {
			return "deleted", nil
		}
		f.Versioned, f.UpdatedAt, f.NewestReleases, f.ActiveRollouts = models.Versioned{}, time.Time{}, nil, nil
		for i := range f.Rules {
			f.Rules[i].ID = 0
		}
		for i := range f.Environments {
			f.Environments[i].ID, f.Environments[i].UpdatedAt = 0, time.Time{}
		}
		return f, err
	}}
}

// overrides returns the branch of each user that has an override.
func (o *operator) overrides(ctx context.Context) (any, error) {
	list, err := o.Store.ListUserOverrides(ctx, o.project.ID, models.Page{Limit: 200})
	branches := map[string]string{}
	for _, v := range list {
		branches[v.UserID] = v.BranchName
	}
	return branches, err
}

// newOverride is the content that the preview of a new override reads: the overrides, and the sentences about the releases that
// the devices of the user get.
type newOverride struct {
	overrides any
	said      string
}

// contentOfOverride returns how to read the content of a new override. Its check is that devices of the user get the releases that
// the preview named.
func (o *operator) contentOfOverride(w observer, n models.NewUserOverride) content {
	read := func(ctx context.Context) (any, error) {
		all, err := o.overrides(ctx)
		if err != nil {
			return nil, err
		}
		releases, err := o.Store.ListReleases(ctx, o.project.ID, models.ReleaseFilter{Branch: n.BranchName, IsEnabled: new(true)},
			models.Page{Limit: 100})
		said := preview.NewOverrideWarnings(models.UserOverride{UserID: n.UserID, BranchName: n.BranchName}, releases)
		return newOverride{all, strings.Join(said, "\n")}, err
	}
	check := func(read any, after facts) {
		for range previewDevices {
			decided := after.served.Resolve(delivery.Request{
				Channel: o.name(), Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)], RuntimeVersion: "1.0.0",
				DeviceID: o.word(), UserID: n.UserID,
			})
			said := read.(newOverride).said
			if decided.Outcome == delivery.OutcomeUpdate {
				require.Equal(w.f.T, n.BranchName, decided.BranchName)
				isNamed := strings.Contains(said, fmt.Sprintf("(#%d)", decided.ReleaseID))
				require.True(w.f.T, isNamed || strings.Contains(said, "other devices would get other releases"), "release %d: %s", decided.ReleaseID, said)
			}
		}
	}
	return content{read, check}
}

// readContent returns the content of the present call, or nil if the call has none.
func (o *operator) readContent(ctx context.Context) (any, error) {
	if o.content.read == nil {
		return nil, nil
	}
	return o.content.read(ctx)
}

// mustReadContent reads the content like readContent, outside a preview.
func (o *operator) mustReadContent() any {
	o.Store.T.Helper()
	read, err := o.readContent(o.ctx)
	require.NoError(o.Store.T, err)
	return read
}
