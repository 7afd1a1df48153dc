package account_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
)

// terminalServer responds to `waft login`. The polls get its responses in order, and the last one again and again.
func terminalServer(t *testing.T, polls ...func(http.ResponseWriter)) *httptest.Server {
	t.Helper()
	var polled atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/auth/terminal-logins":
			name, _ := os.Hostname()
			if !strings.Contains(string(body), name) {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"secret":"s.t","code":"WDJB-MJHT\u001b]0;x","url":"https://ota.example.com/app/terminal#WDJB-MJHT",`+
				`"intervalSeconds":0,"expiresAt":"2026-03-14T09:41:00.000Z"}`)
		case "/v1/auth/terminal-session":
			if string(body) != `{"secret":"s.t"}` {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			polls[min(int(polled.Add(1)), len(polls))-1](w)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func saying(status int, text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		if status >= http.StatusBadRequest {
			w.Header().Set("Content-Type", "application/problem+json")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func confirmed(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: "waft_session", Value: "token", HttpOnly: true})
	saying(http.StatusOK, `{"state":"confirmed","user":{"id":3,"email":"jo@example.com","name":"Jo","isOwner":false}}`)(w)
}

type ran struct {
	exit           int
	stdout, stderr string
}

// waft runs a command of waft, and returns what it prints.
func waft(t *testing.T, input string, args ...string) ran {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := cli.NewCommand()
	cmd.SetIn(strings.NewReader(input))
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	exit := cli.Run(t.Context(), cmd, args, &stderr)
	return ran{exit, stdout.String(), stderr.String()}
}

// The terminal shows the page and the code, waits for the person even while the server is unavailable, and saves the
// session for its server.
func TestLoginInTheBrowser(t *testing.T) { // not parallel: it sets variables
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	server := terminalServer(t, saying(200, `{"state":"pending"}`),
		saying(503, `{"code":"unavailable","detail":"Postgres is unavailable"}`), confirmed)
	got := waft(t, "", "--url", server.URL, "login", "--json")
	require.Zero(t, got.exit, got.stderr)
	require.JSONEq(t, `{"server":"`+server.URL+`","email":"jo@example.com"}`, got.stdout)
	require.Contains(t, got.stderr, "https://ota.example.com/app/terminal#WDJB-MJHT\n")
	require.Contains(t, got.stderr, "WDJB-MJHT")
	require.NotContains(t, got.stderr, "\x1b")
	files, err := filepath.Glob(filepath.Join(config, "waft", "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	saved, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(saved), "waft_session=token")
	require.Zero(t, waft(t, "", "--url", server.URL, "logout").exit)
	require.NoFileExists(t, files[0])
}

func TestLoginsInTheBrowserThatFail(t *testing.T) { // not parallel: it sets variables
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for says, poll := range map[string]func(http.ResponseWriter){
		"the sign-in was refused in the browser": saying(403,
			`{"code":"forbidden","detail":"the sign-in was refused in the browser"}`),
		"the code was not confirmed within ten minutes; run": saying(401, `{"code":"unauthenticated","detail":"over"}`),
	} {
		got := waft(t, "", "--url", terminalServer(t, poll).URL, "login")
		require.Equal(t, 5, got.exit, got.stderr)
		require.Contains(t, got.stderr, says)
		require.NotContains(t, got.stderr, "waft keys create")
	}
	require.Equal(t, 2, waft(t, "", "login", "--email", "").exit)
}

// The response with the session gets lost: the whole response, or its end. The terminal asks again.
func TestALostSession(t *testing.T) { // not parallel: it sets variables
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	lost := func(w http.ResponseWriter) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = connection.Close()
		}
	}
	cut := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		confirmed(w)
	}
	got := waft(t, "", "--url", terminalServer(t, lost, cut, confirmed).URL, "login")
	require.Zero(t, got.exit, got.stderr)
	require.Contains(t, got.stdout, "signed in to")
}

// A sign-in ends the session that it replaces on this machine, with and without a profile.
func TestALoginEndsTheSessionItReplaces(t *testing.T) { // not parallel: it sets variables
	own(t)
	var ended []string
	given := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/auth/login":
			given++
			http.SetCookie(w, &http.Cookie{Name: "waft_session", Value: strconv.Itoa(given), HttpOnly: true})
			_, _ = io.WriteString(w, `{"user":{}}`)
		case "/v1/auth/logout":
			ended = append(ended, r.Header.Get("Cookie"))
			saying(http.StatusServiceUnavailable, `{"code":"unavailable"}`)(w)
		}
	}))
	t.Cleanup(server.Close)
	login := func(args ...string) {
		got := waft(t, "correct horse\n", append([]string{"login", "--email", "jo@example.com", "--url", server.URL}, args...)...)
		require.Zero(t, got.exit, got.stderr)
		require.Empty(t, got.stderr)
	}
	login()
	login("--profile", "prod")
	require.Empty(t, ended)
	login()
	require.Equal(t, []string{"waft_session=1"}, ended)
	login("--profile", "prod")
	require.Equal(t, []string{"waft_session=1", "waft_session=2"}, ended)
	signedOut := waft(t, "", "logout", "--url", server.URL)
	require.Equal(t, 7, signedOut.exit, signedOut.stderr)
	require.Contains(t, signedOut.stderr, "end it in the dashboard, in Settings, Sessions")
}
