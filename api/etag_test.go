package api

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
)

// Every route that changes or deletes a record accepts If-Match, and every patched record of a project has an ETag.
func TestEveryChangeIsConditional(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	for _, r := range table(t) {
		if !r.Conditional() {
			continue
		}
		path := doc["paths"].(map[string]any)[r.Path].(map[string]any)
		op := path[strings.ToLower(r.Method)].(map[string]any)
		require.Contains(t, op["responses"], "412", r.Path)
		if r.Method == patch && r.Access != rest.Person {
			require.Contains(t, op["responses"].(map[string]any)["200"].(map[string]any)["headers"], "ETag", r.Path)
		}
	}
}
