package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/models"
)

// TestExitCodes runs commands that fail against a real server. Each has the exit code that docs/reference/cli.md lists, and with
// --json an error with a code and a message.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	revoked := p.create("/v1/ota/api-keys", object{"name": "gone", "role": "admin"})
	p.do(request{method: http.MethodDelete, path: path("/v1/ota/api-keys/%d", revoked.id("id"))}).requireStatus(http.StatusNoContent)
	for name, c := range map[string]struct {
		key  string
		args []string
		exit int
		code string
		says string
	}{
		"a wrong flag":           {p.keys[models.RoleAdmin], []string{"channels", "list", "--limt"}, 2, "usage", "unknown flag: --limt"},
		"an unknown command":     {p.keys[models.RoleAdmin], []string{"chanels"}, 2, "usage", "similar: channels"},
		"an unknown channel":     {p.keys[models.RoleAdmin], []string{"channels", "edit", "beta", "--paused"}, 6, "not_found", `"beta"`},
		"an unknown release":     {p.keys[models.RoleAdmin], []string{"releases", "show", "999"}, 6, "not_found", "999"},
		"an unknown policy":      {p.keys[models.RoleAdmin], []string{"policies", "show", "swift"}, 6, "not_found", "waft policies list"},
		"a key with one letter":  {"waft_12345678_x", []string{"channels", "list"}, 5, "unauthenticated", "waft keys create"},
		"a revoked key":          {revoked["key"].(string), []string{"channels", "list"}, 5, "unauthenticated", "waft keys create"},
		"a viewer's key":         {p.keys[models.RoleViewer], []string{"channels", "create", "beta"}, 5, "forbidden", "editor"},
		"an invalid name":        {p.keys[models.RoleAdmin], []string{"channels", "create", "a/b c"}, 1, "invalid_request", "name"},
		"an unconfirmed removal": {p.keys[models.RoleAdmin], []string{"channels", "delete", "production"}, 2, "usage", "--yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--url", p.url, "--project", p.slug, "--api-key", c.key}, c.args...)
			code, text := runForError(t, args)
			require.Equal(t, c.exit, code, text)
			require.Contains(t, text, c.says)

			code, text = runForError(t, append(args, "--json"))
			require.Equal(t, c.exit, code)
			var record struct {
				Error struct {
					Code, Message string
					ExitCode      int
				}
			}
			require.NoError(t, json.Unmarshal([]byte(text), &record), text)
			require.Equal(t, c.code, record.Error.Code)
			require.Equal(t, c.exit, record.Error.ExitCode)
			require.Contains(t, record.Error.Message, c.says)
		})
	}
}

// runForError runs a command that prints nothing but its error.
func runForError(t *testing.T, args []string) (code int, text string) {
	t.Helper()
	var errOut bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	code = cli.Run(t.Context(), cmd, args, &errOut)
	return code, errOut.String()
}
