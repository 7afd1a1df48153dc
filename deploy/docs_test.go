package deploy

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// sources are the repository's folders of sources. A path that begins with another one is written by a build.
var sources = []string{
	"activities", "api", "attack", "bench", "client", "cmd", "dashboard", "deploy", "devstack", "docs", "e2e", "examples", "internal",
	"models", "sdk", "telemetry", "tools", "workflows",
}

var (
	codeSpan     = regexp.MustCompile("`([A-Za-z0-9_.*/-]+)`")
	relativeLink = regexp.MustCompile(`\]\(([^):#]+)(?:#[^)]*)?\)`)
	walkTitle    = regexp.MustCompile(`(?m)^### .*: (\d+) files$`)
	goFile       = regexp.MustCompile("`([a-z_/]+\\.go)`")
	comment      = regexp.MustCompile(`(?s)<!--.*?-->`)
	// inside matches what a reader outside of the repository cannot look up: Go files, tests and decision records.
	inside = regexp.MustCompile("\\w\\.go\\b|`Test[A-Z]\\w*`|\\badr/|\\bADR \\d")
)

// pathsIn returns what looks like a path of the repository in the code spans of a text.
func pathsIn(text string) (paths []string) {
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		if first, _, below := strings.Cut(span[1], "/"); below && slices.Contains(sources, first) {
			paths = append(paths, span[1])
		}
	}
	return paths
}

func TestDocsNamePathsThatExist(t *testing.T) {
	t.Parallel()
	docs, err := site.Pages(root)
	require.NoError(t, err)
	require.NotEmpty(t, docs)
	for _, doc := range append(docs, "CONTRIBUTING.md", "README.md") {
		text := readFile(t, doc)
		paths := pathsIn(text)
		for _, link := range relativeLink.FindAllStringSubmatch(text, -1) {
			paths = append(paths, path.Join(path.Dir(doc), link[1]))
		}
		for _, name := range paths {
			found, err := filepath.Glob(filepath.Join(root, name))
			require.NoError(t, err)
			require.NotEmpty(t, found, "%s names %s, which does not exist", doc, name)
		}
	}
}

// Pages for readers say a behaviour themselves. Only the contributors' pages lead to the code.
func TestPagesForReadersNeedNoSource(t *testing.T) {
	t.Parallel()
	docs, err := site.Pages(root)
	require.NoError(t, err)
	for _, doc := range docs {
		if !strings.HasPrefix(doc, "docs/contribute/") {
			require.NotRegexp(t, inside, comment.ReplaceAllString(readFile(t, doc), ""), doc)
		}
	}
	require.Regexp(t, inside, readFile(t, "docs/contribute/architecture.md"))
}

// The README is for the decision of a newcomer. Everything else has a page on the site.
func TestTheReadmeIsShort(t *testing.T) {
	t.Parallel()
	text := readFile(t, "README.md")
	require.LessOrEqual(t, strings.Count(text, "\n"), 60, "README.md has more than 60 lines: move a part to a page in docs/")
	require.Contains(t, text, "make run")
	require.Contains(t, text, "make demo")
}

// The Go module proxy has no version of Waft, and would not have the dashboard that the server embeds.
func TestDocsDoNotInstallWithGo(t *testing.T) {
	t.Parallel()
	docs, err := site.Pages(root)
	require.NoError(t, err)
	for _, doc := range append(docs, "CONTRIBUTING.md", "README.md", "cmd/waft/npm/README.md") {
		require.NotContains(t, readFile(t, doc), "go install github.com/waft-ota/waft", doc)
	}
}

func TestPathsAreFoundInText(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"api/rest/mux.go", "docs/adr/", "internal/lost.go"},
		pathsIn("`api/rest/mux.go`, `docs/adr/` and `internal/lost.go`; not `bin/waft`, `models.Error`, `internal/…store`, api/rest/call.go"))
}

// TestWalksCountTheirFiles compares the number in the title of each walk in docs/contribute/architecture.md with its list.
func TestWalksCountTheirFiles(t *testing.T) {
	t.Parallel()
	text := readFile(t, "docs/contribute/architecture.md")
	titles := walkTitle.FindAllStringSubmatchIndex(text, -1)
	require.Len(t, titles, 4)
	for _, at := range titles {
		list, _, _ := strings.Cut(text[at[1]:], "\n#")
		var files []string
		for _, file := range goFile.FindAllStringSubmatch(list, -1) {
			files = append(files, file[1])
		}
		slices.Sort(files)
		want, err := strconv.Atoi(text[at[2]:at[3]])
		require.NoError(t, err)
		require.Len(t, slices.Compact(files), want, text[at[0]:at[1]])
	}
}
