package deploy

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/lab/site"
)

func TestDocsAndHelpListTheSameExitCodes(t *testing.T) {
	t.Parallel()
	_, help, found := strings.Cut(cli.NewCommand().Long, "Exit codes:")
	require.True(t, found)
	_, page, found := strings.Cut(readFile(t, "docs/reference/cli.md"), "| Exit code | Code | Meaning |")
	require.True(t, found)
	page, _, _ = strings.Cut(page, "\n\n")
	var listed, explained []string
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(page, -1) {
		listed = append(listed, row[1])
	}
	for _, code := range regexp.MustCompile(`(?m)(?:^|,)\s*(\d+) `).FindAllStringSubmatch(help, -1) {
		explained = append(explained, code[1])
	}
	require.ElementsMatch(t, listed, explained)
	require.Subset(t, listed, []string{"0", "1", "2", "3", "4", "5", "6", "7", "130"})
}

// TestThePolicyCarefulIsTheSameEverywhere compares the policies of this name in documents and help, because `waft publish
// --policy careful` takes the newest of them.
func TestThePolicyCarefulIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	policies, _, err := cli.NewCommand().Find([]string{"policies", "create"})
	require.NoError(t, err)
	texts := map[string]string{"waft policies create --help": policies.Long + policies.Example}
	docs, err := site.Pages(root)
	require.NoError(t, err)
	for _, name := range append(docs, "README.md") {
		texts[name] = readFile(t, name)
	}
	var first string
	var named []string
	for name, text := range texts {
		for _, start := range regexp.MustCompile(`\{\s*"name": "careful"`).FindAllStringIndex(text, -1) {
			var policy map[string]any
			require.NoError(t, json.NewDecoder(strings.NewReader(text[start[0]:])).Decode(&policy), name)
			content, err := json.Marshal(policy)
			require.NoError(t, err)
			if first == "" {
				first = string(content)
			}
			require.JSONEq(t, first, string(content), "%s, and one of %s", name, named)
			named = append(named, name)
		}
	}
	slices.Sort(named)
	require.Greater(t, len(named), 1, "%s", named)
}
