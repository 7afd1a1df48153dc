package storetest

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// AddFlag creates a string flag with the variations red, green and blue. Its default value is red. change may alter it.
func AddFlag(f *Fixture, key string, change ...func(*models.NewFlag)) models.Flag {
	f.T.Helper()
	n := models.NewFlag{
		Key: key, FlagType: models.FlagString, Enabled: true, DefaultValue: json.RawMessage(`"red"`),
		Variations: []models.NewVariation{{Name: "Red", Value: "red"}, {Name: "Green", Value: "green"}, {Name: "Blue", Value: "blue"}},
	}
	for _, c := range change {
		c(&n)
	}
	flag, err := f.CreateFlag(f.T.Context(), f.Demo.ID, Alice, n)
	require.NoError(f.T, err)
	return flag
}

// Boolean changes the new flag to a boolean one.
func Boolean(n *models.NewFlag) { n.FlagType, n.DefaultValue, n.Variations = "", nil, nil }

// AddRule adds a rule that gives the value to one user. change may alter it.
func AddRule(f *Fixture, flag models.Flag, value string, change ...func(*models.NewFlagRule)) models.FlagRule {
	f.T.Helper()
	n := models.NewFlagRule{
		RuleType: models.RuleUserList, VariantValue: &value, Config: models.RuleConfig{UserIDs: []string{"ann"}},
	}
	for _, c := range change {
		c(&n)
	}
	r, err := f.CreateRule(f.T.Context(), f.Demo.ID, Alice, flag.ID, n)
	require.NoError(f.T, err)
	r.Flag = models.Versioned{} // to compare with the rules of a flag that is read
	return r
}

// ForSegment returns a change for AddRule that makes the new rule apply to a segment.
func ForSegment(key string) func(*models.NewFlagRule) {
	return func(n *models.NewFlagRule) {
		n.RuleType, n.Config = models.RuleSegment, models.RuleConfig{SegmentKey: key}
	}
}

// ReadFlag returns a flag.
func ReadFlag(f *Fixture, id int64) models.Flag {
	f.T.Helper()
	flag, err := f.Flag(f.T.Context(), f.Demo.ID, id)
	require.NoError(f.T, err)
	return flag
}

// AddSegment creates a segment with two conditions.
func AddSegment(f *Fixture, key string) models.Segment {
	f.T.Helper()
	g, err := f.CreateSegment(f.T.Context(), f.Demo.ID, Alice, models.NewSegment{
		Key: key, Name: "The " + key, MatchType: models.MatchAll,
		Conditions: []models.Condition{
			{Attribute: "plan", Operator: models.OpEq, Values: []string{"pro"}}, {Attribute: "email", Operator: models.OpExists},
		},
	})
	require.NoError(f.T, err)
	return g
}

// LinkFlags returns a change for MustPublish that links flags.
func LinkFlags(flags ...models.FlagLink) func(*models.Publish) {
	return func(p *models.Publish) { p.LinkedFlags = flags }
}

// SetTo returns a patch field that is set to a value.
func SetTo[T any](v T) models.Nullable[T] { return models.Nullable[T]{Set: true, Value: &v} }
