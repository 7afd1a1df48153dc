package e2e

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/internal/lab/site"
	"github.com/waft-ota/waft/models"
)

// referencePage has the examples of all commands, which internal/cli writes from their help.
const referencePage = "docs/reference/cli.md"

// commandHeading matches the heading of a command's section, without its arguments.
var commandHeading = regexp.MustCompile("^#+ `(waft(?: [a-z-]+)*)")

// examplesInShort are the commands whose examples TestExamples runs in its short form.
var examplesInShort = []string{"waft branches create", "waft flags set"}

// TestExamples runs the examples in the help of every command. The examples of a command run in order, in a project and a folder of their
// own, with the fixture that the map examples has for the command. Without an entry the test fails.
func TestExamples(t *testing.T) {
	t.Parallel()
	page, err := site.Read("..", referencePage)
	require.NoError(t, err)
	source, err := os.ReadFile("../" + referencePage)
	require.NoError(t, err)
	prelude, err := os.ReadFile("testdata/examples.sh")
	require.NoError(t, err)
	blocks := blocksOfCommands(page, strings.Split(string(source), "\n"))
	require.Subset(t, blocks, examplesInShort)
	for command := range examples {
		require.Contains(t, blocks, command, "the command has no examples")
	}
	for command := range blocks {
		require.Contains(t, examples, command, "name what these examples need in examples of e2e/harness_examples_test.go")
	}
	server := install(t)
	for command, block := range blocks {
		if testing.Short() && !slices.Contains(examplesInShort, command) {
			continue
		}
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			fixture := examples[command]
			block = fixture.block(t, block)
			block.Before = append([]site.Script{{Line: 1, Text: string(prelude)}}, block.Before...)
			run := exampleWorld(t, server, fixture).start(t, referencePage)
			require.NoError(t, run.block(t.Context(), block))
		})
	}
}

// blocksOfCommands returns the blocks with examples, by the command whose section they are in.
func blocksOfCommands(page site.Page, lines []string) map[string]site.Block {
	blocks := map[string]site.Block{}
	for _, block := range page.Blocks {
		if block.Language != "sh" {
			continue
		}
		for line := block.Line - 1; line >= 0; line-- {
			if heading := commandHeading.FindStringSubmatch(lines[line]); heading != nil {
				blocks[heading[1]] = block
				break
			}
		}
	}
	return blocks
}

// block returns the block with its fixture and without the lines that are not run.
func (e example) block(t *testing.T, block site.Block) site.Block {
	t.Helper()
	for line := range e.skip {
		require.Contains(t, block.Text, line+"\n", "a line that is not run")
		block.Text = strings.Replace(block.Text, line+"\n", "\n", 1)
	}
	block.Before = []site.Script{{Line: block.Line, Text: e.before}}
	for _, with := range e.with {
		text, value, found := strings.Cut(with, " = ")
		require.True(t, found, with)
		require.Contains(t, block.Text, text, "a text that is replaced")
		block.With = append(block.With, site.Replacement{Text: text, Command: site.Script{Line: block.Line, Text: `echo "` + value + `"`}})
	}
	if e.shows != "" {
		block.Output = &site.Script{Line: block.Line, Text: "…\n…" + e.shows + "…\n…"}
	}
	return block
}

// exampleWorld makes a project of its own on the server, and a folder with an export in dist.
func exampleWorld(t *testing.T, server installation, e example) pageWorld {
	t.Helper()
	w := newPageWorld(t, "nothing")
	p := server.tenant(t)
	w.env["WAFT_URL"], w.env["WAFT_PROJECT"], w.env["WAFT_API_KEY"] = p.url, p.slug, p.keys[models.RoleAdmin]
	if e.operator {
		w.env["WAFT_API_KEY"] = p.rootKey
	}
	if e.member {
		w.env["member"] = p.person(models.RoleEditor).email
	}
	_, err := bundle.Write(w.folder+"/dist", bundle.Spec{Label: "stable", BundleBytes: 1 << 10, Assets: 1, AssetBytes: 1 << 10})
	require.NoError(t, err)
	return w
}
