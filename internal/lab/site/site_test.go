package site

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryBlockIsRunOrSaysWhyNot reads every page. Blocks of a language that is run are run by TestPages in e2e, which reads them in the
// same way, or have a reason.
func TestEveryBlockIsRunOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	paths, err := Documents("../../..")
	require.NoError(t, err)
	var pages []Page
	var problems []error
	run := 0
	for _, path := range paths {
		page, err := Read("../../..", path)
		problems = append(problems, err)
		pages = append(pages, page)
		if page.Runs() {
			run++
		}
	}
	require.NoError(t, errors.Join(append(problems, RunElsewhere("../../..", pages))...))
	require.Positive(t, run)
}

// fenced writes ”' for ``` , which a raw string cannot have.
func fenced(source string) []byte { return []byte(strings.ReplaceAll(source, "'''", "```")) }

func TestAPageHasBlocksWithTheirDirectives(t *testing.T) {
	t.Parallel()
	page, err := Parse("docs/a.md", fenced(`# Title
<!-- needs: exports -->
<!-- before:
mkdir a

mkdir b
-->

Some text.

<!-- before: waft x -->
<!-- with: <id>=waft rollouts list --quiet | head -n 1 -->
'''sh
waft rollouts watch <id>
'''

It prints:

'''text
rollout …
'''

1. A step:

   <!-- fails: 4 -->
   '''sh
   waft y
     indented
   '''
2. Another:

   <!-- not run: needs a phone -->
   '''sh
   z
   '''

   '''text
   zzz
   '''

<!-- file: conf/waft.json -->
'''json
{}
'''

<!-- background until: ready -->
'''sh
waftd serve
'''

<!-- run by: deploy -->
'''sql
SELECT 1
'''
`))
	require.NoError(t, err)
	require.Equal(t, Page{
		Path: "docs/a.md", Needs: "exports", Before: []Script{{4, "mkdir a\n\nmkdir b"}},
		Blocks: []Block{
			{
				Script: Script{14, "waft rollouts watch <id>\n"}, Language: "sh",
				Before: []Script{{11, "waft x"}},
				With:   []Replacement{{"<id>", Script{12, "waft rollouts list --quiet | head -n 1"}}},
				Output: &Script{20, "rollout …\n"},
			},
			{Script: Script{27, "waft y\n  indented\n"}, Language: "sh", Fails: 4},
			{Script: Script{34, "z\n"}, Language: "sh", NotRun: "needs a phone"},
			{Script: Script{43, "{}\n"}, Language: "json", File: "conf/waft.json"},
			{Script: Script{48, "waftd serve\n"}, Language: "sh", Until: "ready"},
			{Script: Script{53, "SELECT 1\n"}, Language: "sql", RunBy: "deploy"},
		},
	}, page)
	require.True(t, page.Runs())
	var run []bool
	for _, b := range page.Blocks {
		run = append(run, b.Runs())
	}
	require.Equal(t, []bool{true, true, false, true, true, false}, run)
}

func TestAPageIsNotRunOrRunElsewhere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"# T\n<!-- not run: needs a phone -->\n\n'''sh\nx\n'''\n", "# T\n\n<!-- run by: deploy -->\n'''sh\nx\n'''\n", "# T\n\nText.\n",
		"# T\n\n<!-- screenshot: a: B. -->\n\n'''json\n{}\n'''\n", "# T\n\n'''text\n1 2\n'''\n",
	} {
		page, err := Parse("a.md", fenced(text))
		require.NoError(t, err, text)
		require.False(t, page.Runs(), text)
	}
}

func TestAPageWithAMistakeIsRefused(t *testing.T) {
	t.Parallel()
	for text, problem := range map[string]string{
		"# T\n\nx\n\n<!-- not run: -->\n'''sh\nx\n'''\n":                  "a.md:5: `not run` has no value",
		"# T\n\nx\n\n<!-- not run -->\n'''sh\nx\n'''\n":                   "a.md:5: the comment is not a directive",
		"# T\n\nx\n\n<!-- skip: y -->\n'''sh\nx\n'''\n":                   "a.md:5: the directive `skip` of a block is unknown",
		"# T\n\nx\n\n<!-- not run: y -->\n\nText.\n\n'''sh\nx\n'''\n":     "a.md:5: `not run` stands neither above a block nor",
		"# T\n\nx\n\n<!-- needs: exports -->\n'''sh\nx\n'''\n":            "a.md:5: the directive `needs` of a block is unknown",
		"# T\n\n<!-- needs: world -->\n":                                  "a.md:3: the fixture world is unknown",
		"# T\n\n<!-- fails: 1 -->\n'''sh\nx\n'''\n":                       "a.md:3: the directive `fails` of a page is unknown",
		"# T\n\nx\n\n<!-- fails: x -->\n'''sh\nx\n'''\n":                  "a.md:5: `fails` is an exit code",
		"# T\n\nx\n\n<!-- with: id -->\n'''sh\nid\n'''\n":                 "a.md:5: `with` is a text",
		"# T\n\nx\n\n<!-- with: <id>=x -->\n'''sh\nx\n'''\n":              "a.md:5: the block does not have <id>",
		"# T\n\nx\n\n<!-- file: ../x -->\n'''json\nx\n'''\n":              "a.md:5: the path ../x leaves the folder",
		"# T\n\n'''\nx\n'''\n":                                            "a.md:3: the block has no language",
		"# T\n\n'''bash\nx\n'''\n":                                        "a.md:3: the language bash is not run",
		"# T\n\n'''console\n$ x\n'''\n":                                   "a.md:3: the language console is not run",
		"# T\n\n'''powershell\nx\n'''\n":                                  "a.md:3: the language powershell is unknown",
		"# T\n\n'''sh\nx\n'''\n\nA\n\nB\n\n'''text\nx\n'''\n":             "a.md:11: the `text` block does not directly follow",
		"# T\n\nx\n\n<!-- before: x -->\n'''json\nx\n'''\n":               "a.md:6: the block is not run, so `before`",
		"# T\n\nx\n\n<!-- before: x --> y\n'''sh\nx\n'''\n":               "a.md:5: a comment shares its lines",
		"# T\n\nx\n\n<!-- fails: 1 -->\n'''sql\nx\n'''\n":                 "a.md:6: `fails` and `background until` are for",
		"# T\n\nx\n\n- <!-- not run: y -->\n\n  Text.\n\n'''sh\nx\n'''\n": "a.md:5: `not run` stands neither above a block nor",
	} {
		_, err := Parse("a.md", fenced(text))
		require.ErrorContains(t, err, problem, text)
	}
}

func TestOutputsAreComparedLineByLine(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"a\nb\n", "a\nb"}, {"a …\n", "a 1 2  \n"}, {"…\nb", "a\nb"}, {"…\nb", "b"}, {"a\n…", "a"}, {"a\n…\nb\n…\nc", "a\nb\nx\nb\ny\nc"},
		{"", ""}, {"…", "a\nb"}, {"(…) …%", "(x) 5%"},
	} {
		require.Empty(t, Difference(same[0], same[1]), same)
	}
	for _, other := range [][3]string{
		{"a", "b", `line 1, "a"`}, {"a\nb", "a", `line 2, "b"`}, {"a", "a\nb", "its end"},
		{"a …", "b 1", `line 1, "a …"`}, {"…\nc", "a\nb", `line 2, "c"`},
		{"a", "", `line 1, "a"`}, {"", "a", "its end"}, {"a.c", "abc", `line 1`}, {"…a", "ab", "line 1"},
	} {
		require.Contains(t, Difference(other[0], other[1]), other[2], other)
	}
}

func TestTheCommandThatFailsIsTheLast(t *testing.T) {
	t.Parallel()
	require.True(t, FailsLast("a\nb\n", 2))
	require.False(t, FailsLast("a\nb\n", 1))
	require.True(t, FailsLast("a\nb \\\n  --c \\\n  d\n# e\n\n", 2))
	require.False(t, FailsLast("a \\\n  b\nc\n", 1))
}

func TestOtherTestsNameThePagesThatTheyRun(t *testing.T) {
	t.Parallel()
	page := func(test string) []Page {
		return []Page{{Path: "docs/operations/server.md", RunBy: "internal/lab", Blocks: []Block{{RunBy: test}}}}
	}
	root := "../../.."
	require.NoError(t, RunElsewhere(root, page("internal/lab/site/site_test.go")))
	require.ErrorContains(t, RunElsewhere(root, page("internal/lab/site/page.go")),
		"docs/operations/server.md: run by internal/lab/site/page.go, which does not name")
	require.ErrorContains(t, RunElsewhere(root, page("internal/lab/nothing")), "no such file")
}

func TestABlockIsFoundByTheLineThatItBeginsWith(t *testing.T) {
	t.Parallel()
	page, err := Parse("docs/a.md",
		fenced("# Title\n\n'''sh\nwaft keys list\nwaft audit\n'''\n\n'''sh\nwaft audit\n'''\n\n'''sh\nwaft audit\n'''\n"))
	require.NoError(t, err)
	block, err := page.Beginning("waft keys list")
	require.NoError(t, err)
	require.Equal(t, "waft keys list\nwaft audit\n", block.Text)
	_, err = page.Beginning("waft keys")
	require.EqualError(t, err, `docs/a.md has 0 blocks that begin with the line "waft keys", not one`)
	_, err = page.Beginning("waft audit")
	require.EqualError(t, err, `docs/a.md has 2 blocks that begin with the line "waft audit", not one`)
}

func TestTheFirstDifferenceIsNamed(t *testing.T) {
	t.Parallel()
	require.Empty(t, FirstDifference("a\nb", "a\nb"))
	require.Equal(t, "line 2 is\nc\ninstead of\nb", FirstDifference("a\nb", "a\nc"))
	require.Equal(t, "line 2 is new: b", FirstDifference("a", "a\nb"))
	require.Equal(t, "line 2 is missing: b", FirstDifference("a\nb", "a"))
}
