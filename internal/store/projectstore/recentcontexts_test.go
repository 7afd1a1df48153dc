package projectstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestRecentContextsAndTheirAttributes(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	at := time.Now()
	require.NoError(t, f.RecordContexts(t.Context(), f.Demo.ID, []models.EvaluatedContext{
		seen(f, "ann", at, map[string]any{"plan": "pro", "age": 41.0, "tags": []any{"a"}}),
		seen(f, "bob", at, map[string]any{"plan": "pro", "beta": true}), seen(f, "cleo", at, map[string]any{"plan": "free"}),
		seen(f, "old", at.AddDate(0, 0, -8), map[string]any{"gone": "x"}),
	}))
	recent, err := f.RecentContexts(t.Context(), f.Demo.ID, []string{"plan", "beta"}, at)
	require.NoError(t, err)
	require.EqualValues(t, 3, recent.Total)
	attributes := map[string]map[string]any{}
	for _, c := range recent.List {
		require.Equal(t, models.ContextKind("user"), c.Kind)
		attributes[c.TargetingKey] = c.Attributes
	}
	require.Equal(t, map[string]map[string]any{"ann": {"plan": "pro"}, "bob": {"plan": "pro", "beta": true}, "cleo": {"plan": "free"}}, attributes)
	all, err := f.ContextAttributes(t.Context(), f.Demo.ID, at)
	require.NoError(t, err)
	require.Equal(t, []models.ContextAttribute{
		{Name: "plan", Contexts: 3, Values: []any{"pro", "free"}}, {Name: "age", Contexts: 1, Values: []any{41.0}},
		{Name: "beta", Contexts: 1, Values: []any{true}}, {Name: "tags", Contexts: 1, Values: []any{}},
	}, all)
}
