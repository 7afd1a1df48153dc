package store_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

type operation struct {
	name string
	run  func(o *operator) error
}

// operations lists what an operator may do. An operation that is listed more than once is done more often.
var operations = []operation{
	{"create branch", func(o *operator) error {
		_, err := o.Store.CreateBranch(o.ctx, o.project.ID, storetest.Alice, models.NewBranch{Name: o.name()})
		return err
	}},
	{"delete branch", func(o *operator) error {
		return o.Store.DeleteBranch(o.ctx, o.project.ID, storetest.Alice, o.name())
	}},
	{"create channel", func(o *operator) error {
		_, err := o.Store.CreateChannel(o.ctx, o.project.ID, storetest.Alice, models.NewChannel{Name: o.name(), BranchName: o.name()})
		return err
	}},
	{"update channel", (*operator).updateChannel},
	{"update channel", (*operator).updateChannel},
	{"delete channel", func(o *operator) error {
		if o.IntN(4) > 0 { // otherwise few channels would be left to publish to
			return nil
		}
		return o.Store.DeleteChannel(o.ctx, o.project.ID, storetest.Alice, o.name())
	}},
	{"upload", func(o *operator) error {
		// There are only a few contents, so that uploads share files.
		n := storetest.NewBuild([]models.Platform{models.IOS, models.Android}[o.IntN(2)], fmt.Sprint("content ", o.IntN(8)))
		md5s := make([]string, len(n.Assets))
		for i, a := range n.Assets {
			md5s[i] = a.MD5
		}
		hold, err := o.Store.HoldBlobs(o.ctx, o.project.ID, md5s)
		if err != nil {
			return err
		}
		n.HoldID = hold.ID
		b, err := o.Store.CreateBuild(o.ctx, o.project.ID, storetest.Alice, n)
		if err == nil {
			o.learn("build", b.ID)
		}
		return err
	}},
	{"delete build", func(o *operator) error {
		return o.Store.DeleteBuild(o.ctx, o.project.ID, storetest.Alice, o.some("build"))
	}},
	{"publish", (*operator).publish},
	{"publish", (*operator).publish},
	{"publish", (*operator).publish},
	{"patch release", (*operator).patchRelease},
	{"patch release", (*operator).patchRelease},
	{"delete release", func(o *operator) error {
		return o.Store.DeleteRelease(o.ctx, o.project.ID, storetest.Alice, o.some("release"))
	}},
	{"create policy", func(o *operator) error {
		n := storetest.NewPolicy()
		n.IsActive, n.Channel = o.IntN(4) > 0, nil
		if o.IntN(4) == 0 {
			channel := o.name()
			n.Channel = &channel
		}
		p, err := o.Store.CreatePolicy(o.ctx, o.project.ID, storetest.Alice, n)
		if err == nil {
			o.learn("policy", p.ID)
		}
		return err
	}},
	{"start rollout", (*operator).startRollout},
	{"start rollout", (*operator).startRollout},
	{"step of a rollout", (*operator).step},
	{"step of a rollout", (*operator).step},
	{"step of a rollout", (*operator).step},
	{"create key", func(o *operator) error {
		k, err := o.Store.CreateAPIKey(o.ctx, o.project.ID, storetest.Alice, models.NewAPIKey{Name: o.name(), Role: models.RoleEditor},
			models.NewAPIKeyToken())
		if err == nil {
			o.learn("key", k.ID)
		}
		return err
	}},
	{"revoke key", func(o *operator) error {
		return o.Store.RevokeAPIKey(o.ctx, o.project.ID, storetest.Alice, o.some("key"))
	}},
	{"create override", func(o *operator) error {
		v, err := o.Store.CreateUserOverride(o.ctx, o.project.ID, storetest.Alice, models.NewUserOverride{UserID: o.name(), BranchName: o.name()})
		if err == nil {
			o.learn("override", v.ID)
		}
		return err
	}},
	{"delete override", func(o *operator) error {
		return o.Store.DeleteUserOverride(o.ctx, o.project.ID, storetest.Alice, o.some("override"))
	}},
	{"update policy", func(o *operator) error {
		_, err := o.Store.UpdatePolicy(o.ctx, o.project.ID, storetest.Alice, o.some("policy"), models.PolicyPatch{
			Name: mayBe(o, o.name()), IsActive: mayBe(o, o.IntN(4) > 0),
			Stages: mayBe(o, []models.Stage{{Percentage: 1 + float64(o.IntN(90))}, {Percentage: 100}}),
		})
		return err
	}},
	{"delete policy", func(o *operator) error {
		return o.Store.DeletePolicy(o.ctx, o.project.ID, storetest.Alice, o.some("policy"))
	}},
	{"republish", func(o *operator) error {
		n := models.Republish{ReleaseMessage: mayBe(o, o.name())}
		if o.bool() {
			n.Channels = []string{o.name()}
		}
		out, err := o.Store.Republish(o.ctx, o.project.ID, storetest.Alice, o.some("release"), n)
		for _, r := range out.Updates {
			o.learn("release", r.ID)
		}
		return err
	}},
	{"roll back", func(o *operator) error {
		n := models.Rollback{
			Channel: o.name(), Platform: []models.Platform{models.IOS, models.Android}[o.IntN(2)], RuntimeVersion: "1.0.0",
			ToUpdateID: mayBe(o, o.some("release")), AllowDisabled: o.bool(),
		}
		r, err := o.Store.Rollback(o.ctx, o.project.ID, storetest.Alice, n)
		if err == nil {
			o.learn("release", r.ID)
		}
		return err
	}},
	{"create flag", func(o *operator) error {
		flag, err := o.Store.CreateFlag(o.ctx, o.project.ID, storetest.Alice, models.NewFlag{
			Key: o.name(), FlagType: models.FlagString, DefaultValue: json.RawMessage(`"red"`), Enabled: o.bool(),
			Variations: []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: "green"}},
		})
		if err == nil {
			o.learn("flag", flag.ID)
		}
		return err
	}},
	{"update flag", func(o *operator) error {
		_, err := o.Store.UpdateFlag(o.ctx, o.project.ID, storetest.Alice, o.some("flag"), models.FlagPatch{
			Name: mayBe(o, o.name()), Enabled: mayBe(o, o.bool()),
			Variations: mayBe(o, []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: []string{"green", "blue"}[o.IntN(2)]}}),
		})
		return err
	}},
	{"delete flag", func(o *operator) error {
		return o.Store.DeleteFlag(o.ctx, o.project.ID, storetest.Alice, o.some("flag"))
	}},
	{"update variation", (*operator).updateVariation},
	{"create rule", (*operator).createRule},
	{"create rule", (*operator).createRule},
	{"delete rule", func(o *operator) error {
		rule := o.some("rule")
		return o.Store.DeleteRule(o.ctx, o.project.ID, storetest.Alice, o.known.ownerOf(rule), rule)
	}},
	{"set flag environment", func(o *operator) error {
		_, _, err := o.Store.UpdateFlagEnvironment(o.ctx, o.project.ID, storetest.Alice, o.some("flag"), o.name(), models.FlagEnvironmentPatch{
			Enabled: mayClear(o, o.bool()), DefaultValue: mayClear(o, json.RawMessage(`"green"`)),
		})
		return err
	}},
	{"create segment", func(o *operator) error {
		g, err := o.Store.CreateSegment(o.ctx, o.project.ID, storetest.Alice, models.NewSegment{
			Key: o.name(), Name: o.name(), MatchType: models.MatchAll, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpExists}},
		})
		if err == nil {
			o.learn("segment", g.ID)
		}
		return err
	}},
	{"delete segment", func(o *operator) error {
		return o.Store.DeleteSegment(o.ctx, o.project.ID, storetest.Alice, o.some("segment"))
	}},
	{"see context", func(o *operator) error {
		c, _, err := o.Store.SaveContext(o.ctx, o.project.ID, storetest.Alice, models.SeenContext{
			Kind: "user", TargetingKey: o.name(), Name: mayBe(o, o.name()), Attributes: map[string]any{o.name(): o.IntN(3)},
		})
		if err == nil {
			o.learn("context", c.ID)
		}
		return err
	}},
	{"delete context", func(o *operator) error {
		return o.Store.DeleteContext(o.ctx, o.project.ID, storetest.Alice, o.some("context"))
	}},
	{"create webhook", func(o *operator) error {
		w, _, err := o.Store.CreateWebhook(o.ctx, o.project.ID, storetest.Alice,
			models.NewWebhook{URL: "https://example.com/" + o.name(), Events: []string{"*"}, IsActive: o.bool()})
		if err == nil {
			o.learn("webhook", w.ID)
		}
		return err
	}},
	{"rotate webhook secret", func(o *operator) error {
		_, _, err := o.Store.RotateWebhookSecret(o.ctx, o.project.ID, storetest.Alice, o.some("webhook"), false)
		return err
	}},
	{"delete webhook", func(o *operator) error {
		return o.Store.DeleteWebhook(o.ctx, o.project.ID, storetest.Alice, o.some("webhook"))
	}},
	{"collect garbage", func(o *operator) error {
		if _, err := o.Store.CollectGarbage(o.ctx, o.project.ID, storetest.Alice, nil); err != nil {
			return err
		}
		_, err := o.Store.RemoveBlobs(o.ctx, o.project.ID, func(context.Context, string) error { return nil })
		return err
	}},
	{"read everything", func(o *operator) error {
		_, err := o.Store.Snapshot(o.ctx, o.project.ID)
		return err
	}},
	{"make and delete a project", func(o *operator) error {
		if o.IntN(3) > 0 {
			return nil
		}
		slug := fmt.Sprint("passing-", o.IntN(4))
		_, err := o.Store.CreateProject(o.ctx, storetest.Alice, models.NewProject{Name: slug, Slug: slug})
		if err != nil && models.CodeOf(err) != models.CodeAlreadyExists {
			return err
		}
		return o.Store.DeleteProject(o.ctx, storetest.Alice, slug)
	}},
}
