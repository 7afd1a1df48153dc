package flags

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// updateVectors rewrites docs/split-vectors.json: go test ./internal/decide/flags -run SplitVectors -update.
// Do so only to add vectors; clients in the field rely on the existing ones.
var updateVectors = flag.Bool("update", false, "rewrite the published vectors")

const vectorsFile = "../../../docs/split-vectors.json"

// splits returns the rule with shares instead of its value.
func splits(r models.FlagRule, by string, shares ...models.RolloutShare) models.FlagRule {
	r.Config.BucketBy, r.Config.Rollout = by, shares
	return r
}

// gets returns a share of the value v<n> of the flags that one returns.
func gets(value string, weight float64) models.RolloutShare {
	return models.RolloutShare{VariationID: int64(10 + value[0] - '0'), VariantValue: value, HasValue: true, Weight: weight}
}

func inSegment(key string) models.FlagRule {
	return models.FlagRule{RuleType: models.RuleSegment, Config: models.RuleConfig{SegmentKey: key}}
}

// newIOS returns a rule for iOS from runtime version 2 on.
func newIOS() models.FlagRule {
	return where(models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}},
		models.Condition{Attribute: "runtimeVersion", Operator: models.OpSemverGte, Values: []string{"2"}})
}

// splitContext is a context of the vectors.
type splitContext struct {
	TargetingKey string         `json:"targetingKey"`
	Attributes   map[string]any `json:"attributes"`
}

// splitVector has the results of all flags for a context.
type splitVector struct {
	Context splitContext               `json:"context"`
	Flags   map[string]json.RawMessage `json:"flags"`
}

// splitVectors are flags, as GET /v1/ota/flag-definitions returns them, and what contexts get.
type splitVectors struct {
	Flags       json.RawMessage `json:"flags"`
	Evaluations []splitVector   `json:"evaluations"`
}

func TestSplitVectors(t *testing.T) {
	t.Parallel()
	text, err := json.MarshalIndent(computeVectors(t), "", "  ")
	require.NoError(t, err)
	text = append(text, '\n')
	if *updateVectors {
		require.NoError(t, os.WriteFile(vectorsFile, text, 0o644))
	}
	published, err := os.ReadFile(vectorsFile)
	require.NoError(t, err)
	require.JSONEq(t, string(text), string(published), "run: go test ./internal/decide/flags -run SplitVectors -update")
}

func computeVectors(t *testing.T) (v splitVectors) {
	p := one()
	for key, rules := range map[string][]models.FlagRule{
		"attribute":    {splits(newIOS(), "", gets("1", 10))},
		"falls":        {splits(newIOS(), "", gets("1", 20)), split("", gets("2", 50)), gives("3", users("ada"))},
		"segment":      {splits(inSegment("pros"), "team", gets("1", 33.333), gets("2", 33.333))},
		"user_list":    {splits(users("ada", "größe", "user-7", "user-8"), "", gets("3", 40), gets("2", 40)), gives("1", users("user-7", "user-8"))},
		"ota_update":   {splits(on(models.RuleConfig{RuntimeVersion: &models.VersionCondition{Operator: models.OpGte, Value: "2"}}), "", gets("2", 0), gets("1", 50))},
		"all":          {splits(newIOS(), "", gets("1", 100))},
		"all-bucketed": {splits(newIOS(), "team", gets("1", 99.999), gets("2", 0.001))},
	} {
		f := one(rules...).Flags[0]
		f.Key = key
		p.Flags = append(p.Flags, f)
	}
	p.Flags = p.Flags[1:]
	slices.SortFunc(p.Flags, func(a, b models.Flag) int { return strings.Compare(a.Key, b.Key) })
	var document struct {
		Flags json.RawMessage `json:"flags"`
	}
	d, _, err := NewDefinitions(p, nil).Channel("production", func() {})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(d.Body, &document))
	v.Flags = document.Flags
	s := set(t, p)
	for _, key := range []string{"", "ada", "größe", "user-1", "user-4", "user-7", "user-8", "🚀"} {
		for _, of := range []map[string]any{
			{}, {"platform": "ios", "runtimeVersion": "2.1.0", "ota.runtime_version": "2.1.0", "team": "blue", "plan": "pro"},
			{"platform": "ios", "runtimeVersion": "1.9", "ota.runtime_version": "1.9", "team": 7.0, "plan": "pro"},
			{"platform": "ios", "runtimeVersion": "2.0.0", "ota.runtime_version": "2.0.0", "plan": "free"},
		} {
			c := Context{TargetingKey: key, Channel: "production", Attributes: of}
			results := map[string]json.RawMessage{}
			for _, f := range s.Flags() {
				results[f.Key()] = f.Evaluate(&c).JSON
			}
			v.Evaluations = append(v.Evaluations, splitVector{splitContext{key, of}, results})
		}
	}
	return v
}

// A rule with conditions gives its shares only to the contexts that match, and the rest falls through.
func TestAShareOfSome(t *testing.T) {
	t.Parallel()
	s := set(t, one(
		splits(users("ada"), "", gets("3", 100)),
		splits(newIOS(), "", gets("1", 10), gets("2", 20)),
		splits(inSegment("pros"), "", gets("2", 100)),
	))
	counts := map[string]int{}
	for _, id := range ids(6000) {
		c := Context{TargetingKey: id, Platform: "ios", RuntimeVersion: "2.3"}
		want := `{"value":0,"variant":"v0","reason":"DEFAULT"}`
		switch bucket := rollout.Bucket("flag:f", id); {
		case bucket < 10_000:
			want = `{"value":1,"variant":"v1","reason":"SPLIT"}`
		case bucket < 30_000:
			want = `{"value":2,"variant":"v2","reason":"SPLIT"}`
		}
		require.Equal(t, want, evaluated(t, s, "f", c), id)
		counts[want]++
		c.RuntimeVersion = "1.9"
		require.Contains(t, evaluated(t, s, "f", c), "DEFAULT", id)
		c.Attributes = attributes("plan", "pro")
		require.Equal(t, `{"value":2,"variant":"v2","reason":"SPLIT"}`, evaluated(t, s, "f", c), id)
	}
	require.Len(t, counts, 3)
	require.Equal(t, `{"value":3,"variant":"v3","reason":"SPLIT"}`, evaluated(t, s, "f", Context{TargetingKey: "ada", Platform: "ios", RuntimeVersion: "2.3"}))
	require.Contains(t, evaluated(t, s, "f", Context{Platform: "ios", RuntimeVersion: "2.3"}), "DEFAULT", "shares below 100 need an ID")
	require.Contains(t, evaluated(t, s, "f", Context{Attributes: attributes("plan", "pro")}), "SPLIT", "a first share of 100 does not")
}

func TestExplainTellsConditionsAndShare(t *testing.T) {
	t.Parallel()
	s := set(t, one(splits(newIOS(), "", gets("1", 10)), splits(users("ada", "bob"), "team", gets("2", 100))))
	f, _ := s.Flag("f")
	explain := func(c Context) []RuleExplanation { return f.Explain(&c).Rules }

	ada := Context{TargetingKey: "ada", Platform: "ios", RuntimeVersion: "2.3"}
	bucket := rollout.Bucket("flag:f", "ada")
	require.Greater(t, bucket, uint32(10_000))
	told := explain(ada)
	require.False(t, told[0].Matched)
	require.Equal(t, bucket, *told[0].Bucket)
	require.Equal(t, uint32(10_000), *told[0].Threshold)
	require.Len(t, told[0].Conditions, 2)
	require.Contains(t, told[0].Detail, "2 of the 2 conditions are met; all must be met; not in the 10%: the position of targetingKey is ")
	require.True(t, told[1].Decided)
	require.Equal(t, `the list of user IDs contains the targeting key "ada"; the first share includes everyone`, told[1].Detail)

	ada.Platform = "web"
	told = explain(ada)
	require.Nil(t, told[0].Bucket)
	require.Nil(t, told[0].Threshold)
	require.Equal(t, "1 of the 2 conditions is met; all must be met", told[0].Detail)

	told = explain(Context{Platform: "ios", RuntimeVersion: "2.3"})
	require.Equal(t, "2 of the 2 conditions are met; all must be met; the context has no targetingKey, which determines the share", told[0].Detail)
	require.Equal(t, "the context has no targeting key", told[1].Detail)
}

// Definitions give such a rule a type that older clients skip, because the value that they would read does not exist.
func TestDefinitionsOfASplit(t *testing.T) {
	t.Parallel()
	p := one(splits(newIOS(), "team", gets("1", 10), gets("2", 20.5)),
		splits(inSegment("pros"), "", gets("1", 1)), splits(users("a", "b"), "", gets("1", 1)),
		splits(on(models.RuleConfig{Branch: "main"}), "", gets("1", 1)))
	var got struct {
		Flags []struct{ Rules json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(document(t, NewDefinitions(p, nil), "").Body, &got))
	require.JSONEq(t, `[
		{"priority":0,"ruleType":"split","ruleConfig":{
			"when":{"ruleType":"attribute","ruleConfig":{"conditions":[
				{"attribute":"platform","operator":"eq","values":["ios"]},{"attribute":"runtimeVersion","operator":"semver_gte","values":["2"]}]}},
			"rollout":[{"variationId":11,"variantValue":1,"weight":10},{"variationId":12,"variantValue":2,"weight":20.5}],"bucketBy":"team"}},
		{"priority":0,"ruleType":"split","ruleConfig":{
			"when":{"ruleType":"segment","ruleConfig":{"segmentKey":"pros","matchType":"all","conditions":[
				{"attribute":"plan","operator":"eq","values":["pro"],"valuesJson":["pro"]}]}},
			"rollout":[{"variationId":11,"variantValue":1,"weight":1}]}},
		{"priority":0,"ruleType":"split","ruleConfig":{
			"when":{"ruleType":"user_list","ruleConfig":{"userIds":"a,b"}},
			"rollout":[{"variationId":11,"variantValue":1,"weight":1}]}},
		{"priority":0,"ruleType":"split","ruleConfig":{
			"when":{"ruleType":"ota_update","ruleConfig":{"branch":"main"}},
			"rollout":[{"variationId":11,"variantValue":1,"weight":1}]}}]`, string(got.Flags[0].Rules))
}

func TestASplitAllocatesNothing(t *testing.T) {
	c := Context{TargetingKey: "0e984725-c51c-4bf4-9960-e1c80e27aba0", Platform: "ios", RuntimeVersion: "2.3.0"}
	f, _ := set(t, one(splits(newIOS(), "", gets("1", 100)))).Flag("f")
	require.Zero(t, testing.AllocsPerRun(1000, func() { f.Evaluate(&c) }))
	require.Equal(t, ReasonSplit, f.Evaluate(&c).Reason)
}
