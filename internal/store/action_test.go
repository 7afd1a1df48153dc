package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// actionArguments are the methods that are given an action, and as which argument.
var actionArguments = map[string]int{"audit": 0, "auditRule": 0, "auditUser": 1, "auditApproval": 0, "entry": 1}

// What the audit log can say, webhooks can subscribe to; but for the end of the
// project, which ends its webhooks.
func TestEveryActionIsKnownToWebhooks(t *testing.T) {
	t.Parallel()
	actions := slices.AppendSeq([]string{
		publishAction(models.Publish{}), publishAction(models.Publish{Direct: true}),
		actionOf(models.RolloutExecution{}, models.RolloutExecution{WaitingFor: models.WaitNetworks},
			models.RolloutEvent{Event: models.EventHeld}),
	}, maps.Values(eventActions))
	actions = slices.AppendSeq(actions, maps.Values(endActions))
	require.NoError(t, filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		require.NoError(t, err)
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			at, ok := actionArguments[method.Sel.Name]
			if !ok || at >= len(call.Args) {
				return true
			}
			if literal, ok := call.Args[at].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				action, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				actions = append(actions, action)
			}
			return true
		})
		return nil
	}))
	slices.Sort(actions)
	actions = slices.Compact(actions)
	known := append(slices.Clone(models.Actions), "project.deleted")
	slices.Sort(known)
	require.Equal(t, known, actions, "models.Actions and what the store records")
}
