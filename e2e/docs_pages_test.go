package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// pagesInShort are the pages that TestPages runs in its short form, in seconds.
var pagesInShort = []string{"docs/contribute/pages.md", "docs/guides/releases/gitlab.md", "docs/operations/audit-log.md"}

// TestPages runs the commands of every page of the documentation, in their order and in a folder of the page's own, as
// docs/contribute/pages.md describes.
func TestPages(t *testing.T) {
	t.Parallel()
	paths, err := site.Documents("..")
	require.NoError(t, err)
	require.Subset(t, paths, pagesInShort)
	for _, path := range paths {
		page, err := site.Read("..", path)
		if err == nil && !page.Runs() || testing.Short() && !slices.Contains(pagesInShort, path) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, err)
			require.NoError(t, newPageRun(t, page).page(t.Context(), page))
		})
	}
}

// TestPagesWithMistakesFail runs pages that show something else than what their commands do.
func TestPagesWithMistakesFail(t *testing.T) {
	t.Parallel()
	for text, message := range map[string]string{
		"```sh\necho one\nfalse\necho two\n```":                          "docs/x.md:6: exit code 1 of: false\nthe commands printed:\none\n",
		"```sh\nfalse | true\n```":                                       "docs/x.md:5: exit code 1 of:",
		"```sh\necho \"$nothing\"\n```":                                  "nothing: unbound variable",
		"```sh\nif\n```":                                                 "docs/x.md: line 7: syntax error",
		"```sh\nwafd serve\n```":                                         "docs/x.md: line 5: wafd: command not found",
		"```sh\nwaft polices list\n```":                                  "docs/x.md:5: exit code 2 of: waft polices list",
		"```sh\necho one\n```\n```text\ntwo\n```":                        "docs/x.md:8: the commands at line 5 printed something else",
		"x\n\n<!-- fails: 3 -->\n```sh\ntrue\n```":                       "docs/x.md:8: the commands do not fail",
		"x\n\n<!-- fails: 3 -->\n```sh\n(exit 2)\n```":                   "docs/x.md:8: exit code 2 of: ( exit 2 ), not 3",
		"x\n\n<!-- fails: 3 -->\n```sh\n(exit 3)\nfalse\n```":            "docs/x.md:8: ( exit 3 ) fails, and is not the last command",
		"x\n\n<!-- background until: ready -->\n```sh\necho steady\n```": "ended and did not print \"ready\"",
		"x\n\n<!-- with: <id>=true -->\n```sh\necho <id>\n```":           "docs/x.md:6: the command for <id> prints nothing",
		"x\n\n<!-- before: false -->\n```sh\ntrue\n```":                  "docs/x.md:6: exit code 1 of: false",
		"```sql\nSELECT 1\n```":                                          "docs/x.md:5: the page's fixture has no ClickHouse",
	} {
		t.Run(message, func(t *testing.T) {
			t.Parallel()
			page, err := site.Parse("docs/x.md", []byte("# X\n<!-- needs: nothing -->\n\n"+text+"\n"))
			require.NoError(t, err)
			require.ErrorContains(t, newPageRun(t, page).page(t.Context(), page), message)
		})
	}
}
