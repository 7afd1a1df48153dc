package store_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// namedID names a record as errors do.
func namedID(what string, id int64) string { return what + " " + strconv.FormatInt(id, 10) }

func forSegment(key string) func(*models.NewFlagRule) {
	return func(n *models.NewFlagRule) {
		n.RuleType, n.Config = models.RuleSegment, models.RuleConfig{SegmentKey: key}
	}
}

func onChannel(name string) func(*models.NewFlagRule) {
	return func(n *models.NewFlagRule) { n.ChannelName = &name }
}

func at(priority int) func(*models.NewFlagRule) {
	return func(n *models.NewFlagRule) { n.Priority = &priority }
}

func TestCreateRule(t *testing.T) {
	t.Parallel()

	t.Run("of every type is read as it was written", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag, segment := f.flag("colour"), f.segment("beta")
		share := func(value string, weight float64) models.RolloutShare {
			return models.RolloutShare{VariantValue: value, HasValue: true, Weight: weight}
		}
		for _, c := range []struct {
			of     models.RuleType
			config models.RuleConfig
		}{
			{models.RuleUserList, models.RuleConfig{UserIDs: []string{"ann", "bob"}, UserIDsAsText: true}},
			{models.RulePercentageRollout, models.RuleConfig{Rollout: []models.RolloutShare{share("red", 33.333), share("blue", 10)}, BucketBy: "team"}},
			{models.RuleAttribute, models.RuleConfig{Conditions: []models.Condition{{Attribute: "plan", Operator: models.OpIn, Values: []string{"a", "b"}}}}},
			{models.RuleSegment, models.RuleConfig{SegmentKey: segment.Key}},
			{models.RuleOTAUpdate, models.RuleConfig{
				RuntimeVersion: &models.VersionCondition{Operator: models.OpGte, Value: "1.2.0"}, Branch: "next",
				UpdatedWithinDays: new(1.5), UpdateUUID: "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a",
			}},
		} {
			made := f.rule(flag, "green", func(n *models.NewFlagRule) { n.RuleType, n.Config = c.of, c.config })
			rules := f.readFlag(flag.ID).Rules
			require.Equal(t, made, rules[len(rules)-1], c.of)
			require.Equal(t, len(rules)-1, made.Priority, "after those before")
		}
		entry := f.audited(1)[0]
		require.Equal(t, "rule.created", entry.Action)
		require.Equal(t, "colour", entry.Details["flagKey"])
	})

	t.Run("rules come by priority, then id", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		flag := f.flag("colour")
		last, first, second := f.rule(flag, "red", at(7)), f.rule(flag, "red", at(-1)), f.rule(flag, "red", at(-1), onChannel("staging"))
		after := f.rule(flag, "red")
		require.Equal(t, 8, after.Priority)
		got := f.readFlag(flag.ID).Rules
		require.Equal(t, []models.FlagRule{first, second, last, after}, got)
		require.Equal(t, "staging", *got[1].ChannelName)
	})

	for name, tc := range map[string]struct {
		change func(*models.NewFlagRule)
		code   models.ErrorCode
		names  string
	}{
		"a value that is no variation":    {func(n *models.NewFlagRule) { n.VariantValue = new("pink") }, models.CodeInvalid, "variantValue"},
		"a channel that does not exist":   {onChannel("nobody"), models.CodeNotFound, `channel "nobody"`},
		"a segment that does not exist":   {forSegment("nobody"), models.CodeNotFound, `segment "nobody"`},
		"a configuration of another type": {func(n *models.NewFlagRule) { n.Config.Branch = "x" }, models.CodeInvalid, "ruleConfig.branch"},
		"a share for none of its variants": {func(n *models.NewFlagRule) {
			n.RuleType, n.Config = models.RulePercentageRollout, models.RuleConfig{Rollout: []models.RolloutShare{{VariationID: 1 << 40, Weight: 1}}}
		}, models.CodeInvalid, "ruleConfig.rollout[0].variationId"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			flag := f.flag("colour")
			value := "green"
			n := models.NewFlagRule{RuleType: models.RuleUserList, VariantValue: &value, Config: models.RuleConfig{UserIDs: []string{"ann"}}}
			tc.change(&n)
			f.requireBumped(false, func() {
				_, err := f.CreateRule(t.Context(), f.project.ID, alice, flag.ID, n)
				requireCode(t, tc.code, err)
				require.ErrorContains(t, err, tc.names)
			})
		})
	}
}

func TestUpdateRule(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag, other := f.flag("colour"), f.flag("other")
	rule := f.rule(flag, "green", onChannel("staging"))
	update := func(patch models.FlagRulePatch) (models.FlagRule, error) {
		return f.UpdateRule(t.Context(), f.project.ID, alice, flag.ID, rule.ID, patch)
	}
	got, err := update(models.FlagRulePatch{VariantValue: to("blue"), Priority: new(3), ChannelName: models.Nullable[string]{Set: true}})
	require.NoError(t, err)
	require.Equal(t, "blue", *got.VariantValue)
	require.Nil(t, got.ChannelName)
	require.Equal(t, []models.FlagRule{got}, f.readFlag(flag.ID).Rules)
	entry := f.audited(1)[0]
	require.Equal(t, "rule.updated", entry.Action)
	require.Equal(t, map[string]any{"before": "green", "after": "blue"}, entry.Details["variantValue"])
	require.NotContains(t, entry.Details, "ruleConfig")

	f.requireBumped(false, func() {
		_, err := update(models.FlagRulePatch{Priority: new(3)})
		require.NoError(t, err)
	})

	t.Run("to another type takes its configuration along", func(t *testing.T) {
		_, err := update(models.FlagRulePatch{RuleType: new(models.RulePercentageRollout)})
		requireCode(t, models.CodeInvalid, err)
		config := models.RuleConfig{Rollout: []models.RolloutShare{{VariationID: flag.Variations[0].ID, Weight: 50}}}
		got, err := update(models.FlagRulePatch{RuleType: new(models.RulePercentageRollout), Config: &config})
		require.NoError(t, err)
		require.Nil(t, got.VariantValue)
		require.Equal(t, "red", got.Config.Rollout[0].VariantValue)
		require.Equal(t, []models.FlagRule{got}, f.readFlag(flag.ID).Rules)
		back := models.RuleConfig{UserIDs: []string{"bob"}}
		_, err = update(models.FlagRulePatch{RuleType: new(models.RuleUserList), Config: &back})
		requireField(t, "variantValue", err)
	})

	_, err = f.UpdateRule(t.Context(), f.project.ID, alice, other.ID, rule.ID, models.FlagRulePatch{Priority: new(1)})
	requireCode(t, models.CodeNotFound, err)
	requireCode(t, models.CodeNotFound, f.DeleteRule(t.Context(), f.project.ID, alice, other.ID, rule.ID))
	requireCode(t, models.CodeNotFound, f.DeleteRule(t.Context(), f.newProject("other").ID, alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.project.ID, alice, flag.ID, rule.ID))
	require.Equal(t, "rule.deleted", f.audited(1)[0].Action)
	require.Empty(t, f.readFlag(flag.ID).Rules)
}

func TestALongListOfUsersIsSummedUpInTheLog(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag := f.flag("colour")
	users := make([]string, 101)
	for i := range users {
		users[i] = strconv.Itoa(i)
	}
	f.rule(flag, "green", func(n *models.NewFlagRule) { n.Config.UserIDs = users })
	config := f.audited(1)[0].Details["ruleConfig"].(map[string]any)
	require.EqualValues(t, 101, config["userIds"].(map[string]any)["count"])
}

func TestAChannelWithARuleOfItsOwnStays(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag := f.flag("colour")
	rule := f.rule(flag, "green", onChannel("staging"))
	err := f.DeleteChannel(t.Context(), f.project.ID, alice, "staging")
	requireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, namedID("rule", rule.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.project.ID, alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteChannel(t.Context(), f.project.ID, alice, "staging"))
}

// What the code checks under the project's lock holds in Postgres as well.
func TestPostgresKeepsFlagsWhole(t *testing.T) {
	t.Parallel()
	f := setup(t)
	flag, other := f.flag("colour"), f.flag("other")
	segment := f.segment("beta")
	f.rule(flag, "green")
	f.rule(flag, "blue", forSegment(segment.Key))
	for name, sql := range map[string]string{
		"a variation in use":                  "DELETE FROM flag_variations WHERE value = 'green' AND flag_id = " + strconv.FormatInt(flag.ID, 10),
		"a segment in use":                    "DELETE FROM segments",
		"a variation of another flag":         "UPDATE flag_rules SET variation_id = " + strconv.FormatInt(other.Variations[0].ID, 10),
		"a rule without a variation":          "UPDATE flag_rules SET variation_id = NULL",
		"two variations of one name":          "UPDATE flag_variations SET name = 'same'",
		"two variations of one value":         "UPDATE flag_variations SET value = 'same'",
		"a segment rule without a segment":    "UPDATE flag_rules SET segment_id = NULL",
		"a segment without conditions":        "UPDATE segments SET conditions = '[]'",
		"a boolean flag with another default": "UPDATE flags SET flag_type = 'boolean'",
	} {
		_, err := f.conn().Exec(t.Context(), sql)
		require.Error(t, err, name)
	}
}
