//go:build containers

package containers

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// section is a section of a page, with the sections below it.
type section struct{ page, title string }

func (s section) text(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, s.page))
	require.NoError(t, err)
	match := regexp.MustCompile(`(?ms)^(#+) ` + regexp.QuoteMeta(s.title) + `\n(.*)\z`).FindSubmatch(page)
	require.NotNil(t, match, "%s", s)
	text, _, _ := strings.Cut(string(match[2]), "\n"+string(match[1])+" ")
	return text
}

// blocks returns the commands of a section, block by block.
func blocks(t *testing.T, in section, number int) []string {
	t.Helper()
	var found []string
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(in.text(t), -1) {
		found = append(found, block[1])
	}
	require.Len(t, found, number, "%s", in)
	return found
}

// inRow returns the first command of the row of a table with the text in its first column.
func inRow(t *testing.T, in section, text string) string {
	t.Helper()
	match := regexp.MustCompile("(?m)^\\| " + regexp.QuoteMeta(text) + " \\| `([^`]+)`").FindStringSubmatch(in.text(t))
	require.NotNil(t, match, text)
	return match[1]
}

// reader types the commands of the page into a shell, in a folder of its own.
type reader struct {
	t   *testing.T
	dir string
	env []string
	// instead replaces names of the page, because the daemon may have others of the same name.
	instead *strings.Replacer
}

// types runs commands of the page, and returns what they print.
func (r reader) types(script string) string {
	r.t.Helper()
	out, err := r.tries(script)
	require.NoError(r.t, err, "%s", script)
	return out
}

func (r reader) tries(script string) (string, error) {
	r.t.Helper()
	programs := r.t.TempDir()
	for name, program := range map[string]string{"docker": os.Getenv("DOCKER"), "waft": waft(r.t)} {
		path, err := exec.LookPath(program)
		require.NoError(r.t, err)
		require.NoError(r.t, os.Symlink(path, filepath.Join(programs, name)))
	}
	env := append([]string{"PATH=" + programs + ":" + os.Getenv("PATH")}, r.env...)
	return try(r.t.Context(), r.dir, env, "bash", "-euc", r.instead.Replace(script))
}

// unhurried plays the demo of the page with few devices, and with a bound on the time that a busy machine keeps.
const unhurried = "demo --fast --devices 600 --rate 60 --workers 8 --crash 90 --patience 4m --max-rollback 4m"
