package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIDTokensOfGitHubActions(t *testing.T) {
	t.Parallel()
	answer := func(w http.ResponseWriter) { fmt.Fprint(w, `{"count": 20, "value": "a.b.c"}`) }
	runner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer secret" || r.URL.Query().Get("api-version") != "2.0":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Query().Get("audience") == "large":
			fmt.Fprintf(w, `{"value": "a.b.%s"}`, strings.Repeat("c", 1<<20))
		case r.URL.Query().Get("audience") == "none":
			fmt.Fprint(w, `{}`)
		case r.URL.Query().Get("audience") == "https://ota.example.com":
			answer(w)
		}
	}))
	t.Cleanup(runner.Close)
	address := runner.URL + "/token?api-version=2.0"
	token, err := requestIDToken(t.Context(), address, "secret", "https://ota.example.com")
	require.NoError(t, err)
	require.Equal(t, "a.b.c", token)
	for _, c := range []struct{ address, bearer, audience string }{
		{address, "wrong", "https://ota.example.com"}, {address, "secret", "large"}, {address, "secret", "none"}, {address, "secret", "nothing"},
		{"http://127.0.0.1:1/token?sig=s3cr3t", "secret", "x"}, {"://", "secret", "x"},
	} {
		_, err := requestIDToken(t.Context(), c.address, c.bearer, c.audience)
		require.Error(t, err, "%v", c)
		require.NotContains(t, err.Error(), "s3cr3t")
		require.NotContains(t, err.Error(), "Bearer")
	}
}

func TestTextsThatAreNoIDTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "is empty", " \n": "is empty", "a.b": "no id token", "a.b.c.d": "no id token", "a.b. c": "no id token",
		strings.Repeat("a", maxIDToken+1): "more than 16384 bytes",
	} {
		_, err := checkIDToken(text, "--id-token")
		require.ErrorContains(t, err, want)
	}
	a := newAPI(t)
	_, err := a.runWith(t, strings.Repeat("a", 1<<20), "token", "--id-token", "-")
	require.ErrorContains(t, err, "more than")
	_, err = a.run(t, "token", "--id-token", t.TempDir()+"/none")
	require.Error(t, err)
	_, err = a.run(t, "token", "--id-token", "")
	require.ErrorContains(t, err, "--id-token is empty")
	require.Empty(t, a.asked)
}

// A job without a key gets one for its id token by itself.
func TestCommandsExchangeIDTokensByThemselves(t *testing.T) { // not parallel: it sets variables
	t.Setenv("WAFT_API_KEY", "")
	t.Setenv(varIDToken, "a.b.c")
	a := newAPI(t)
	a.on("POST /v1/auth/token", func(body string, h http.Header) (int, any) {
		if !strings.Contains(body, `"a.b.c"`) || h.Get("Authorization") != "" {
			return http.StatusBadRequest, nil
		}
		return 201, map[string]any{"key": "waft_12345678_short", "expiresAt": "2026-03-14T09:41:00.000Z", "role": "editor", "channels": nil}
	})
	var sent string
	a.on("GET /channels", func(_ string, h http.Header) (int, any) { sent = h.Get("Authorization"); return 200, []any{} })
	cmd := NewCommand()
	cmd.SetArgs([]string{"--url", a.url, "--project", "demo", "channels", "list"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	require.Equal(t, "Bearer waft_12345678_short", sent)
}
