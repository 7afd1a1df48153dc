package command

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
		"": "is empty", " \n": "is empty", "a.b": "not contain an ID token", "a.b.c.d": "not contain an ID token", "a.b. c": "not contain an ID token",
		strings.Repeat("a", maxIDToken+1): "larger than 16384 bytes",
	} {
		_, err := checkIDToken(text, "--id-token")
		require.ErrorContains(t, err, want)
	}
}

func TestAJobWithoutAnIDTokenLearnsHowToGetOne(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"GITHUB_ACTIONS": "`id-token: write`. GitHub does not issue ID tokens for pull requests from forks",
		"GITLAB_CI":      "`id_tokens`",
		"":               "`waft login`",
	} {
		err := withoutCredentials(func(name string) string {
			if name == variable {
				return "true"
			}
			return ""
		})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "WAFT_API_KEY")
	}
}
