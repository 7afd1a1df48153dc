package store_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// flag makes a string flag with the variations red, green and blue, red being its
// default; change may alter it.
func (f *fixture) flag(key string, change ...func(*models.NewFlag)) models.Flag {
	f.t.Helper()
	n := models.NewFlag{
		Key: key, FlagType: models.FlagString, Enabled: true, DefaultValue: json.RawMessage(`"red"`),
		Variations: []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: "green"}, {Name: "Blue", Value: "blue"}},
	}
	for _, c := range change {
		c(&n)
	}
	flag, err := f.CreateFlag(f.t.Context(), f.project.ID, alice, n)
	require.NoError(f.t, err)
	return flag
}

func boolean(n *models.NewFlag) { n.FlagType, n.DefaultValue, n.Variations = "", nil, nil }

// rule adds a rule that gives the value to one user; change may alter it.
func (f *fixture) rule(flag models.Flag, value string, change ...func(*models.NewFlagRule)) models.FlagRule {
	f.t.Helper()
	n := models.NewFlagRule{
		RuleType: models.RuleUserList, VariantValue: &value, Config: models.RuleConfig{UserIDs: []string{"ann"}},
	}
	for _, c := range change {
		c(&n)
	}
	r, err := f.CreateRule(f.t.Context(), f.project.ID, alice, flag.ID, n)
	require.NoError(f.t, err)
	return r
}

func (f *fixture) readFlag(id int64) models.Flag {
	f.t.Helper()
	flag, err := f.Flag(f.t.Context(), f.project.ID, id)
	require.NoError(f.t, err)
	return flag
}

func TestCreateFlag(t *testing.T) {
	t.Parallel()

	t.Run("fills what is left out", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.requireBumped(true, func() {
			flag, err := f.CreateFlag(t.Context(), f.project.ID, alice, models.NewFlag{Name: "New checkout", Enabled: true})
			require.NoError(t, err)
			require.Equal(t, "new-checkout", flag.Key)
			require.Equal(t, models.FlagBoolean, flag.FlagType)
			require.Equal(t, "false", flag.DefaultValue)
			require.Len(t, flag.Variations, 2)
			require.Equal(t, "On", flag.Variations[0].Name)
			require.Equal(t, "true", flag.Variations[0].Value)
			require.Len(t, flag.Environments, 2, "one for each channel")
			require.Equal(t, "production", flag.Environments[0].ChannelName)
			require.Equal(t, flag, f.readFlag(flag.ID))
		})
		entry := f.audited(1)[0]
		require.Equal(t, "flag.created", entry.Action)
		require.Equal(t, "flag", entry.EntityType)
		require.Equal(t, "new-checkout", entry.Details["key"])
	})

	t.Run("refuses a key that is taken, in this project only", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.flag("checkout")
		_, err := f.CreateFlag(t.Context(), f.project.ID, alice, models.NewFlag{Name: "Checkout"})
		requireCode(t, models.CodeAlreadyExists, err)
		_, err = f.CreateFlag(t.Context(), f.newProject("other").ID, alice, models.NewFlag{Name: "Checkout"})
		require.NoError(t, err)
	})

	t.Run("refuses a default of another type", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.CreateFlag(t.Context(), f.project.ID, alice, models.NewFlag{
			Name: "n", FlagType: models.FlagNumber, DefaultValue: json.RawMessage(`true`),
		})
		requireField(t, "defaultValue", err)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, err := f.CreateFlag(t.Context(), 1<<40, alice, models.NewFlag{Name: "n"})
		requireCode(t, models.CodeNotFound, err)
	})

	t.Run("of one key by many at once makes one", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, errs[i] = f.CreateFlag(t.Context(), f.project.ID, alice, models.NewFlag{Name: "Checkout"}) })
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			requireCode(t, models.CodeAlreadyExists, err)
		}
		require.Equal(t, 1, made)
	})
}

func TestListFlags(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first, second := f.flag("first"), f.flag("second", boolean)
	f.rule(first, "green")
	flags, err := f.ListFlags(t.Context(), f.project.ID, models.FlagFilter{}, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []models.Flag{f.readFlag(second.ID), f.readFlag(first.ID)}, flags)
	flags, err = f.ListFlags(t.Context(), f.project.ID, models.FlagFilter{}, models.Page{Limit: 1, Before: second.ID})
	require.NoError(t, err)
	require.Len(t, flags, 1)
	require.Equal(t, first.ID, flags[0].ID)

	other := f.newProject("other")
	flags, err = f.ListFlags(t.Context(), other.ID, models.FlagFilter{}, models.Page{})
	require.NoError(t, err)
	require.Empty(t, flags)
	_, err = f.Flag(t.Context(), other.ID, first.ID)
	requireCode(t, models.CodeNotFound, err)
}

func TestUpdateFlag(t *testing.T) {
	t.Parallel()
	update := func(f *fixture, id int64, patch models.FlagPatch) (models.Flag, error) {
		return f.UpdateFlag(f.t.Context(), f.project.ID, alice, id, patch)
	}

	t.Run("switching and changing are two entries of the log", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		f.requireBumped(true, func() {
			got, err := update(f, flag.ID, models.FlagPatch{
				Enabled: new(false), Name: new("Colour"), DefaultValue: json.RawMessage(`"green"`),
			})
			require.NoError(t, err)
			require.False(t, got.Enabled)
			require.Equal(t, "green", got.DefaultValue)
			require.Equal(t, got, f.readFlag(flag.ID))
		})
		entries := f.audited(2)
		require.Equal(t, "flag.toggled", entries[0].Action)
		require.Equal(t, map[string]any{"before": true, "after": false}, entries[0].Details["enabled"])
		require.Equal(t, "flag.updated", entries[1].Action)
		require.Equal(t, map[string]any{"before": "red", "after": "green"}, entries[1].Details["defaultValue"])
		require.NotContains(t, entries[1].Details, "enabled")
	})

	t.Run("that changes nothing leaves no trace", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		f.requireBumped(false, func() {
			got, err := update(f, flag.ID, models.FlagPatch{Enabled: new(true), DefaultValue: json.RawMessage(`"red"`)})
			require.NoError(t, err)
			require.Equal(t, flag, got)
		})
		require.Equal(t, "flag.created", f.audited(1)[0].Action)
	})

	t.Run("variations may swap names and values, come and go", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		red, green := flag.Variations[0].ID, flag.Variations[1].ID
		got, err := update(f, flag.ID, models.FlagPatch{Variations: &[]models.NewVariation{
			{ID: &green, Name: "Red", Value: "red"}, {ID: &red, Name: "Green", Value: "green"}, {Name: "Pink", Value: "pink"},
		}})
		require.NoError(t, err)
		require.Len(t, got.Variations, 3)
		require.Equal(t, green, got.Variations[0].ID)
		require.Equal(t, "red", got.Variations[0].Value)
		require.Equal(t, "pink", got.Variations[2].Value)
		require.Equal(t, "green", got.DefaultValue, "the default follows its variation")
	})

	t.Run("a changed value is followed by all that have it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		f.rule(flag, "red")
		_, _, err := f.UpdateFlagEnvironment(t.Context(), f.project.ID, alice, flag.ID, "staging",
			models.FlagEnvironmentPatch{DefaultValue: to(json.RawMessage(`"red"`))})
		require.NoError(t, err)
		r := f.publish(links(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("red")}))

		v, err := f.UpdateVariation(t.Context(), f.project.ID, alice, flag.ID, flag.Variations[0].ID, models.VariationPatch{Value: new("crimson")})
		require.NoError(t, err)
		require.Equal(t, "crimson", v.Value)
		got := f.readFlag(flag.ID)
		require.Equal(t, "crimson", got.DefaultValue)
		require.Equal(t, "crimson", *got.Rules[0].VariantValue)
		require.Equal(t, "crimson", *got.Environments[1].DefaultValue)
		require.Equal(t, "crimson", f.release(r.ID).LinkedFlags[0].Value)
		changed := map[string]any{"before": "red", "after": "crimson"}
		entries := f.audited(3)
		require.Equal(t, "env_setting.updated", entries[0].Action)
		require.Equal(t, changed, entries[0].Details["defaultValue"])
		require.Equal(t, "staging", entries[0].Details["channelName"])
		require.Equal(t, "flag.updated", entries[1].Action)
		require.Equal(t, changed, entries[1].Details["defaultValue"])
		require.Equal(t, "variation.updated", entries[2].Action)
		require.Equal(t, changed, entries[2].Details["value"])
	})

	t.Run("a variation in use does not go", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour", func(n *models.NewFlag) {
			n.Variations = append(n.Variations, models.NewVariation{Name: "Pink", Value: "pink"})
		})
		rule := f.rule(flag, "green")
		shares := f.rule(flag, "", func(n *models.NewFlagRule) {
			n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
			n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
		})
		release := f.publish(links(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("pink")}))
		_, err := update(f, flag.ID, models.FlagPatch{Variations: &[]models.NewVariation{{Name: "Green", Value: "green"}, {Name: "Blue", Value: "blue"}, {Name: "Pink", Value: "pink"}}})
		requireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "the default value")
		for missing, user := range map[string]string{
			"green": namedID("rule", rule.ID), "blue": namedID("rule", shares.ID), "pink": namedID("update", release.ID),
		} {
			var rest []models.NewVariation
			for _, v := range flag.Variations {
				if v.Value != missing {
					rest = append(rest, models.NewVariation{Name: v.Name, Value: v.Value})
				}
			}
			_, err := update(f, flag.ID, models.FlagPatch{Variations: &rest})
			requireCode(t, models.CodeInUse, err)
			require.ErrorContains(t, err, user)
		}
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, release.ID))
		var rest []models.NewVariation
		for _, v := range flag.Variations[:3] {
			rest = append(rest, models.NewVariation{Name: v.Name, Value: v.Value})
		}
		got, err := update(f, flag.ID, models.FlagPatch{Variations: &rest})
		require.NoError(t, err, "a deleted release holds nothing")
		require.Len(t, got.Variations, 3)
	})

	t.Run("of another project is not found", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		other := f.newProject("other").ID
		_, err := f.UpdateFlag(t.Context(), other, alice, flag.ID, models.FlagPatch{Enabled: new(false)})
		requireCode(t, models.CodeNotFound, err)
		_, err = f.UpdateVariation(t.Context(), other, alice, flag.ID, flag.Variations[0].ID, models.VariationPatch{Name: new("x")})
		requireCode(t, models.CodeNotFound, err)
		_, _, err = f.UpdateFlagEnvironment(t.Context(), other, alice, flag.ID, "production", models.FlagEnvironmentPatch{Enabled: to(false)})
		requireCode(t, models.CodeNotFound, err)
		requireCode(t, models.CodeNotFound, f.DeleteFlag(t.Context(), other, alice, flag.ID))
		require.Equal(t, flag, f.readFlag(flag.ID))
	})
}

func TestFlagEnvironments(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag := f.flag("checkout", boolean)
	set := func(channel string, patch models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error) {
		return f.UpdateFlagEnvironment(t.Context(), f.project.ID, alice, flag.ID, channel, patch)
	}
	_, e, err := set("staging", models.FlagEnvironmentPatch{Enabled: to(false), DefaultValue: to(json.RawMessage(`"true"`))})
	require.NoError(t, err)
	require.Equal(t, "staging", e.ChannelName)
	require.False(t, *e.Enabled)
	entry := f.audited(1)[0]
	require.Equal(t, "env_setting.updated", entry.Action)
	require.Equal(t, "staging", entry.Details["channelName"])
	require.Equal(t, map[string]any{"before": nil, "after": "true"}, entry.Details["defaultValue"])

	got := f.readFlag(flag.ID)
	enabled, value := got.In("staging")
	require.False(t, enabled)
	require.Equal(t, "true", value)
	enabled, value = got.In("production")
	require.True(t, enabled)
	require.Equal(t, "false", value)

	f.requireBumped(false, func() {
		_, _, err = set("staging", models.FlagEnvironmentPatch{Enabled: to(false)})
		require.NoError(t, err)
	})
	_, e, err = set("staging", models.FlagEnvironmentPatch{Enabled: models.Nullable[bool]{Set: true}})
	require.NoError(t, err)
	require.Nil(t, e.Enabled)
	require.Equal(t, "true", *e.DefaultValue)

	_, _, err = set("staging", models.FlagEnvironmentPatch{DefaultValue: to(json.RawMessage(`7`))})
	requireField(t, "defaultValue", err)
	_, _, err = set("nobody", models.FlagEnvironmentPatch{Enabled: to(true)})
	requireCode(t, models.CodeNotFound, err)

	require.NoError(t, f.DeleteChannel(t.Context(), f.project.ID, alice, "staging"))
	require.Len(t, f.readFlag(flag.ID).Environments, 1, "the settings go with the channel")
}

func TestDeleteFlag(t *testing.T) {
	t.Parallel()

	t.Run("takes all of it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		f.rule(flag, "green")
		f.rule(flag, "", func(n *models.NewFlagRule) {
			n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
			n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
		})
		_, _, err := f.UpdateFlagEnvironment(t.Context(), f.project.ID, alice, flag.ID, "staging", models.FlagEnvironmentPatch{Enabled: to(false)})
		require.NoError(t, err)
		f.requireBumped(true, func() { require.NoError(t, f.DeleteFlag(t.Context(), f.project.ID, alice, flag.ID)) })
		require.Equal(t, "flag.deleted", f.audited(1)[0].Action)
		_, err = f.Flag(t.Context(), f.project.ID, flag.ID)
		requireCode(t, models.CodeNotFound, err)
		for _, table := range []string{"flag_rules", "flag_rule_shares", "flag_environments", "flag_variations"} {
			require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM "+table), table)
		}
	})

	t.Run("not while a release links it", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		r := f.publish(links(models.FlagLink{FlagID: flag.ID}))
		err := f.DeleteFlag(t.Context(), f.project.ID, alice, flag.ID)
		requireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, namedID("update", r.ID))
		require.NoError(t, f.DeleteRelease(t.Context(), f.project.ID, alice, r.ID))
		require.NoError(t, f.DeleteFlag(t.Context(), f.project.ID, alice, flag.ID))
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.publish(links(models.FlagLink{FlagID: f.flag("colour").ID}))
		f.rule(f.flag("second"), "green", forSegment(f.segment("beta").Key))
		require.NoError(t, f.DeleteProject(t.Context(), alice, "demo"))
		require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM flags"))
		require.Equal(t, []int64{0}, query[int64](f, "SELECT count(*) FROM segments"))
	})
}
