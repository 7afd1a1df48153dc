//go:build !windows

package release_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

func TestATableFitsTheTerminalAndIsWholeInAPipe(t *testing.T) {
	t.Parallel()
	notes := strings.Repeat("fewer requests at the checkout ", 10) + "for all"
	a := clitest.New(t)
	a.On("GET /updates", func(string, http.Header) (int, any) {
		return 200, []any{clitest.Release(map[string]any{"id": 1729, "releaseMessage": notes})}
	})
	for _, width := range []uint16{80, 200} {
		s := clitest.OnScreen(t, &pty.Winsize{Rows: 24, Cols: width}, nil,
			"releases", "list", "--url", a.URL, "--project", "demo", "--api-key", "waft_12345678_x")
		code, out := s.Exit()
		require.Zero(t, code, out)
		require.Contains(t, out, "1729  ")
		require.Contains(t, out, "fewer reque")
		require.Contains(t, out, "…")
		for line := range strings.Lines(out) {
			require.True(t, lipgloss.Width(strings.TrimSpace(line)) <= int(width), "%d cells: %q", width, line)
		}
	}
	out, err := a.Run(t, cli.NewCommand(), "releases", "list")
	require.NoError(t, err)
	require.Contains(t, out, notes)
}

func TestTheNameOfAProfileIsNotShortened(t *testing.T) {
	t.Parallel()
	const name = "production-of-the-shop"
	config := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(config, "waft"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(config, "waft", "profiles.json"),
		[]byte(`{"profiles":{"`+name+`":{"url":"https://ota.example.com","project":"shop"}}}`), 0o600))
	s := clitest.OnScreen(t, &pty.Winsize{Rows: 24, Cols: 40}, []string{"XDG_CONFIG_HOME=" + config}, "profiles", "list")
	code, out := s.Exit()
	require.Zero(t, code, out)
	require.Contains(t, out, name+"  ", "--profile takes only the name")
}
