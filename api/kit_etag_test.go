package api

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// fakeTransactions runs what it is given once.
type fakeTransactions struct{}

func (fakeTransactions) Atomically(ctx context.Context, do func(context.Context) error) error {
	return do(ctx)
}

func TestEntityTags(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][]string{
		"": nil, "*": {"*"}, " * ": {"*"}, `"a"`: {`"a"`}, `"a", "b"`: {`"a"`, `"b"`}, `W/"a"`: nil, `W/"a","b"`: {`"b"`},
		`"a,b"`: {`"a,b"`}, `""`: {`""`}, `"a",, "b",`: {`"a"`, `"b"`},
	} {
		got, err := entityTags(header)
		require.NoError(t, err, header)
		require.Equal(t, want, got, header)
	}
	for _, header := range []string{"a", `"a`, `"a" "b"`, `*, "a"`, `w/"a"`, `W/a`} {
		_, err := entityTags(header)
		require.Equal(t, models.CodeInvalid, models.CodeOf(err), header)
	}
}

// Whoever edits a policy is told that a rollout runs by it, not that somebody else changed it.
func TestARolloutIsNoChangeOfItsPolicy(t *testing.T) {
	t.Parallel()
	before, err := etagOf(RolloutPolicy{Name: "careful"})
	require.NoError(t, err)
	after, err := etagOf(RolloutPolicy{Name: "careful", RunningExecutions: []int64{7}})
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// Every route that changes or deletes a record knows If-Match, and every record of a project that is patched has an ETag.
func TestEveryChangeIsConditional(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	for _, r := range table(t) {
		if !r.conditional() {
			continue
		}
		path := doc["paths"].(map[string]any)[r.path].(map[string]any)
		op := path[map[string]string{patch: "patch", remove: "delete"}[r.method]].(map[string]any)
		require.Contains(t, op["responses"], "412", r.path)
		if r.method == patch && r.access != person {
			require.NotNil(t, r.current, "a record that is patched has an ETag: %s", r.path)
			require.Contains(t, op["responses"].(map[string]any)["200"].(map[string]any)["headers"], headerETag, r.path)
		}
	}
}
