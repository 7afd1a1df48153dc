package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheCoverageTableIsTrue compares docs/contribute/api-coverage.md with the route table and the tests. Every route must have a
// row with tests, every row without tests must be for a route that is not served, and every test that the page names
// must exist.
func TestTheCoverageTableIsTrue(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "docs", "contribute", "api-coverage.md"))
	require.NoError(t, err)
	covered := map[string]bool{} // by endpoint: whether tests are named
	endpoint := regexp.MustCompile("^\\| `([A-Z]+ /[^`]*)` \\| (.*?) \\|")
	for line := range strings.Lines(string(page)) {
		if m := endpoint.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[2], "with ") {
			require.NotContains(t, covered, m[1], "the endpoint has two rows")
			covered[m[1]] = m[2] != "none"
		}
	}
	for _, r := range allRoutes(t) {
		require.True(t, covered[r.String()], "%s has no row with tests", r)
		delete(covered, r.String())
	}
	for name, tested := range covered {
		require.False(t, tested, "%s is not served", name)
	}

	tests := testNames(t)
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, named)
	for _, m := range named {
		require.True(t, tests[m[1]], "there is no test %s", m[1])
	}
}

// testNames returns the names of all tests in the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	declaration := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git" || entry.Name() == ".waft"):
			return filepath.SkipDir // engines write to .waft while the test runs
		case entry.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(path)
		for _, m := range declaration.FindAllSubmatch(content, -1) {
			names[string(m[1])] = true
		}
		return err
	}))
	return names
}
