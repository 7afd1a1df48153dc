package api

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
)

// fakeTransactions runs what it is given once.
type fakeTransactions struct{}

func (fakeTransactions) Atomically(ctx context.Context, do func(context.Context) error) error {
	return do(ctx)
}

// Whoever edits a policy is told that a rollout runs by it, not that somebody else changed it.
func TestARolloutIsNoChangeOfItsPolicy(t *testing.T) {
	t.Parallel()
	require.Equal(t, rollouts.RolloutPolicy{Name: "careful"}.Version(), rollouts.RolloutPolicy{Name: "careful",
		RunningExecutions: []int64{7}}.Version())
}

// Every route that changes or deletes a record knows If-Match, and every record of a project that is patched has an ETag.
func TestEveryChangeIsConditional(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	for _, r := range table(t) {
		if !r.Conditional() {
			continue
		}
		path := doc["paths"].(map[string]any)[r.Path].(map[string]any)
		op := path[map[string]string{patch: "patch", remove: "delete"}[r.Method]].(map[string]any)
		require.Contains(t, op["responses"], "412", r.Path)
		if r.Method == patch && r.Access != rest.Person {
			require.NotNil(t, r.Current, "a record that is patched has an ETag: %s", r.Path)
			require.Contains(t, op["responses"].(map[string]any)["200"].(map[string]any)["headers"], "ETag", r.Path)
		}
	}
}
