package deploy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fullTests matches a list of tests in the Makefile.
var fullTests = regexp.MustCompile(`(?m)^(?:KILL|CONTAINER|FULL)_TESTS := (.*)$`)

// TestEveryShortFormIsRunInFull compares the tests that have a short form with the tests that the Makefile runs in full, and checks that
// .ci/run runs them.
func TestEveryShortFormIsRunInFull(t *testing.T) {
	t.Parallel()
	var full []string
	for _, list := range fullTests.FindAllStringSubmatch(readFile(t, "Makefile"), -1) {
		full = append(full, strings.Split(list[1], "|")...)
	}
	require.ElementsMatch(t, testsWithShortForm(t), full)
	run := readFile(t, ".ci/run")
	for _, target := range []string{"kill-test", "container-test", "full-test", "bench-test"} {
		require.Contains(t, run, "\nmake "+target+"\n")
	}
}

// testsWithShortForm returns the names, without Test, of the tests that call enginetest.Sized or testing.Short.
func testsWithShortForm(t *testing.T) (names []string) {
	t.Helper()
	for _, folder := range []string{"activities", "api", "e2e", "internal", "models", "telemetry", "workflows"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for _, declared := range file.Decls {
				f, isFunc := declared.(*ast.FuncDecl)
				if !isFunc || !hasShortForm(f) {
					continue
				}
				name, isTest := strings.CutPrefix(f.Name.Name, "Test")
				require.True(t, isTest, "%s in %s asks for the short form: a test must do so itself", f.Name.Name, path)
				names = append(names, name)
			}
			return nil
		}))
	}
	return names
}

// hasShortForm reports whether a function calls enginetest.Sized or testing.Short.
func hasShortForm(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			of, _ := s.X.(*ast.Ident)
			found = found || of != nil && (of.Name == "enginetest" && s.Sel.Name == "Sized" || of.Name == "testing" && s.Sel.Name == "Short")
		}
		return !found
	})
	return found
}
