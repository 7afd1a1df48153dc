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

// fullTests matches a list of tests in the Makefile that a target runs in full, and listsOfFullTest the lists that full-test runs.
var (
	fullTests       = regexp.MustCompile(`(?m)^(?:PAGE|KILL|DOCS|CONTAINER|TRUTH|MANY|WALK|LARGE)_TESTS := (.*)$`)
	listsOfFullTest = regexp.MustCompile(`(?m)^FULL_TESTS = \$\(TRUTH_TESTS\)\|\$\(MANY_TESTS\)\|\$\(WALK_TESTS\)\|\$\(LARGE_TESTS\)$`)
)

// TestEveryShortFormIsRunInFull compares the tests that have a short form with the tests that the Makefile runs in full, and checks that
// .ci/run runs them.
func TestEveryShortFormIsRunInFull(t *testing.T) {
	t.Parallel()
	makefile := readFile(t, "Makefile")
	require.Regexp(t, listsOfFullTest, makefile)
	for _, list := range []string{"PAGE", "KILL", "DOCS", "CONTAINER", "FULL"} {
		require.Contains(t, makefile, ",$("+list+"_TESTS),./e2e", "a target runs the list")
	}
	var full []string
	for _, list := range fullTests.FindAllStringSubmatch(makefile, -1) {
		full = append(full, strings.Split(list[1], "|")...)
	}
	require.ElementsMatch(t, testsWithShortForm(t), full)
	run := readFile(t, ".ci/run")
	for _, target := range []string{
		"page-test", "kill-test", "backup-test", "docs-test", "container-test", "full-test", "bench-test", "package-test",
		"helm-test", "pod-test",
		"upgrade-test",
	} {
		require.Contains(t, run, "\nmake "+target+"\n")
	}
}

// TestTestsOfBackupsExist fails if the Makefile leaves a test out of test-engines and runs nothing in its place in backup-test.
func TestTestsOfBackupsExist(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`(?m)^BACKUP_TESTS := (.*)$`).FindStringSubmatch(readFile(t, "Makefile"))
	require.NotNil(t, list)
	tests := readFile(t, "e2e/backup_test.go") + readFile(t, "e2e/backup_places_test.go") + readFile(t, "internal/app/backups/schemas_test.go")
	for name := range strings.SplitSeq(list[1], "|") {
		require.Contains(t, tests, "\nfunc Test"+name+"(t *testing.T) {\n")
	}
}

// testsWithShortForm returns the names of the tests that ask for the short form, without their prefix Test.
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

// shortTasks are the page tests that must be in the short form of `make test`, as patterns, by file of dashboard/tests.
var shortTasks = map[string]string{
	"every-page":    "every page with data",
	"sign-in":       "signs in",
	"overview":      "is rolled back at 360 px",
	"rollback":      "both platforms are rolled back",
	"main-job":      "crashes roll it back",
	"promotion":     "a channel is promoted",
	"publish":       "a real export is uploaded",
	"start-rollout": "a release is rolled out",
	"flag-edit":     "devices get the new value",
	"approvals":     "a call is approved",
	"attention":     "the project is stopped",
	"outages":       "without Postgres",
	"webkit":        "in WebKit",
}

// shortPage matches the beginning of a page test that is in the short form.
var shortPage = regexp.MustCompile("(?m)^ *(?:test|fresh)\\([\"`](.+)[\"`], \\{ tag: \"@short\" \\}, async ")

// TestTheShortFormOfPageTestsWalksThroughTheMainTasks compares the tags of page tests with the main tasks. Playwright runs the other page
// tests, in whatever file they are, with `make page-test` only.
func TestTheShortFormOfPageTestsWalksThroughTheMainTasks(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "dashboard", "tests", "*.ts"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	short := map[string]string{}
	for _, file := range files {
		text, name := readFile(t, filepath.Join("dashboard", "tests", filepath.Base(file))), strings.TrimSuffix(filepath.Base(file), ".test.ts")
		tagged := shortPage.FindAllStringSubmatch(text, -1)
		require.Len(t, tagged, strings.Count(text, "tag:"), "%s: a tag must be written as { tag: \"@short\" } in the line of the name", file)
		for _, test := range tagged {
			short[name] += test[1] + "\n"
		}
	}
	for file, task := range shortTasks {
		require.Contains(t, short[file], task, "no test of dashboard/tests/%s.test.ts with this name has the tag", file)
	}
	require.Contains(t, readFile(t, "e2e/dashboard_test.go"), `"--grep", "@short"`)
}
