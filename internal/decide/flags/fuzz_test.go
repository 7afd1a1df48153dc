package flags

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// pick returns one of the values at random.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

var names = []string{"a", "b", "platform", "channel", "runtimeVersion", "updateUuid", "ota.branch", "ota.updated_within_days", "targetingKey", "größe", ""}

func randomCondition(r *rand.Rand) models.Condition {
	c := models.Condition{Attribute: pick(r, names...), Operator: pick(r, append(models.Operators, "unknown")...)}
	for range r.IntN(12) {
		c.Values = append(c.Values, pick(r, "a", "ios", "1.2.0", "1.2", "42", "-0", "1e9", "2026-01-01T00:00:00Z", "^a", "[", "", "größe", "true", "🚀"))
	}
	return c
}

func randomRule(r *rand.Rand) models.FlagRule {
	rule := models.FlagRule{ID: r.Int64N(100), RuleType: pick(r, models.RuleUserList, models.RulePercentageRollout, models.RuleAttribute, models.RuleSegment, models.RuleOTAUpdate, "unknown")}
	isSplit := rule.RuleType == models.RulePercentageRollout || r.IntN(3) == 0
	if !isSplit {
		rule.VariantValue = new(pick(r, "1", "2", "3"))
	}
	if r.IntN(4) == 0 {
		rule.ChannelName = new(pick(r, "production", "staging"))
	}
	c := &rule.Config
	if isSplit {
		c.BucketBy = pick(r, "", "a", "platform")
		for range 1 + r.IntN(3) {
			c.Rollout = append(c.Rollout, models.RolloutShare{VariantValue: pick(r, "1", "2"), Weight: float64(r.IntN(34_000)) / 1000})
		}
	}
	switch rule.RuleType {
	case models.RulePercentageRollout: // has only shares
	case models.RuleUserList:
		c.UserIDs = []string{"ada", pick(r, "", "größe", "bob")}
	case models.RuleAttribute:
		for range 1 + r.IntN(3) {
			c.Conditions = append(c.Conditions, randomCondition(r))
		}
	case models.RuleSegment:
		c.SegmentKey = pick(r, "pros", "anybody", "missing")
	case models.RuleOTAUpdate:
		if r.IntN(2) == 0 {
			c.RuntimeVersion = &models.VersionCondition{Operator: pick(r, models.OpEq, models.OpGte, models.OpLt), Value: pick(r, "1.2.0", "f00", "2")}
		}
		c.Branch, c.UpdateUUID = pick(r, "", "main"), pick(r, "", running.String())
		if r.IntN(2) == 0 {
			c.UpdatedWithinDays = new(r.Float64() * 3)
		}
	}
	return rule
}

func randomProject(r *rand.Rand) models.ProjectSnapshot {
	p := one()
	p.Segments = append(p.Segments, models.Segment{Key: "anybody", MatchType: pick(r, models.MatchAny, models.MatchAll), Conditions: []models.Condition{randomCondition(r), randomCondition(r)}})
	f := &p.Flags[0]
	f.Enabled = r.IntN(5) > 0
	for range r.IntN(6) {
		f.Rules = append(f.Rules, randomRule(r))
	}
	if r.IntN(3) == 0 {
		f.Environments = []models.FlagEnvironment{{ChannelName: "production", Enabled: new(r.IntN(2) == 0), DefaultValue: new("2")}}
	}
	if r.IntN(3) == 0 {
		p.Releases = []*models.Release{{UpdateUUID: running, IsEnabled: true, LinkedFlags: []models.LinkedFlag{{FlagID: 1, Enabled: true, Value: "3"}}}}
	}
	return p
}

func randomContext(r *rand.Rand, attributes map[string]any) Context {
	c := Context{
		TargetingKey: pick(r, "", "ada", "größe", uuid.NewSHA1(uuid.Nil, []byte{byte(r.Uint32())}).String()),
		Channel:      pick(r, "", "production", "staging", "nowhere"), Platform: pick(r, "", "ios", "web"),
		RuntimeVersion: pick(r, "", "1.2", "f00", "2.0.0-rc.1"), Attributes: attributes, Now: noon,
	}
	if r.IntN(2) == 0 {
		c.Update = Update{UUID: running.String(), Alias: running.String(), Branch: pick(r, "", "main"), CreatedAt: pick(r, noon, noon.AddDate(0, 0, -2))}
	}
	return c
}

// FuzzEvaluate evaluates random flags for random contexts. It must not panic, Explain must agree, and exactly the
// rule that Explain names must decide.
func FuzzEvaluate(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, `{"a":"ios","b":[1,"a",null,{}],"größe":4.2,"":true}`)
	}
	f.Add(uint64(1), `{"a":[[[]]],"b":{"c":null},"platform":["ios"],"channel":5}`)
	f.Fuzz(func(t *testing.T, seed uint64, attributes string) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := set(t, randomProject(r))
		var read map[string]any
		_ = json.Unmarshal([]byte(attributes), &read)
		for range 8 {
			c := randomContext(r, read)
			outcome := s.Evaluate(&c, nil)[0]
			e := s.Flags()[0].Explain(&c)
			require.Same(t, outcome, e.Outcome)
			decided := 0
			for i, told := range e.Rules {
				if told.Decided {
					decided++
					require.True(t, told.Matched)
				}
				require.NotEmpty(t, told.Detail+string(told.Rule.RuleType), i)
			}
			byRule := outcome.Reason == ReasonSplit || outcome.Reason == ReasonSegmentMatch || outcome.Reason == ReasonTargetingMatch
			require.Equal(t, byRule, decided == 1, outcome.Reason)
			require.LessOrEqual(t, decided, 1)
		}
	})
}
