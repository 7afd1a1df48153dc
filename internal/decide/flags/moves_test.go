package flags_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

func TestMovesCountTheContextsWhoseValueChanges(t *testing.T) {
	t.Parallel()
	on, off := models.Variation{ID: 1, Name: "On", Value: "true"}, models.Variation{ID: 2, Name: "Off", Value: "false"}
	source := models.Flag{
		ID: 7, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true, Variations: []models.Variation{on, off},
	}
	set, err := flags.NewSet(models.ProjectSnapshot{Flags: []models.Flag{source}}, nil)
	require.NoError(t, err)
	before, _ := set.FlagByID(7)
	require.Empty(t, before.Attributes(), "it has no rules")
	changed := source
	changed.Rules = []models.FlagRule{{
		ID: 8, RuleType: models.RuleAttribute, VariationID: &on.ID, VariantValue: &on.Value,
		Config: models.RuleConfig{Conditions: []models.Condition{
			{Attribute: "platform", Operator: models.OpEq, Values: []string{"ios"}}, {Attribute: "plan", Operator: models.OpMatches, Values: []string{"^p"}},
		}},
	}}
	after, err := set.Replaced(changed)
	require.NoError(t, err)
	require.Contains(t, after.Attributes(), "plan")
	var contexts []flags.Context
	for i := range 30 {
		c := flags.Context{TargetingKey: strconv.Itoa(i), Platform: "ios", Attributes: map[string]any{"plan": "pro"}}
		if i%3 == 0 {
			c.Platform = "android"
		}
		contexts = append(contexts, c)
	}
	moves, evaluated := flags.Moves(before, after, contexts, &flags.Context{})
	require.EqualValues(t, 30, evaluated)
	require.Len(t, moves, 1)
	require.EqualValues(t, 20, moves[0].Contexts)
	require.Equal(t, "false true", string(moves[0].From.Value)+" "+string(moves[0].To.Value))
	created, _ := flags.Moves(nil, after, contexts, &flags.Context{})
	require.Len(t, created, 2, "every device gets a value")
	require.Empty(t, created[0].From.Value)
	back, _ := flags.Moves(after, after, contexts, &flags.Context{})
	require.Empty(t, back)
}
