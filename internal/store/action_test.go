package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// What the audit log can say, webhooks can subscribe to; but for the end of the
// project, which ends its webhooks.
func TestEveryActionIsKnownToWebhooks(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "audit.go", nil, 0)
	require.NoError(t, err)
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			if !strings.HasPrefix(name.Name, "action") {
				continue
			}
			literal, ok := spec.Values[i].(*ast.BasicLit)
			require.True(t, ok, name.Name)
			action, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			require.Equal(t, action != actionProjectDeleted, models.KnownAction(action), "%s and models.Actions", action)
			found++
		}
		return true
	})
	require.NotZero(t, found)
}
