package flagstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func rulesOf(f *storetest.Fixture, id int64) []models.FlagRule {
	f.T.Helper()
	flag, err := f.Flag(f.T.Context(), f.Demo.ID, id)
	require.NoError(f.T, err)
	return flag.Rules
}

func TestOrderRules(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "colour")
	first, second, third := storetest.AddRule(f, flag, "red"), storetest.AddRule(f, flag, "green", at(7)),
		storetest.AddRule(f, flag, "blue", at(7))
	order := func(ids ...int64) (after models.Flag, err error) {
		return f.OrderRules(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.RuleOrder{RuleIDs: ids})
	}
	var got models.Flag
	f.RequireBumped(true, func() {
		var err error
		got, err = order(third.ID, first.ID, second.ID)
		require.NoError(t, err)
	})
	for i, id := range []int64{third.ID, first.ID, second.ID} {
		require.Equal(t, [2]int64{id, int64(i)}, [2]int64{got.Rules[i].ID, int64(got.Rules[i].Priority)})
	}
	require.Equal(t, got.Rules, rulesOf(f, flag.ID))
	entry := f.Audited(1)[0]
	require.Equal(t, "flag.updated", entry.Action)
	ids := func(all ...int64) (out []any) {
		for _, id := range all {
			out = append(out, float64(id))
		}
		return out
	}
	require.Equal(t, map[string]any{
		"before": ids(first.ID, second.ID, third.ID), "after": ids(third.ID, first.ID, second.ID),
	}, entry.Details["ruleOrder"])

	f.RequireBumped(false, func() {
		_, err := order(third.ID, first.ID, second.ID)
		require.NoError(t, err)
	})
	for _, bad := range [][]int64{{first.ID, second.ID}, {first.ID, second.ID, third.ID, flag.ID}, {first.ID, first.ID, second.ID}} {
		_, err := order(bad...)
		storetest.RequireField(t, "ruleIds", err)
	}
}

func TestCopyFlag(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t, store.WithQuotas(models.Quotas{models.QuotaFlagRules: 6}))
	_, err := f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "production"})
	require.NoError(t, err)
	flag := storetest.AddFlag(f, "colour")
	all := storetest.AddRule(f, flag, "red")
	storetest.AddRule(f, flag, "green", onChannel("production"))
	share := models.RolloutShare{VariantValue: "blue", HasValue: true, Weight: 100}
	storetest.AddRule(f, flag, "blue", onChannel("production"), func(n *models.NewFlagRule) {
		n.RuleType, n.VariantValue, n.Config = models.RulePercentageRollout, nil, models.RuleConfig{Rollout: []models.RolloutShare{share}}
	})
	storetest.AddRule(f, flag, "red", onChannel("beta"))
	_, _, err = f.UpdateFlagEnvironment(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, "production", models.FlagEnvironmentPatch{
		Enabled: models.Nullable[bool]{Set: true, Value: new(false)},
	})
	require.NoError(t, err)

	copyTo := func(from, to string) (models.Flag, error) {
		return f.CopyFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.FlagCopy{FromChannel: from, ToChannel: to})
	}
	var got models.Flag
	f.RequireBumped(true, func() {
		got, err = copyTo("production", "beta")
		require.NoError(t, err)
	})
	on := func(channel string) (rules []models.FlagRule) {
		for _, r := range got.Rules {
			if r.ChannelName != nil && *r.ChannelName == channel {
				rules = append(rules, r)
			}
		}
		return rules
	}
	require.Len(t, got.Rules, 5)
	require.Equal(t, all.ID, got.Rules[0].ID, "the rule for all channels stays")
	source, copied := on("production"), on("beta")
	require.Len(t, copied, 2)
	for i := range copied {
		require.NotEqual(t, source[i].ID, copied[i].ID)
		require.Equal(t, source[i].RuleType, copied[i].RuleType)
		require.Equal(t, source[i].Priority, copied[i].Priority)
		require.Equal(t, source[i].VariantValue, copied[i].VariantValue)
		require.Equal(t, source[i].Config, copied[i].Config)
	}
	for _, e := range got.Environments {
		require.Equal(t, e.ChannelName == "production" || e.ChannelName == "beta", e.Enabled != nil && !*e.Enabled, e.ChannelName)
	}
	actions := map[string]int{}
	for _, e := range f.Audited(4) {
		actions[e.Action]++
	}
	require.Equal(t, map[string]int{"env_setting.updated": 1, "rule.deleted": 1, "rule.created": 2}, actions)

	f.RequireBumped(false, func() {
		_, err := copyTo("production", "beta")
		require.NoError(t, err)
	})
	_, err = copyTo("staging", "beta")
	require.NoError(t, err)
	got, err = f.Flag(t.Context(), f.Demo.ID, flag.ID)
	require.NoError(t, err)
	require.Empty(t, on("beta"), "staging does not have rules of its own")
	storetest.AddRule(f, flag, "red", onChannel("staging"))
	storetest.AddRule(f, flag, "red", onChannel("staging"))
	storetest.AddRule(f, flag, "red", onChannel("staging"))
	_, err = copyTo("production", "beta")
	storetest.RequireCode(t, models.CodeQuotaExceeded, err)
	_, err = copyTo("beta", "beta")
	storetest.RequireField(t, "toChannel", err)
	_, err = copyTo("beta", "nowhere")
	storetest.RequireCode(t, models.CodeNotFound, err)
}
