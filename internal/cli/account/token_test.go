package account_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
	"github.com/waft-ota/waft/internal/cli/command"
)

func TestFilesWithoutAnIDToken(t *testing.T) {
	t.Parallel()
	a := clitest.New(t)
	_, err := a.RunWith(t, cli.NewCommand(), strings.Repeat("a", 1<<20), "token", "--id-token", "-")
	require.ErrorContains(t, err, "larger than")
	_, err = a.Run(t, cli.NewCommand(), "token", "--id-token", t.TempDir()+"/none")
	require.Error(t, err)
	_, err = a.Run(t, cli.NewCommand(), "token", "--id-token", "")
	require.ErrorContains(t, err, "--id-token is empty")
	require.Empty(t, a.Calls())
}

// Commands in a job without a key exchange the job's ID token for a key themselves.
func TestCommandsExchangeIDTokensByThemselves(t *testing.T) { // not parallel: it sets variables
	t.Setenv("WAFT_API_KEY", "")
	t.Setenv(command.VarIDToken, "a.b.c")
	a := clitest.New(t)
	a.On("POST /v1/auth/token", func(body string, h http.Header) (int, any) {
		if !strings.Contains(body, `"a.b.c"`) || h.Get("Authorization") != "" {
			return http.StatusBadRequest, nil
		}
		return 201, map[string]any{"key": "waft_12345678_short", "expiresAt": "2026-03-14T09:41:00.000Z", "role": "editor", "channels": nil}
	})
	var sent string
	a.On("GET /channels", func(_ string, h http.Header) (int, any) { sent = h.Get("Authorization"); return 200, []any{} })
	cmd := cli.NewCommand()
	cmd.SetArgs([]string{"--url", a.URL, "--project", "demo", "channels", "list"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	require.Equal(t, "Bearer waft_12345678_short", sent)
}
