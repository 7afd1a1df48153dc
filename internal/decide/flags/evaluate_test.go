package flags

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func set(t testing.TB, p models.ProjectSnapshot) *Set {
	t.Helper()
	s, err := NewSet(p, nil)
	require.NoError(t, err)
	return s
}

// evaluated returns the JSON of a flag for the context. It checks that Explain returns the same.
func evaluated(t testing.TB, s *Set, key string, c Context) string {
	t.Helper()
	f, ok := s.Flag(key)
	require.True(t, ok)
	o := f.Evaluate(&c)
	require.Same(t, o, f.Explain(&c).Outcome)
	return string(o.JSON)
}

// one returns a project with one numeric flag, f. Its variation n has the value n.
func one(rules ...models.FlagRule) models.ProjectSnapshot {
	for i := range rules {
		rules[i].ID = int64(i + 1)
	}
	f := models.Flag{ID: 1, Key: "f", FlagType: models.FlagNumber, DefaultValue: "0", Enabled: true, Rules: rules}
	for i, v := range []string{"0", "1", "2", "3"} {
		f.Variations = append(f.Variations, models.Variation{ID: int64(10 + i), Name: "v" + v, Value: v})
	}
	return models.ProjectSnapshot{
		Flags: []models.Flag{f}, Channels: []models.Channel{{Name: "production"}, {Name: "staging"}},
		Segments: []models.Segment{{Key: "pros", MatchType: models.MatchAll, Conditions: []models.Condition{{Attribute: "plan", Operator: models.OpEq, Values: []string{"pro"}}}}},
	}
}

func gives(value string, r models.FlagRule) models.FlagRule {
	r.VariantValue = &value
	return r
}

func users(ids ...string) models.FlagRule {
	return models.FlagRule{RuleType: models.RuleUserList, Config: models.RuleConfig{UserIDs: ids}}
}

func split(by string, shares ...models.RolloutShare) models.FlagRule {
	return models.FlagRule{RuleType: models.RulePercentageRollout, Config: models.RuleConfig{BucketBy: by, Rollout: shares}}
}

func where(conditions ...models.Condition) models.FlagRule {
	return models.FlagRule{RuleType: models.RuleAttribute, Config: models.RuleConfig{Conditions: conditions}}
}

func on(update models.RuleConfig) models.FlagRule {
	return models.FlagRule{RuleType: models.RuleOTAUpdate, Config: update}
}

func attributes(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

func TestTheFirstRuleThatMatchesDecides(t *testing.T) {
	t.Parallel()
	s := set(t, one(
		gives("1", users("ada", "größe")),
		gives("2", where(models.Condition{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}},
			models.Condition{Attribute: "age", Operator: models.OpGte, Values: []string{"18"}})),
		gives("3", models.FlagRule{RuleType: models.RuleSegment, Config: models.RuleConfig{SegmentKey: "pros"}}),
		split("", models.RolloutShare{VariantValue: "1", Weight: 100}),
	))
	for name, c := range map[string]struct {
		context Context
		want    string
	}{
		"listed":               {Context{TargetingKey: "ada", Platform: "ios"}, `{"value":1,"variant":"v1","reason":"TARGETING_MATCH"}`},
		"listed in UTF-8":      {Context{TargetingKey: "größe"}, `{"value":1,"variant":"v1","reason":"TARGETING_MATCH"}`},
		"all conditions hold":  {Context{Platform: "ios", Attributes: attributes("age", 18.0)}, `{"value":2,"variant":"v2","reason":"TARGETING_MATCH"}`},
		"one condition fails":  {Context{Platform: "ios", Attributes: attributes("age", 17.0, "plan", "pro")}, `{"value":3,"variant":"v3","reason":"SEGMENT_MATCH"}`},
		"everybody, also none": {Context{}, `{"value":1,"variant":"v1","reason":"SPLIT"}`},
		"a request's field hides the attribute of its name": {
			Context{Platform: "android", TargetingKey: "x", Attributes: attributes("platform", "ios", "age", 20.0)}, `{"value":1,"variant":"v1","reason":"SPLIT"}`,
		},
		"the attribute stands in for a missing field": {
			Context{Attributes: attributes("platform", "ios", "age", 20.0)}, `{"value":2,"variant":"v2","reason":"TARGETING_MATCH"}`,
		},
	} {
		require.Equal(t, c.want, evaluated(t, s, "f", c.context), name)
	}
}

func TestSharesAreRangesInTheirOrder(t *testing.T) {
	t.Parallel()
	s := set(t, one(split("", models.RolloutShare{VariantValue: "1", Weight: 20}, models.RolloutShare{VariantValue: "2", Weight: 30.5})))
	f, _ := s.Flag("f")
	for i := range 5000 {
		c := Context{TargetingKey: uuid.NewSHA1(uuid.Nil, []byte{byte(i), byte(i >> 8)}).String()}
		want := "0"
		switch bucket := rollout.Bucket("flag:f", c.TargetingKey); {
		case bucket < 20_000:
			want = "1"
		case bucket < 50_500:
			want = "2"
		}
		require.Equal(t, want, string(f.Evaluate(&c).Value), c.TargetingKey)
	}
	require.Equal(t, ReasonDefault, f.Evaluate(&Context{}).Reason, "without a key, shares below 100% do not match")
}

func TestAShareMayGoByAnAttribute(t *testing.T) {
	t.Parallel()
	s := set(t, one(split("team", models.RolloutShare{VariantValue: "1", Weight: 50})))
	f, _ := s.Flag("f")
	in, out := 0, 0
	for i := range 1000 {
		team := attributes("team", float64(i))
		one := f.Evaluate(&Context{TargetingKey: "a", Attributes: team})
		require.Same(t, one, f.Evaluate(&Context{TargetingKey: "b", Attributes: team}), "the team decides, not the key")
		require.Equal(t, rollout.Bucket("flag:f", numberText(float64(i))) < 50_000, one.Reason == ReasonSplit)
		if one.Reason == ReasonSplit {
			in++
		} else {
			out++
		}
	}
	require.Positive(t, in)
	require.Positive(t, out)
	for _, none := range []any{nil, "", []any{"x"}, map[string]any{}} {
		require.Equal(t, ReasonDefault, f.Evaluate(&Context{TargetingKey: "a", Attributes: attributes("team", none)}).Reason)
	}
}

func TestRulesAboutTheUpdate(t *testing.T) {
	t.Parallel()
	running := Update{UUID: "aaaaaaaa-2222-4333-8444-555555555555", Alias: "bbbbbbbb-2222-4333-8444-555555555555", Branch: "main", RuntimeVersion: "1.4.0", CreatedAt: noon.Add(-36 * time.Hour)}
	atLeast := func(o models.Operator, v string) *models.VersionCondition {
		return &models.VersionCondition{Operator: o, Value: v}
	}
	for name, c := range map[string]struct {
		config  models.RuleConfig
		context Context
		want    bool
	}{
		"version":                      {models.RuleConfig{RuntimeVersion: atLeast(models.OpGte, "1.4")}, Context{Update: running}, true},
		"of the request":               {models.RuleConfig{RuntimeVersion: atLeast(models.OpGt, "1.4")}, Context{RuntimeVersion: "1.5"}, true},
		"of the update first":          {models.RuleConfig{RuntimeVersion: atLeast(models.OpLt, "1.5")}, Context{Update: running, RuntimeVersion: "2"}, true},
		"no version":                   {models.RuleConfig{RuntimeVersion: atLeast(models.OpGte, "1.4")}, Context{RuntimeVersion: "f00"}, false},
		"none at all":                  {models.RuleConfig{RuntimeVersion: atLeast(models.OpGte, "1.4")}, Context{}, false},
		"equal text":                   {models.RuleConfig{RuntimeVersion: atLeast(models.OpEq, "f00")}, Context{RuntimeVersion: "f00"}, true},
		"equal version":                {models.RuleConfig{RuntimeVersion: atLeast(models.OpEq, "1.4")}, Context{RuntimeVersion: "1.4.0"}, true},
		"another version":              {models.RuleConfig{RuntimeVersion: atLeast(models.OpEq, "1.4")}, Context{RuntimeVersion: "1.4.1"}, false},
		"branch":                       {models.RuleConfig{Branch: "main"}, Context{Update: running}, true},
		"another branch":               {models.RuleConfig{Branch: "next"}, Context{Update: running}, false},
		"no branch":                    {models.RuleConfig{Branch: "main"}, Context{}, false},
		"the update":                   {models.RuleConfig{UpdateUUID: "AAAAAAAA-2222-4333-8444-555555555555"}, Context{Update: running}, true},
		"its alias":                    {models.RuleConfig{UpdateUUID: running.Alias}, Context{Update: running}, true},
		"another update":               {models.RuleConfig{UpdateUUID: "cccccccc-2222-4333-8444-555555555555"}, Context{Update: running}, false},
		"recent":                       {models.RuleConfig{UpdatedWithinDays: new(1.5)}, Context{Update: running, Now: noon}, true},
		"a moment too old":             {models.RuleConfig{UpdatedWithinDays: new(1.5)}, Context{Update: running, Now: noon.Add(time.Second)}, false},
		"of unknown age":               {models.RuleConfig{UpdatedWithinDays: new(3650.0)}, Context{Now: noon}, false},
		"all hold":                     {models.RuleConfig{Branch: "main", UpdatedWithinDays: new(2.0)}, Context{Update: running, Now: noon}, true},
		"one of several does not hold": {models.RuleConfig{Branch: "main", UpdatedWithinDays: new(1.0)}, Context{Update: running, Now: noon}, false},
	} {
		s := set(t, one(gives("1", on(c.config))))
		want := `{"value":0,"variant":"v0","reason":"DEFAULT"}`
		if c.want {
			want = `{"value":1,"variant":"v1","reason":"TARGETING_MATCH"}`
		}
		require.Equal(t, want, evaluated(t, s, "f", c.context), name)
		require.Equal(t, c.config.UpdatedWithinDays != nil, s.byKey["f"].timed, name)
	}
	age := set(t, one(gives("1", where(models.Condition{Attribute: "ota.updated_within_days", Operator: models.OpLte, Values: []string{"1.5"}}))))
	require.True(t, age.byKey["f"].timed)
	require.Contains(t, evaluated(t, age, "f", Context{Update: running, Now: noon}), "TARGETING_MATCH")
	require.Contains(t, evaluated(t, age, "f", Context{Update: running, Now: noon.Add(time.Second)}), "DEFAULT")
}

func TestBuiltInAttributes(t *testing.T) {
	t.Parallel()
	c := Context{
		TargetingKey: "ada", DeviceID: "d1", Channel: "production", Platform: "web", RuntimeVersion: "1.0",
		Update: Update{UUID: "u1", Branch: "main", RuntimeVersion: "1.1"},
	}
	for name, value := range map[string]string{
		"targetingKey": "ada", "deviceId": "d1", "channel": "production", "platform": "web", "runtimeVersion": "1.0",
		"updateUuid": "u1", "ota.update_id": "u1", "ota.branch": "main", "ota.runtime_version": "1.1",
	} {
		require.True(t, holdsFor(t, models.Condition{Attribute: name, Operator: models.OpEq, Values: []string{value}}, &c), name)
		require.True(t, holdsFor(t, models.Condition{Attribute: name, Operator: models.OpNotExists}, &Context{}), name)
	}
}

func TestAChannelHasItsOwnSettings(t *testing.T) {
	t.Parallel()
	p := one(gives("1", users("ada")))
	staging := gives("2", users("ada"))
	staging.ChannelName = new("staging")
	p.Flags[0].Rules = append([]models.FlagRule{staging}, p.Flags[0].Rules...)
	p.Flags[0].Environments = []models.FlagEnvironment{{ChannelName: "beta", Enabled: new(false), DefaultValue: new("3")}}
	s := set(t, p)
	ada := Context{TargetingKey: "ada"}
	require.Equal(t, `{"value":1,"variant":"v1","reason":"TARGETING_MATCH"}`, evaluated(t, s, "f", ada), "channel rules need a channel")
	ada.Channel = "production"
	require.Equal(t, `{"value":1,"variant":"v1","reason":"TARGETING_MATCH"}`, evaluated(t, s, "f", ada))
	ada.Channel = "staging"
	require.Equal(t, `{"value":2,"variant":"v2","reason":"TARGETING_MATCH"}`, evaluated(t, s, "f", ada))
	ada.Channel = "beta"
	require.Equal(t, `{"value":3,"variant":"v3","reason":"DISABLED"}`, evaluated(t, s, "f", ada))
}

func TestAReleaseOverridesEverything(t *testing.T) {
	t.Parallel()
	s := set(t, project())
	for key, want := range map[string]string{
		"text": `{"value":"blue","variant":"Blue","reason":"RELEASE_OVERRIDE"}`, // even though the flag is off
		"zoom": `{"value":true,"variant":"On","reason":"RELEASE_OVERRIDE"}`,
		"off":  `{"value":{"a":1},"reason":"DISABLED"}`,
	} {
		require.Equal(t, want, evaluated(t, s, key, Context{Channel: "staging", Update: Update{UUID: running.String()}}), key)
	}
	require.Equal(t, `{"value":"pink","reason":"RELEASE_OVERRIDE"}`, evaluated(t, s, "text", Context{Channel: "staging", Update: Update{UUID: older.String()}}),
		"linked as off it has the default of the channel")
	require.Equal(t, ReasonDefault, func() Reason {
		f, _ := s.Flag("colour")
		return f.Evaluate(&Context{Update: Update{UUID: gone.String()}}).Reason
	}(), "a release that is disabled overrides nothing")
}

func TestExplainNamesTheReason(t *testing.T) {
	t.Parallel()
	s := set(t, one(
		gives("1", users("bob")),
		gives("2", where(models.Condition{Attribute: "age", Operator: models.OpGte, Values: []string{"18"}}, models.Condition{Attribute: "plan", Operator: models.OpExists})),
		split("", models.RolloutShare{VariantValue: "1", Weight: 60}, models.RolloutShare{VariantValue: "2", Weight: 40}),
		gives("3", on(models.RuleConfig{Branch: "main"})),
	))
	f, _ := s.Flag("f")
	e := f.Explain(&Context{TargetingKey: "ada", Attributes: attributes("age", 20.0)})
	require.True(t, e.Enabled)
	require.Equal(t, ReasonSplit, e.Outcome.Reason)
	require.Len(t, e.Rules, 4)
	require.Equal(t, `the list of user IDs does not contain the targeting key "ada"`, e.Rules[0].Detail)
	require.Equal(t, []ConditionExplanation{
		{models.Condition{Attribute: "age", Operator: models.OpGte, Values: []string{"18"}}, 20.0, true, ""},
		{models.Condition{Attribute: "plan", Operator: models.OpExists}, nil, false, ""},
	}, e.Rules[1].Conditions)
	require.Equal(t, "1 of the 2 conditions is met; all must be met", e.Rules[1].Detail)
	require.False(t, e.Rules[1].Matched)
	require.True(t, e.Rules[2].Matched)
	require.True(t, e.Rules[2].Decided)
	require.Equal(t, rollout.Bucket("flag:f", "ada"), *e.Rules[2].Bucket)
	require.Contains(t, e.Rules[2].Detail, "the position of targetingKey is ")
	require.Equal(t, "the branch of the running release is not set; the rule needs main", e.Rules[3].Detail)
	for _, r := range e.Rules {
		require.Equal(t, r.Rule.ID == 3, r.Decided)
	}
}

func TestASetTakesOverWhatDidNotChange(t *testing.T) {
	t.Parallel()
	p := project()
	before := set(t, p)
	changed := project()
	changed.Flags[0].DefaultValue = "true"
	after, err := NewSet(changed, before)
	require.NoError(t, err)
	require.Same(t, before.Keys(), after.Keys())
	for _, key := range []string{"colour", "off", "text"} {
		require.Same(t, before.byKey[key], after.byKey[key], key)
	}
	require.NotSame(t, before.byKey["zoom"], after.byKey["zoom"])

	changed = project()
	changed.Segments[0].Conditions[0].Values = []string{"team"}
	after, err = NewSet(changed, before)
	require.NoError(t, err)
	require.NotSame(t, before.byKey["colour"], after.byKey["colour"], "the flag uses the segment")
	require.Same(t, before.byKey["zoom"], after.byKey["zoom"])

	changed = project()
	changed.Releases[0].LinkedFlags = nil
	after, err = NewSet(changed, before)
	require.NoError(t, err)
	require.NotSame(t, before.byKey["zoom"], after.byKey["zoom"])
	require.Same(t, before.byKey["colour"], after.byKey["colour"])

	changed = project()
	changed.Flags = append(changed.Flags, models.Flag{ID: 99, Key: "new", FlagType: models.FlagBoolean, DefaultValue: "false"})
	after, err = NewSet(changed, before)
	require.NoError(t, err)
	require.NotSame(t, before.Keys(), after.Keys())
	require.True(t, after.Keys().Has("new"))
	require.False(t, before.Keys().Has("new"))
}

// After random changes of a project's flags, Reevaluate must return the same as Evaluate.
func TestReevaluationIsEvaluation(t *testing.T) {
	t.Parallel()
	differing := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := randomProject(r)
		for i := range 3 {
			another := randomProject(r).Flags[0]
			another.ID, another.Key = int64(i+2), fmt.Sprint("g", i)
			p.Flags = append(p.Flags, another)
		}
		before := set(t, p)
		p.Flags = slices.Clone(p.Flags)
		for range r.IntN(3) {
			changed := &p.Flags[r.IntN(len(p.Flags))]
			changed.Enabled, changed.DefaultValue, changed.Rules = r.IntN(3) > 0, pick(r, "0", "1"), randomProject(r).Flags[0].Rules
		}
		if r.IntN(4) == 0 {
			p.Flags = p.Flags[1:]
		}
		if r.IntN(4) == 0 {
			p.Segments = randomProject(r).Segments
		}
		if r.IntN(4) == 0 {
			p.Releases = randomProject(r).Releases
		}
		after, err := NewSet(p, before)
		require.NoError(t, err)
		c := randomContext(r, attributes("a", "ios", "b", 42.0))
		outcomes := before.Evaluate(&c, nil)
		sent := Evaluated{before, c, outcomes}
		c.Now = c.Now.AddDate(0, 0, r.IntN(3))
		want := after.Evaluate(&c, nil)
		require.Equal(t, want, after.Reevaluate(&c, sent), "seed %d", seed)
		if !slices.Equal(outcomes, want) {
			differing++
		}
	}
	require.Greater(t, differing, 500)
}

func TestAFlagWithAWrongValueIsNotCompiled(t *testing.T) {
	t.Parallel()
	p := project()
	p.Flags[1].Rules[0].VariantValue = new("x")
	_, err := NewSet(p, nil)
	require.ErrorContains(t, err, "flag colour: rule 1")
}

func TestTheFallThroughAllocatesNothing(t *testing.T) {
	c := Context{TargetingKey: "0e984725-c51c-4bf4-9960-e1c80e27aba0", Platform: "ios", RuntimeVersion: "1.3.0", Attributes: attributes("plan", "pro", "country", "JP")}
	f := workload(t)
	require.Zero(t, testing.AllocsPerRun(1000, func() { f.Evaluate(&c) }))
	require.Contains(t, []Reason{ReasonSplit, ReasonDefault}, f.Evaluate(&c).Reason)
}
