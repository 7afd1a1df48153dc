package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every operator with values that it takes, and with values that it does not.
func TestOperators(t *testing.T) {
	t.Parallel()
	many := make([]string, maxConditionValues+1)
	texts := map[string][][]string{
		"good": {{"a"}, {"a", "b"}, {""}}, "values": {nil, {}, many}, "values[0]": {{"\x00"}, {strings.Repeat("x", 4097)}},
	}
	numbers := map[string][][]string{
		"good": {{"1"}, {"-1.5e3"}, {"0"}}, "values": {nil, {"1", "2"}}, "values[0]": {{"x"}, {""}, {"1.2.3"}, {"2026-01-01"}, {" 1"}},
	}
	times := map[string][][]string{
		"good":      {{"2026-01-02T03:04:05Z"}, {"2026-01-02T03:04:05.678+02:00"}},
		"values":    {nil, {"2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"}},
		"values[0]": {{"soon"}, {""}, {"2026-01-02"}, {"1767312000000"}, {"2026-13-01T00:00:00Z"}, {"2026-01-02T3:04:05Z"}, {"1.5"}},
	}
	versions := map[string][][]string{
		"good": {{"1.2.3"}, {"1.2"}, {"2"}, {"1.0.0-beta.1+build"}}, "values": {nil}, "values[0]": {{"x"}, {""}, {"1.2.3.4"}},
	}
	oneVersion := map[string][][]string{"good": versions["good"], "values": {nil, {"1", "2"}}, "values[0]": versions["values[0]"]}
	none := map[string][][]string{"good": {nil, {}}, "values": {{"a"}, {""}}}
	patterns := map[string][][]string{
		"good": {{"^a+$"}, {"a", "b"}, {""}}, "values": {nil}, "values[0]": {{"("}, {"(?=a)"}, {"(?i)a"}, {`\1`}, {strings.Repeat("a", 1025)}},
	}
	cases := map[Operator]map[string][][]string{
		OpEq: texts, OpNeq: texts, OpIn: texts, OpNotIn: texts, OpContains: texts, OpNotContains: texts, OpStartsWith: texts,
		OpEndsWith: texts, OpGt: numbers, OpGte: numbers, OpLt: numbers, OpLte: numbers, OpBefore: times, OpAfter: times,
		OpMatches: patterns, OpExists: none, OpNotExists: none, OpSemverEq: versions, OpSemverNeq: versions,
		OpSemverGt: oneVersion, OpSemverGte: oneVersion, OpSemverLt: oneVersion, OpSemverLte: oneVersion,
	}
	require.Len(t, cases, len(Operators))
	for _, o := range Operators {
		for field, lists := range cases[o] {
			for _, values := range lists {
				var want []string
				if field != "good" {
					want = []string{"conditions[0]." + field}
				}
				var p Problems
				checkConditions(&p, "conditions", "values", []Condition{{Attribute: "a", Operator: o, Values: values}})
				require.Equal(t, want, fieldsOf(p.Err()), "%s %.40q", o, values)
			}
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	good := Condition{Attribute: "a", Operator: OpExists}
	for name, tc := range map[string]struct {
		conditions []Condition
		fields     []string
	}{
		"none":                 {nil, []string{"conditions"}},
		"too many":             {make([]Condition, maxConditions+1), []string{"conditions"}},
		"no attribute":         {[]Condition{good, {Operator: OpExists}}, []string{"conditions[1].attribute"}},
		"a long attribute":     {[]Condition{{Attribute: strings.Repeat("a", 129), Operator: OpExists}}, []string{"conditions[0].attribute"}},
		"an unknown operator":  {[]Condition{{Attribute: "a", Operator: "like", Values: []string{"x"}}}, []string{"conditions[0].operator"}},
		"no operator":          {[]Condition{{Attribute: "a"}}, []string{"conditions[0].operator"}},
		"several are all told": {[]Condition{{Operator: "x"}, {Attribute: "a", Operator: OpEq}}, []string{"conditions[0].attribute", "conditions[0].operator", "conditions[1].valuesJson"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			segment := NewSegment{Name: "n", MatchType: MatchAll, Conditions: tc.conditions}
			segment.Normalize()
			require.Equal(t, tc.fields, fieldsOf(segment.Validate()))
			require.Equal(t, tc.fields, fieldsOf(SegmentPatch{Conditions: &tc.conditions}.Validate()))
		})
	}
}

func TestNewSegment(t *testing.T) {
	t.Parallel()
	conditions := []Condition{{Attribute: "a", Operator: OpExists}}
	for name, tc := range map[string]struct {
		segment NewSegment
		fields  []string
	}{
		"good":                     {NewSegment{Name: "Beta", MatchType: MatchAny, Conditions: conditions}, nil},
		"no name":                  {NewSegment{MatchType: MatchAny, Conditions: conditions}, []string{"name"}},
		"no match type":            {NewSegment{Name: "Beta", Conditions: conditions}, []string{"matchType"}},
		"another match type":       {NewSegment{Name: "Beta", MatchType: "none", Conditions: conditions}, []string{"matchType"}},
		"a bad key":                {NewSegment{Key: "B", Name: "Beta", MatchType: MatchAny, Conditions: conditions}, []string{"key"}},
		"a name that makes no key": {NewSegment{Name: "漢字", MatchType: MatchAny, Conditions: conditions}, []string{"key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.segment.Normalize()
			require.Equal(t, tc.fields, fieldsOf(tc.segment.Validate()))
		})
	}
	require.Equal(t, []string{"name", "matchType"}, fieldsOf(SegmentPatch{Name: new(""), MatchType: new(MatchType("x"))}.Validate()))
}

func TestRuleConfigs(t *testing.T) {
	t.Parallel()
	share := func(weights ...float64) (shares []RolloutShare) {
		for i, w := range weights {
			shares = append(shares, RolloutShare{VariationID: int64(i + 1), Weight: w})
		}
		return shares
	}
	version := func(o Operator, v string) *VersionCondition { return &VersionCondition{o, v} }
	for name, tc := range map[string]struct {
		of     RuleType
		config RuleConfig
		fields []string
	}{
		"users":                     {RuleUserList, RuleConfig{UserIDs: []string{"a"}}, nil},
		"no users":                  {RuleUserList, RuleConfig{}, []string{"userIds"}},
		"an empty user":             {RuleUserList, RuleConfig{UserIDs: []string{"a", " "}}, []string{"userIds[1]"}},
		"a user with a comma":       {RuleUserList, RuleConfig{UserIDs: []string{"a,b"}}, []string{"userIds[0]"}},
		"a user with a space":       {RuleUserList, RuleConfig{UserIDs: []string{"a b", "a "}}, []string{"userIds[1]"}},
		"a long user":               {RuleUserList, RuleConfig{UserIDs: []string{strings.Repeat("a", 257)}}, []string{"userIds[0]"}},
		"too many users":            {RuleUserList, RuleConfig{UserIDs: make([]string, MaxUserIDs+1)}, []string{"userIds"}},
		"shares":                    {RulePercentageRollout, RuleConfig{Rollout: share(33.333, 66.667), BucketBy: "team"}, nil},
		"shares that add up to 100": {RulePercentageRollout, RuleConfig{Rollout: share(0.1, 0.2, 99.7)}, nil},
		"shares above 100":          {RulePercentageRollout, RuleConfig{Rollout: share(50, 50.001)}, []string{"rollout"}},
		"no shares":                 {RulePercentageRollout, RuleConfig{}, []string{"rollout"}},
		"a share below 0":           {RulePercentageRollout, RuleConfig{Rollout: share(-1)}, []string{"rollout[0].weight"}},
		"a share too fine":          {RulePercentageRollout, RuleConfig{Rollout: share(1.0001)}, []string{"rollout[0].weight"}},
		"a share of nothing":        {RulePercentageRollout, RuleConfig{Rollout: []RolloutShare{{Weight: 1}}}, []string{"rollout[0].variantValue"}},
		"attributes":                {RuleAttribute, RuleConfig{Conditions: []Condition{{Attribute: "a", Operator: OpEq, Values: []string{"x"}}}}, nil},
		"no attributes":             {RuleAttribute, RuleConfig{}, []string{"conditions"}},
		"a bad attribute":           {RuleAttribute, RuleConfig{Conditions: []Condition{{Attribute: "a", Operator: OpGt, Values: []string{"x"}}}}, []string{"conditions[0].values[0]"}},
		"a segment":                 {RuleSegment, RuleConfig{SegmentKey: "beta"}, nil},
		"no segment":                {RuleSegment, RuleConfig{}, []string{"segmentKey"}},
		"an update in every way": {RuleOTAUpdate, RuleConfig{
			RuntimeVersion: version(OpGte, "1.2"), Branch: "next", UpdatedWithinDays: new(0.5), UpdateUUID: "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a",
		}, nil},
		"an update of a fingerprint":      {RuleOTAUpdate, RuleConfig{RuntimeVersion: version(OpEq, "c0ffee")}, nil},
		"an update above a fingerprint":   {RuleOTAUpdate, RuleConfig{RuntimeVersion: version(OpGt, "c0ffee!")}, []string{"runtimeVersion.value"}},
		"an update by another operator":   {RuleOTAUpdate, RuleConfig{RuntimeVersion: version(OpNeq, "1")}, []string{"runtimeVersion.operator"}},
		"an update of no version":         {RuleOTAUpdate, RuleConfig{RuntimeVersion: version(OpEq, "")}, []string{"runtimeVersion.value"}},
		"an update of a bad branch":       {RuleOTAUpdate, RuleConfig{Branch: " "}, []string{"branch"}},
		"an update within no time":        {RuleOTAUpdate, RuleConfig{UpdatedWithinDays: new(0.0)}, []string{"updatedWithinDays"}},
		"an update within a long time":    {RuleOTAUpdate, RuleConfig{UpdatedWithinDays: new(3651.0)}, []string{"updatedWithinDays"}},
		"an update that is no UUID":       {RuleOTAUpdate, RuleConfig{UpdateUUID: "x"}, []string{"updateUuid"}},
		"an update of any kind":           {RuleOTAUpdate, RuleConfig{}, []string{""}},
		"users with a segment":            {RuleUserList, RuleConfig{UserIDs: []string{"a"}, SegmentKey: "beta"}, []string{"segmentKey"}},
		"a segment with all there is not": {RuleSegment, RuleConfig{SegmentKey: "b", UserIDs: []string{"a"}, BucketBy: "x", Conditions: []Condition{}, RuntimeVersion: version(OpEq, "1"), Branch: "b", UpdatedWithinDays: new(1.0), UpdateUUID: "u"}, []string{"userIds", "conditions", "runtimeVersion", "branch", "updatedWithinDays", "updateUuid", "bucketBy"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, f := range tc.fields {
				want = append(want, strings.TrimSuffix("ruleConfig."+f, "."))
			}
			require.Equal(t, want, fieldsOf(NewFlagRule{RuleType: tc.of, Config: tc.config, VariantValue: new("x")}.Validate()))
			require.Equal(t, want, fieldsOf(FlagRulePatch{RuleType: &tc.of, Config: &tc.config}.Validate()))
		})
	}
}

func TestNewFlagRule(t *testing.T) {
	t.Parallel()
	config := RuleConfig{SegmentKey: "beta"}
	require.Equal(t, []string{"ruleType", "variantValue"}, fieldsOf(NewFlagRule{RuleType: "x", Config: config}.Validate()))
	require.Equal(t, []string{"variantValue"}, fieldsOf(NewFlagRule{RuleType: RuleSegment, Config: config}.Validate()))
	require.Equal(t, []string{"priority", "channelName"}, fieldsOf(NewFlagRule{
		RuleType: RuleSegment, Config: config, VariantValue: new("x"), Priority: new(1 << 40), ChannelName: new(""),
	}.Validate()))
	require.NoError(t, NewFlagRule{RuleType: RulePercentageRollout, Config: RuleConfig{Rollout: []RolloutShare{{VariationID: 1}}}}.Validate())
	require.Equal(t, []string{"channelName"}, fieldsOf(FlagRulePatch{ChannelName: Nullable[string]{Set: true, Value: new(" ")}}.Validate()))
}

// A rule of any type has either one value or shares.
func TestRulesThatSplit(t *testing.T) {
	t.Parallel()
	half := []RolloutShare{{VariationID: 1, Weight: 50}}
	for of, config := range map[RuleType]RuleConfig{
		RuleUserList: {UserIDs: []string{"a"}}, RuleSegment: {SegmentKey: "beta"}, RuleOTAUpdate: {Branch: "next"},
		RuleAttribute: {Conditions: []Condition{{Attribute: "a", Operator: OpExists}}},
	} {
		problems := func(config RuleConfig, value *string) []string {
			return fieldsOf(NewFlagRule{RuleType: of, Config: config, VariantValue: value}.Validate())
		}
		require.Equal(t, []string{"variantValue"}, problems(config, nil), "%s with neither", of)
		withBucket, withNone, withTooMuch := config, config, config
		withBucket.BucketBy, withNone.Rollout, withTooMuch.Rollout = "team", []RolloutShare{}, []RolloutShare{{VariationID: 1, Weight: 101}}
		require.Equal(t, []string{"ruleConfig.bucketBy"}, problems(withBucket, new("x")), of)
		require.Equal(t, []string{"ruleConfig.rollout"}, problems(withNone, nil), of)
		require.Equal(t, []string{"ruleConfig.rollout[0].weight", "ruleConfig.rollout"}, problems(withTooMuch, nil), of)
		withBucket.Rollout = half
		require.Empty(t, problems(withBucket, nil), of)
		require.Equal(t, []string{"variantValue"}, problems(withBucket, new("x")), "%s with both", of)
	}
}

// A patch that sets a value replaces the shares, and the other way round.
func TestAPatchReplacesWhatARuleGives(t *testing.T) {
	t.Parallel()
	conditions := []Condition{{Attribute: "a", Operator: OpExists}}
	half := []RolloutShare{{VariationID: 1, Weight: 50}}
	setTo := func(v *string) Nullable[string] { return Nullable[string]{Set: true, Value: v} }
	single := FlagRule{RuleType: RuleAttribute, Config: RuleConfig{Conditions: conditions}, VariantValue: new("x")}
	split := FlagRule{RuleType: RuleAttribute, Config: RuleConfig{Conditions: conditions, Rollout: half, BucketBy: "team"}}
	splitConfig := split.Config
	for name, tc := range map[string]struct {
		before FlagRule
		patch  FlagRulePatch
		value  *string
		config RuleConfig
		fields []string
	}{
		"shares replace the value":       {single, FlagRulePatch{Config: &splitConfig}, nil, split.Config, nil},
		"a value replaces the shares":    {split, FlagRulePatch{VariantValue: setTo(new("x"))}, new("x"), single.Config, nil},
		"both are refused":               {single, FlagRulePatch{Config: &splitConfig, VariantValue: setTo(new("y"))}, new("y"), split.Config, []string{"variantValue"}},
		"null leaves neither":            {single, FlagRulePatch{VariantValue: setTo(nil)}, nil, single.Config, []string{"variantValue"}},
		"null leaves shares":             {split, FlagRulePatch{VariantValue: setTo(nil)}, nil, split.Config, nil},
		"conditions alone leave neither": {split, FlagRulePatch{Config: &single.Config}, nil, single.Config, []string{"variantValue"}},
		"another priority":               {split, FlagRulePatch{Priority: new(3)}, nil, split.Config, nil},
	} {
		n := tc.patch.Over(tc.before)
		require.Equal(t, tc.value, n.VariantValue, name)
		require.Equal(t, tc.config, n.Config, name)
		require.Equal(t, tc.fields, fieldsOf(tc.patch.ValidateOver(n)), name)
	}
}

func TestARuleIsBoundToVariations(t *testing.T) {
	t.Parallel()
	flag := Flag{ID: 7, FlagType: FlagNumber, Variations: []Variation{{ID: 1, Name: "one", Value: "10"}, {ID: 2, Name: "two", Value: "20"}}}
	r, err := flag.BindRule(NewFlagRule{VariantValue: new("1e1")})
	require.NoError(t, err)
	require.Equal(t, int64(1), *r.VariationID)
	require.Equal(t, "10", *r.VariantValue, "in the variation's own words")
	_, err = flag.BindRule(NewFlagRule{VariantValue: new("30")})
	require.Equal(t, []string{"variantValue"}, fieldsOf(err))

	bind := func(shares ...RolloutShare) (FlagRule, error) {
		return flag.BindRule(NewFlagRule{RuleType: RulePercentageRollout, Config: RuleConfig{Rollout: shares}})
	}
	r, err = bind(RolloutShare{VariantValue: "20.0", HasValue: true, Weight: 5}, RolloutShare{VariationID: 1, Weight: 6})
	require.NoError(t, err)
	require.Nil(t, r.VariationID)
	require.Equal(t, []RolloutShare{
		{VariationID: 2, VariantValue: "20", HasValue: true, Weight: 5}, {VariationID: 1, VariantValue: "10", HasValue: true, Weight: 6},
	}, r.Config.Rollout)
	_, err = bind(RolloutShare{VariationID: 1, VariantValue: "20", HasValue: true})
	require.Equal(t, []string{"ruleConfig.rollout[0].variantValue"}, fieldsOf(err))
	_, err = bind(RolloutShare{VariationID: 1}, RolloutShare{VariantValue: "10", HasValue: true}, RolloutShare{VariationID: 3})
	require.Equal(t, []string{"ruleConfig.rollout[1].variantValue", "ruleConfig.rollout[2].variationId"}, fieldsOf(err))
}

func TestSplitUserIDs(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"a", "b", "c d"}, SplitUserIDs(" a, b,,c d ,"))
	require.Equal(t, []string{}, SplitUserIDs(" , "))
}
