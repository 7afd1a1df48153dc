package flagstore_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateFlag(t *testing.T) {
	t.Parallel()

	t.Run("fills what is left out", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.RequireBumped(true, func() {
			flag, err := f.CreateFlag(t.Context(), f.Demo.ID, storetest.Alice, models.NewFlag{Name: "New checkout", Enabled: true})
			require.NoError(t, err)
			require.Equal(t, "new-checkout", flag.Key)
			require.Equal(t, models.FlagBoolean, flag.FlagType)
			require.Equal(t, "false", flag.DefaultValue)
			require.Len(t, flag.Variations, 2)
			require.Equal(t, "On", flag.Variations[0].Name)
			require.Equal(t, "true", flag.Variations[0].Value)
			require.Len(t, flag.Environments, 2, "one for each channel")
			require.Equal(t, "production", flag.Environments[0].ChannelName)
			require.Equal(t, flag, storetest.ReadFlag(f, flag.ID))
		})
		entry := f.Audited(1)[0]
		require.Equal(t, "flag.created", entry.Action)
		require.Equal(t, "flag", entry.EntityType)
		require.Equal(t, "new-checkout", entry.Details["key"])
	})

	t.Run("refuses a key that is taken, in this project only", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddFlag(f, "checkout")
		_, err := f.CreateFlag(t.Context(), f.Demo.ID, storetest.Alice, models.NewFlag{Name: "Checkout"})
		storetest.RequireCode(t, models.CodeAlreadyExists, err)
		_, err = f.CreateFlag(t.Context(), f.NewProject("other").ID, storetest.Alice, models.NewFlag{Name: "Checkout"})
		require.NoError(t, err)
	})

	t.Run("refuses a default of another type", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateFlag(t.Context(), f.Demo.ID, storetest.Alice, models.NewFlag{
			Name: "n", FlagType: models.FlagNumber, DefaultValue: json.RawMessage(`true`),
		})
		storetest.RequireField(t, "defaultValue", err)
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateFlag(t.Context(), 1<<40, storetest.Alice, models.NewFlag{Name: "n"})
		storetest.RequireCode(t, models.CodeNotFound, err)
	})

	t.Run("with the same key many times in parallel creates one flag", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		errs := make([]error, 8)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				_, errs[i] = f.CreateFlag(t.Context(), f.Demo.ID, storetest.Alice, models.NewFlag{Name: "Checkout"})
			})
		}
		all.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			storetest.RequireCode(t, models.CodeAlreadyExists, err)
		}
		require.Equal(t, 1, made)
	})
}

func TestListFlags(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first, second := storetest.AddFlag(f, "first"), storetest.AddFlag(f, "second", storetest.Boolean)
	storetest.AddRule(f, first, "green")
	flags, err := f.ListFlags(t.Context(), f.Demo.ID, models.FlagFilter{}, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []models.Flag{storetest.ReadFlag(f, second.ID), storetest.ReadFlag(f, first.ID)}, flags)
	flags, err = f.ListFlags(t.Context(), f.Demo.ID, models.FlagFilter{}, models.Page{Limit: 1, Before: second.ID})
	require.NoError(t, err)
	require.Len(t, flags, 1)
	require.Equal(t, first.ID, flags[0].ID)

	other := f.NewProject("other")
	flags, err = f.ListFlags(t.Context(), other.ID, models.FlagFilter{}, models.Page{})
	require.NoError(t, err)
	require.Empty(t, flags)
	_, err = f.Flag(t.Context(), other.ID, first.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestUpdateFlag(t *testing.T) {
	t.Parallel()
	update := func(f *storetest.Fixture, id int64, patch models.FlagPatch) (models.Flag, error) {
		return f.UpdateFlag(f.T.Context(), f.Demo.ID, storetest.Alice, id, patch)
	}

	t.Run("switching and changing are two entries of the log", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		f.RequireBumped(true, func() {
			got, err := update(f, flag.ID, models.FlagPatch{
				Enabled: new(false), Name: new("Colour"), DefaultValue: json.RawMessage(`"green"`),
			})
			require.NoError(t, err)
			require.False(t, got.Enabled)
			require.Equal(t, "green", got.DefaultValue)
			require.Equal(t, got, storetest.ReadFlag(f, flag.ID))
		})
		entries := f.Audited(2)
		require.Equal(t, "flag.toggled", entries[0].Action)
		require.Equal(t, map[string]any{"before": true, "after": false}, entries[0].Details["enabled"])
		require.Equal(t, "flag.updated", entries[1].Action)
		require.Equal(t, map[string]any{"before": "red", "after": "green"}, entries[1].Details["defaultValue"])
		require.NotContains(t, entries[1].Details, "enabled")
	})

	t.Run("that changes nothing leaves no trace", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		f.RequireBumped(false, func() {
			got, err := update(f, flag.ID, models.FlagPatch{Enabled: new(true), DefaultValue: json.RawMessage(`"red"`)})
			require.NoError(t, err)
			require.Equal(t, flag, got)
		})
		require.Equal(t, "flag.created", f.Audited(1)[0].Action)
	})

	t.Run("variations may swap names and values, come and go", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		red, green := flag.Variations[0].ID, flag.Variations[1].ID
		got, err := update(f, flag.ID, models.FlagPatch{Variations: &[]models.NewVariation{
			{ID: &green, Name: "Red", Value: "red"}, {ID: &red, Name: "Green", Value: "green"}, {Name: "Pink", Value: "pink"},
		}})
		require.NoError(t, err)
		require.Len(t, got.Variations, 3)
		require.Equal(t, green, got.Variations[0].ID)
		require.Equal(t, "red", got.Variations[0].Value)
		require.Equal(t, "pink", got.Variations[2].Value)
		require.Equal(t, "green", got.DefaultValue, "the default value follows its variation")
	})

	t.Run("a changed value is followed by all that have it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		storetest.AddRule(f, flag, "red")
		_, _, err := f.UpdateFlagEnvironment(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, "staging",
			models.FlagEnvironmentPatch{DefaultValue: storetest.SetTo(json.RawMessage(`"red"`))})
		require.NoError(t, err)
		r := f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("red")}))

		v, err := f.UpdateVariation(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, flag.Variations[0].ID,
			models.VariationPatch{Value: new("crimson")})
		require.NoError(t, err)
		require.Equal(t, "crimson", v.Value)
		got := storetest.ReadFlag(f, flag.ID)
		require.Equal(t, "crimson", got.DefaultValue)
		require.Equal(t, "crimson", *got.Rules[0].VariantValue)
		require.Equal(t, "crimson", *got.Environments[1].DefaultValue)
		require.Equal(t, "crimson", f.MustRelease(r.ID).LinkedFlags[0].Value)
		changed := map[string]any{"before": "red", "after": "crimson"}
		entries := f.Audited(3)
		require.Equal(t, "env_setting.updated", entries[0].Action)
		require.Equal(t, changed, entries[0].Details["defaultValue"])
		require.Equal(t, "staging", entries[0].Details["channelName"])
		require.Contains(t, entries[0].Details, "variationNames")
		require.Equal(t, "flag.updated", entries[1].Action)
		require.Equal(t, changed, entries[1].Details["defaultValue"])
		require.Equal(t, "variation.updated", entries[2].Action)
		require.Equal(t, changed, entries[2].Details["value"])
	})

	t.Run("a variation in use does not go", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour", func(n *models.NewFlag) {
			n.Variations = append(n.Variations, models.NewVariation{Name: "Pink", Value: "pink"})
		})
		rule := storetest.AddRule(f, flag, "green")
		shares := storetest.AddRule(f, flag, "", func(n *models.NewFlagRule) {
			n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
			n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
		})
		release := f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: flag.ID, Enabled: true, Value: new("pink")}))
		_, err := update(f, flag.ID, models.FlagPatch{Variations: &[]models.NewVariation{{Name: "Green", Value: "green"}, {Name: "Blue", Value: "blue"}, {Name: "Pink", Value: "pink"}}})
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, "the default value")
		for missing, user := range map[string]string{
			"green": namedID("rule", rule.ID), "blue": namedID("rule", shares.ID), "pink": namedID("release", release.ID),
		} {
			var rest []models.NewVariation
			for _, v := range flag.Variations {
				if v.Value != missing {
					rest = append(rest, models.NewVariation{Name: v.Name, Value: v.Value})
				}
			}
			_, err := update(f, flag.ID, models.FlagPatch{Variations: &rest})
			storetest.RequireCode(t, models.CodeInUse, err)
			require.ErrorContains(t, err, user)
		}
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, release.ID))
		var rest []models.NewVariation
		for _, v := range flag.Variations[:3] {
			rest = append(rest, models.NewVariation{Name: v.Name, Value: v.Value})
		}
		got, err := update(f, flag.ID, models.FlagPatch{Variations: &rest})
		require.NoError(t, err, "a deleted release does not protect its variation")
		require.Len(t, got.Variations, 3)
	})

	t.Run("of another project is not found", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		other := f.NewProject("other").ID
		_, err := f.UpdateFlag(t.Context(), other, storetest.Alice, flag.ID, models.FlagPatch{Enabled: new(false)})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.UpdateVariation(t.Context(), other, storetest.Alice, flag.ID, flag.Variations[0].ID, models.VariationPatch{Name: new("x")})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, _, err = f.UpdateFlagEnvironment(t.Context(), other, storetest.Alice, flag.ID, "production",
			models.FlagEnvironmentPatch{Enabled: storetest.SetTo(false)})
		storetest.RequireCode(t, models.CodeNotFound, err)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteFlag(t.Context(), other, storetest.Alice, flag.ID))
		require.Equal(t, flag, storetest.ReadFlag(f, flag.ID))
	})
}

func TestFlagEnvironments(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "checkout", storetest.Boolean)
	set := func(channel string, patch models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error) {
		return f.UpdateFlagEnvironment(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, channel, patch)
	}
	_, e, err := set("staging", models.FlagEnvironmentPatch{Enabled: storetest.SetTo(false),
		DefaultValue: storetest.SetTo(json.RawMessage(`"true"`))})
	require.NoError(t, err)
	require.Equal(t, "staging", e.ChannelName)
	require.False(t, *e.Enabled)
	entry := f.Audited(1)[0]
	require.Equal(t, "env_setting.updated", entry.Action)
	require.Equal(t, "staging", entry.Details["channelName"])
	require.Equal(t, map[string]any{"before": nil, "after": "true"}, entry.Details["defaultValue"])

	got := storetest.ReadFlag(f, flag.ID)
	enabled, value := got.In("staging")
	require.False(t, enabled)
	require.Equal(t, "true", value)
	enabled, value = got.In("production")
	require.True(t, enabled)
	require.Equal(t, "false", value)

	f.RequireBumped(false, func() {
		_, _, err = set("staging", models.FlagEnvironmentPatch{Enabled: storetest.SetTo(false)})
		require.NoError(t, err)
	})
	_, e, err = set("staging", models.FlagEnvironmentPatch{Enabled: models.Nullable[bool]{Set: true}})
	require.NoError(t, err)
	require.Nil(t, e.Enabled)
	require.Equal(t, "true", *e.DefaultValue)

	_, _, err = set("staging", models.FlagEnvironmentPatch{DefaultValue: storetest.SetTo(json.RawMessage(`7`))})
	storetest.RequireField(t, "defaultValue", err)
	_, _, err = set("nobody", models.FlagEnvironmentPatch{Enabled: storetest.SetTo(true)})
	storetest.RequireCode(t, models.CodeNotFound, err)

	require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging"))
	require.Len(t, storetest.ReadFlag(f, flag.ID).Environments, 1, "the settings are deleted with the channel")
}

func TestDeleteFlag(t *testing.T) {
	t.Parallel()

	t.Run("takes all of it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		storetest.AddRule(f, flag, "green")
		storetest.AddRule(f, flag, "", func(n *models.NewFlagRule) {
			n.RuleType, n.VariantValue = models.RulePercentageRollout, nil
			n.Config = models.RuleConfig{Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}}}
		})
		_, _, err := f.UpdateFlagEnvironment(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, "staging",
			models.FlagEnvironmentPatch{Enabled: storetest.SetTo(false)})
		require.NoError(t, err)
		f.RequireBumped(true, func() { require.NoError(t, f.DeleteFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID)) })
		require.Equal(t, "flag.deleted", f.Audited(1)[0].Action)
		_, err = f.Flag(t.Context(), f.Demo.ID, flag.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
		for _, table := range []string{"flag_rules", "flag_rule_shares", "flag_environments", "flag_variations"} {
			require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM "+table), table)
		}
	})

	t.Run("not while a release links it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		r := f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: flag.ID}))
		err := f.DeleteFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID)
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, namedID("release", r.ID))
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		require.NoError(t, f.DeleteFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID))
	})

	t.Run("goes with its project", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish(storetest.LinkFlags(models.FlagLink{FlagID: storetest.AddFlag(f, "colour").ID}))
		storetest.AddRule(f, storetest.AddFlag(f, "second"), "green", storetest.ForSegment(storetest.AddSegment(f, "beta").Key))
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))
		require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM flags"))
		require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM segments"))
	})
}
