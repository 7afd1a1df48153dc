package models_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestSeenContextValidate(t *testing.T) {
	t.Parallel()
	for _, kind := range models.ContextKinds {
		require.NoError(t, models.SeenContext{Kind: kind, TargetingKey: "k"}.Validate())
	}
	name := strings.Repeat("x", 201)
	err := models.SeenContext{Kind: "planet", Name: &name, Attributes: map[string]any{"": 1.0, "ok": nil}}.Validate()
	require.Equal(t, []string{"kind", "targetingKey", "name", `attributes[""]`}, fieldsOf(t, err))
}

// Without the check Postgres would refuse the context without naming the attribute.
func TestAnAttributeThatCannotBeKeptIsNamed(t *testing.T) {
	t.Parallel()
	err := models.SeenContext{Kind: "user", TargetingKey: "k", Attributes: map[string]any{
		"fine": map[string]any{"a": []any{"x", 1.5, nil, true}}, "nul": "a\x00", "within": []any{map[string]any{"a\x00": 1.0}},
	}}.Validate()
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Len(t, e.Fields, 2)
	require.Equal(t, `attributes["nul"]`, e.Fields[0].Field)
	require.Equal(t, `attributes["within"]`, e.Fields[1].Field)
}

func TestMergingContexts(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	before := models.EvaluationContext{Name: "Ada", Attributes: map[string]any{"a": 1.0, "b": 2.0}, LastSeenAt: at}
	kept := maps.Clone(before.Attributes)

	after, err := before.Merge(models.SeenContext{Attributes: map[string]any{"b": nil, "c": "new", "gone": nil}}, at.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"a": 1.0, "c": "new"}, after.Attributes)
	require.Equal(t, "Ada", after.Name)
	require.Equal(t, at, after.LastSeenAt, "it is not seen earlier than it was")
	require.Equal(t, kept, before.Attributes)

	many := map[string]any{}
	for i := range 99 {
		many[fmt.Sprint("n", i)] = true
	}
	_, err = before.Merge(models.SeenContext{Attributes: many}, at)
	require.Equal(t, []string{"attributes"}, fieldsOf(t, err))
	delete(many, "n0")
	_, err = before.Merge(models.SeenContext{Attributes: many}, at)
	require.NoError(t, err)
	_, err = before.Merge(models.SeenContext{Attributes: map[string]any{"big": strings.Repeat("x", 17<<10)}}, at)
	require.Equal(t, []string{"attributes"}, fieldsOf(t, err))
}
