package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// actionArguments maps the functions that take an action to the position of the argument.
var actionArguments = map[string]int{"Audit": 0, "auditRule": 1, "auditUser": 2, "auditApproval": 0, "Entry": 1, "entryIn": 2, "AuditFlagSchedule": 0}

// actionNames lists the declarations whose strings are actions.
var actionNames = []string{"publishAction", "actionOf", "eventActions", "endActions", "resolve"}

// selectedActions finds the actions that an SQL statement selects.
var selectedActions = regexp.MustCompile(`SELECT '(member\.[a-z]+)'`)

// Webhooks can subscribe to every action in the audit log. The only exception is the deletion of the project, which
// also deletes its webhooks.
func TestEveryActionIsKnownToWebhooks(t *testing.T) {
	t.Parallel()
	var actions []string
	note := func(e ast.Node) {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			action, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			actions = append(actions, action)
		}
	}
	require.NoError(t, filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		require.NoError(t, err)
		if filepath.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if at, ok := actionArguments[nameOf(n.Fun)]; ok && at < len(n.Args) {
					note(n.Args[at])
				}
			case *ast.CompositeLit:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "memberChange" {
					note(n.Elts[1])
				}
			case *ast.BasicLit:
				for _, selected := range selectedActions.FindAllStringSubmatch(n.Value, -1) {
					actions = append(actions, selected[1])
				}
			case *ast.FuncDecl:
				noteAll(n.Name, n, note)
			case *ast.ValueSpec:
				noteAll(n.Names[0], n, note)
			}
			return true
		})
		return nil
	}))
	slices.Sort(actions)
	actions = slices.DeleteFunc(slices.Compact(actions), func(action string) bool { return action == "" })
	known := []string{"project.deleted"}
	for _, e := range models.Events {
		if e.Subscribable() {
			known = append(known, e.Name)
		}
	}
	slices.Sort(known)
	require.Equal(t, known, actions, "models.Events and the actions that the store records")
}

// nameOf returns the name of a called function or method.
func nameOf(called ast.Expr) string {
	switch f := called.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// noteAll calls note for every node of a declaration whose strings are actions.
func noteAll(name *ast.Ident, declaration ast.Node, note func(ast.Node)) {
	if slices.Contains(actionNames, name.Name) {
		ast.Inspect(declaration, func(n ast.Node) bool {
			note(n)
			return true
		})
	}
}
