package account_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

// Only its owner can read the session file. The session is sent only to its server. Commands for people use it even
// if there is a key.
func TestLogin(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+"|"+r.Header.Get("Cookie"))
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/auth/login":
			body, _ := io.ReadAll(r.Body)
			if string(body) != `{"email":"jo@example.com","password":"correct horse"}` {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"code": "unauthenticated", "detail": "the password is wrong"}`)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "waft_session", Value: "token", HttpOnly: true})
			_ = json.NewEncoder(w).Encode(map[string]any{"user": map[string]any{}})
		case "/v1/auth/logout":
			w.WriteHeader(http.StatusNoContent)
		default:
			_ = json.NewEncoder(w).Encode(clitest.Approval(nil))
		}
	}))
	t.Cleanup(server.Close)
	run := func(input string, args ...string) error {
		cmd := cli.NewCommand()
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		cmd.SetIn(strings.NewReader(input))
		cmd.SetArgs(append([]string{"--url", server.URL, "--project", "demo"}, args...))
		return cmd.ExecuteContext(t.Context())
	}
	wrong := run("wrong\n", "login", "--email", "jo@example.com")
	require.Equal(t, 5, cli.ExitCode(wrong))
	require.Contains(t, cli.Message(wrong), "the password is wrong")
	require.NotContains(t, cli.Message(wrong), "another key")
	files, err := filepath.Glob(filepath.Join(config, "waft", "*"))
	require.NoError(t, err)
	require.Empty(t, files)
	require.NoError(t, run("correct horse\n", "login", "--email", "jo@example.com"))
	files, err = filepath.Glob(filepath.Join(config, "waft", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	seen = nil
	require.NoError(t, run("", "approvals", "show", "61"))
	require.NoError(t, run("", "--api-key", "waft_12345678_x", "approvals", "show", "61"))
	require.NoError(t, run("", "--api-key", "waft_12345678_x", "approvals", "approve", "61"))
	require.NoError(t, run("", "logout"))
	require.Error(t, run("", "approvals", "show", "61"), "there is neither a key nor a session")
	require.Equal(t, []string{
		"GET /v1/ota/approvals/61 |waft_session=token",
		"GET /v1/ota/approvals/61 Bearer waft_12345678_x|",
		"POST /v1/ota/approvals/61/approve |waft_session=token",
		"POST /v1/auth/logout |waft_session=token",
	}, seen)
	files, err = filepath.Glob(filepath.Join(config, "waft", "*"))
	require.NoError(t, err)
	require.Empty(t, files)
	var out bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"login", "--help"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	require.NotContains(t, out.String(), "--password")
}
