package cli

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
)

func approvalObject(more map[string]any) map[string]any {
	a := map[string]any{
		"id": 61, "status": "pending", "action": "update.publish", "summary": "publish build 12 to channel \"production\"",
		"channels": []string{"production"}, "requestedBy": map[string]any{"type": "api_key", "id": "2", "name": "ci"},
		"approvals": []any{}, "rejection": nil, "requiredApprovals": 1, "error": nil, "workflowId": "approval/demo/61", "requestId": "r",
		"method": "POST", "path": "/v1/ota/builds/12/publish", "createdAt": "2026-03-14T09:26:53.589Z", "expiresAt": "2026-03-17T09:26:53.589Z",
		"endedAt": nil, "body": map[string]any{"channel": "production"},
	}
	for name, value := range more {
		a[name] = value
	}
	return a
}

func TestApprovalCommands(t *testing.T) {
	t.Parallel()
	approved := approvalObject(map[string]any{"status": "carried_out", "approvals": []any{map[string]any{
		"by": map[string]any{"type": "user", "id": "3", "name": "jo@example.com"}, "comment": "fine", "at": "2026-03-14T10:00:00.000Z",
	}}})
	head := "publish build 12 to channel \"production\"\n" +
		"asked by ci at 2026-03-14 09:26:53Z, on production; expires 2026-03-17 09:26:53Z\n"
	testCommands(t, map[string]commandCase{
		"approvals list": {
			[]string{"approvals", "list"}, "", "GET /approvals", "", 0, []any{approvalObject(nil)},
			"ID  STATUS   BY  APPROVALS  EXPIRES               CALL\n" +
				"61  pending  ci  0 of 1     2026-03-17 09:26:53Z  publish build 12 to channel \"production\"\n",
		},
		"approvals show": {
			[]string{"approvals", "show", "61"}, "", "GET /approvals/61", "", 0, approvalObject(nil),
			"approval 61: pending, 0 of 1 approvals\n" + head,
		},
		"approvals approve": {
			[]string{"approvals", "approve", "61", "--comment", "fine"}, "", "POST /approvals/61/approve", `{"comment":"fine"}`, 0, approved,
			"approval 61: carried out, 1 of 1 approvals\n" + head + "approved by jo@example.com at 2026-03-14 10:00:00Z: fine\n",
		},
		"approvals reject": {
			[]string{"approvals", "reject", "61"}, "", "POST /approvals/61/reject", `{}`, 0, approvalObject(map[string]any{"status": "rejected"}),
			"approval 61: rejected, 0 of 1 approvals\n" + head,
		},
	})
}

func TestACallThatWaitsForApproval(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.on("PATCH /updates/29", func(string, http.Header) (int, any) { return 202, map[string]any{"approval": approvalObject(nil)} })
	out, err := a.run(t, "releases", "edit", "29", "--percentage", "50")
	require.Empty(t, out)
	require.Equal(t, 4, ExitCode(err))
	require.Equal(t, "nothing has changed yet: approval 61 waits until another person has approved it, at the latest 2026-03-17 09:26 UTC: "+
		"publish build 12 to channel \"production\"\n"+
		"`waft approvals show 61` shows it, and somebody else approves it by `waft approvals approve 61`\n"+
		strings.TrimSuffix(a.page("approvals/61"), "\n"), Message(err))
}

// The session is kept for its owner alone, sent to its server alone, and by commands for people
// also when there is a key.
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
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "waft_session", Value: "token", HttpOnly: true})
			_ = json.NewEncoder(w).Encode(map[string]any{"user": map[string]any{}})
		case "/v1/auth/logout":
			w.WriteHeader(http.StatusNoContent)
		default:
			_ = json.NewEncoder(w).Encode(approvalObject(nil))
		}
	}))
	t.Cleanup(server.Close)
	run := func(input string, args ...string) error {
		cmd := NewCommand()
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		cmd.SetIn(strings.NewReader(input))
		cmd.SetArgs(append([]string{"--url", server.URL, "--project", "demo"}, args...))
		return cmd.ExecuteContext(t.Context())
	}
	require.Error(t, run("wrong\n", "login", "--email", "jo@example.com"))
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
	cmd := NewCommand()
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"login", "--help"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	require.NotContains(t, out.String(), "--password")
}
