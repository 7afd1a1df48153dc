package flagstore_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// namedID returns the name of a record as it appears in errors.
func namedID(what string, id int64) string { return what + " " + strconv.FormatInt(id, 10) }

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
		f := storetest.Setup(t)
		flag, segment := storetest.AddFlag(f, "colour"), storetest.AddSegment(f, "beta")
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
			made := storetest.AddRule(f, flag, "green", func(n *models.NewFlagRule) { n.RuleType, n.Config = c.of, c.config })
			rules := storetest.ReadFlag(f, flag.ID).Rules
			require.Equal(t, made, rules[len(rules)-1], c.of)
			require.Equal(t, len(rules)-1, made.Priority, "after the existing rules")
		}
		entry := f.Audited(1)[0]
		require.Equal(t, "rule.created", entry.Action)
		require.Equal(t, "colour", entry.Details["flagKey"])
	})

	t.Run("that splits keeps its conditions and shares", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag, segment := storetest.AddFlag(f, "colour"), storetest.AddSegment(f, "beta")
		config := models.RuleConfig{
			SegmentKey: segment.Key, BucketBy: "team", Rollout: []models.RolloutShare{{VariantValue: "blue", HasValue: true, Weight: 10}},
		}
		made := storetest.AddRule(f, flag, "", func(n *models.NewFlagRule) {
			n.RuleType, n.Config, n.VariantValue = models.RuleSegment, config, nil
		})
		require.Equal(t, []models.FlagRule{made}, storetest.ReadFlag(f, flag.ID).Rules)
		require.Nil(t, made.VariantValue)
		require.Equal(t, "blue", made.Config.Rollout[0].VariantValue)
		entry := f.Audited(1)[0].Details["ruleConfig"].(map[string]any)
		require.Contains(t, entry, "rollout")
		require.Equal(t, "beta", entry["segmentKey"])
		require.Equal(t, "team", entry["bucketBy"])
		_, err := f.UpdateFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.FlagPatch{
			Variations: &[]models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: "green"}},
		})
		storetest.RequireCode(t, models.CodeInUse, err)
		require.ErrorContains(t, err, namedID("rule", made.ID))
	})

	t.Run("rules come by priority, then id", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		flag := storetest.AddFlag(f, "colour")
		last, first, second := storetest.AddRule(f, flag, "red", at(7)), storetest.AddRule(f, flag, "red", at(-1)),
			storetest.AddRule(f, flag, "red", at(-1), onChannel("staging"))
		after := storetest.AddRule(f, flag, "red")
		require.Equal(t, 8, after.Priority)
		got := storetest.ReadFlag(f, flag.ID).Rules
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
		"a segment that does not exist":   {storetest.ForSegment("nobody"), models.CodeNotFound, `segment "nobody"`},
		"a configuration of another type": {func(n *models.NewFlagRule) { n.Config.Branch = "x" }, models.CodeInvalid, "ruleConfig.branch"},
		"a share for none of its variants": {func(n *models.NewFlagRule) {
			n.RuleType, n.Config = models.RulePercentageRollout, models.RuleConfig{Rollout: []models.RolloutShare{{VariationID: 1 << 40, Weight: 1}}}
		}, models.CodeInvalid, "ruleConfig.rollout[0].variationId"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			flag := storetest.AddFlag(f, "colour")
			value := "green"
			n := models.NewFlagRule{RuleType: models.RuleUserList, VariantValue: &value, Config: models.RuleConfig{UserIDs: []string{"ann"}}}
			tc.change(&n)
			f.RequireBumped(false, func() {
				_, err := f.CreateRule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, n)
				storetest.RequireCode(t, tc.code, err)
				require.ErrorContains(t, err, tc.names)
			})
		})
	}
}

func TestUpdateRule(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag, other := storetest.AddFlag(f, "colour"), storetest.AddFlag(f, "other")
	rule := storetest.AddRule(f, flag, "green", onChannel("staging"))
	update := func(patch models.FlagRulePatch) (models.FlagRule, error) {
		r, err := f.UpdateRule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, rule.ID, patch)
		r.Flag = models.Versioned{} // to compare with the rules of a flag that is read
		return r, err
	}
	got, err := update(models.FlagRulePatch{VariantValue: storetest.SetTo("blue"), Priority: new(3),
		ChannelName: models.Nullable[string]{Set: true}})
	require.NoError(t, err)
	require.Equal(t, "blue", *got.VariantValue)
	require.Nil(t, got.ChannelName)
	require.Equal(t, []models.FlagRule{got}, storetest.ReadFlag(f, flag.ID).Rules)
	entry := f.Audited(1)[0]
	require.Equal(t, "rule.updated", entry.Action)
	require.Equal(t, map[string]any{"before": "green", "after": "blue"}, entry.Details["variantValue"])
	require.NotContains(t, entry.Details, "ruleConfig")
	require.Equal(t, map[string]any{"green": "Green", "blue": "Blue"}, entry.Details["variationNames"])

	f.RequireBumped(false, func() {
		_, err := update(models.FlagRulePatch{Priority: new(3)})
		require.NoError(t, err)
	})

	t.Run("to another type takes its configuration along", func(t *testing.T) {
		_, err := update(models.FlagRulePatch{RuleType: new(models.RulePercentageRollout)})
		storetest.RequireCode(t, models.CodeInvalid, err)
		config := models.RuleConfig{Rollout: []models.RolloutShare{{VariationID: flag.Variations[0].ID, Weight: 50}}}
		got, err := update(models.FlagRulePatch{RuleType: new(models.RulePercentageRollout), Config: &config})
		require.NoError(t, err)
		require.Nil(t, got.VariantValue)
		require.Equal(t, "red", got.Config.Rollout[0].VariantValue)
		require.Equal(t, []models.FlagRule{got}, storetest.ReadFlag(f, flag.ID).Rules)
		back := models.RuleConfig{UserIDs: []string{"bob"}}
		_, err = update(models.FlagRulePatch{RuleType: new(models.RuleUserList), Config: &back})
		storetest.RequireField(t, "variantValue", err)
	})

	t.Run("to shares and back to one value", func(t *testing.T) {
		conditions := []models.Condition{{Attribute: "plan", Operator: models.OpEq, Values: []string{"pro"}}}
		_, err := update(models.FlagRulePatch{
			RuleType: new(models.RuleAttribute), Config: &models.RuleConfig{Conditions: conditions}, VariantValue: storetest.SetTo("blue"),
		})
		require.NoError(t, err)
		split := models.RuleConfig{Conditions: conditions, Rollout: []models.RolloutShare{{VariationID: flag.Variations[0].ID, Weight: 5}}}
		got, err := update(models.FlagRulePatch{Config: &split})
		require.NoError(t, err)
		require.Nil(t, got.VariantValue)
		require.Equal(t, []models.FlagRule{got}, storetest.ReadFlag(f, flag.ID).Rules)
		_, err = update(models.FlagRulePatch{Config: &split, VariantValue: storetest.SetTo("blue")})
		storetest.RequireField(t, "variantValue", err)
		got, err = update(models.FlagRulePatch{VariantValue: storetest.SetTo("green")})
		require.NoError(t, err)
		require.Equal(t, "green", *got.VariantValue)
		require.Equal(t, conditions, got.Config.Conditions)
		require.Equal(t, []models.FlagRule{got}, storetest.ReadFlag(f, flag.ID).Rules)
	})

	_, err = f.UpdateRule(t.Context(), f.Demo.ID, storetest.Alice, other.ID, rule.ID, models.FlagRulePatch{Priority: new(1)})
	storetest.RequireCode(t, models.CodeNotFound, err)
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteRule(t.Context(), f.Demo.ID, storetest.Alice, other.ID, rule.ID))
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteRule(t.Context(), f.NewProject("other").ID, storetest.Alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, rule.ID))
	require.Equal(t, "rule.deleted", f.Audited(1)[0].Action)
	require.Empty(t, storetest.ReadFlag(f, flag.ID).Rules)
}

func TestALongListOfUsersIsSummedUpInTheLog(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "colour")
	users := make([]string, 101)
	for i := range users {
		users[i] = strconv.Itoa(i)
	}
	storetest.AddRule(f, flag, "green", func(n *models.NewFlagRule) { n.Config.UserIDs = users })
	config := f.Audited(1)[0].Details["ruleConfig"].(map[string]any)
	require.EqualValues(t, 101, config["userIds"].(map[string]any)["count"])
}

func TestAChannelWithARuleOfItsOwnStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "colour")
	rule := storetest.AddRule(f, flag, "green", onChannel("staging"))
	err := f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging")
	storetest.RequireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, namedID("rule", rule.ID))
	require.NoError(t, f.DeleteRule(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, rule.ID))
	require.NoError(t, f.DeleteChannel(t.Context(), f.Demo.ID, storetest.Alice, "staging"))
}

// Postgres enforces what the code checks under the project's lock.
func TestPostgresKeepsFlagsWhole(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag, other := storetest.AddFlag(f, "colour"), storetest.AddFlag(f, "other")
	segment := storetest.AddSegment(f, "beta")
	storetest.AddRule(f, flag, "green")
	storetest.AddRule(f, flag, "blue", storetest.ForSegment(segment.Key))
	for name, sql := range map[string]string{
		"a variation in use":                  "DELETE FROM flag_variations WHERE value = 'green' AND flag_id = " + strconv.FormatInt(flag.ID, 10),
		"a segment in use":                    "DELETE FROM segments",
		"a variation of another flag":         "UPDATE flag_rules SET variation_id = " + strconv.FormatInt(other.Variations[0].ID, 10),
		"a rule without a variation":          "UPDATE flag_rules SET variation_id = NULL",
		"a split with a variation":            "UPDATE flag_rules SET is_split = true",
		"two variations of one name":          "UPDATE flag_variations SET name = 'same'",
		"two variations of one value":         "UPDATE flag_variations SET value = 'same'",
		"a segment rule without a segment":    "UPDATE flag_rules SET segment_id = NULL",
		"a segment without conditions":        "UPDATE segments SET conditions = '[]'",
		"a boolean flag with another default": "UPDATE flags SET flag_type = 'boolean'",
	} {
		_, err := f.Conn().Exec(t.Context(), sql)
		require.Error(t, err, name)
	}
}
