//go:build packages

package packages

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sections are the page and the sections of pages that a server follows.
var sections = []struct{ page, title string }{
	{"docs/operations/server.md", ""}, {"docs/operations/upgrade.md", "A server"},
	{"docs/operations/backup.md", "A server"}, {"docs/operations/restore.md", "A server"},
}

// page has the commands of a server. A test runs them as they are written there.
type page struct {
	text string
	// left are the commands of its blocks that were not followed yet.
	left map[string]bool
}

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")
	// remark is a comment at the end of a command.
	remark = regexp.MustCompile(`\s+#.*$`)
)

func readPage(t *testing.T) *page {
	t.Helper()
	p := &page{left: map[string]bool{}}
	for _, s := range sections {
		text, err := os.ReadFile(filepath.Join(root, s.page))
		require.NoError(t, err)
		if s.title != "" {
			_, below, found := strings.Cut(string(text), "\n## "+s.title+"\n")
			require.True(t, found, "%s has no section %s", s.page, s.title)
			below, _, _ = strings.Cut(below, "\n## ")
			text = []byte(below)
		}
		p.text += string(text)
	}
	for _, block := range shellBlock.FindAllStringSubmatch(p.text, -1) {
		for line := range strings.Lines(block[1]) {
			p.left[remark.ReplaceAllString(strings.TrimSpace(line), "")] = true
		}
	}
	require.Greater(t, len(p.left), 20)
	return p
}

// follow runs commands of the page in one shell. values replace what the page leaves to the reader, in pairs.
func (s *server) follow(commands []string, values ...string) string {
	s.t.Helper()
	out, err := s.tryToFollow("", commands, values...)
	require.NoError(s.t, err, "%s: %s", commands, out)
	return out
}

func (s *server) tryToFollow(input string, commands []string, values ...string) (string, error) {
	s.t.Helper()
	for _, command := range commands {
		if !s.page.left[command] {
			require.Regexp(s.t, "(?m)^"+regexp.QuoteMeta(command)+`(\s+#.*)?$|`+"`"+regexp.QuoteMeta(command)+"`", s.page.text)
		}
		delete(s.page.left, command)
	}
	script := strings.NewReplacer(append(values, "_amd64.", "_"+runtime.GOARCH+".")...).Replace(strings.Join(commands, "\n"))
	return s.tryWith(input, "bash", "-euc", script)
}
