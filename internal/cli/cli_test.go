package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// api is a management API that answers what a test put in and remembers what was
// asked.
type api struct {
	url string

	mu      sync.Mutex
	answers map[string]func(body string, h http.Header) (status int, answer any)
	asked   []string
}

func newAPI(t *testing.T) *api {
	t.Helper()
	a := &api{answers: map[string]func(string, http.Header) (int, any){}}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	a.url = s.URL
	return a
}

// on sets the answer to "METHOD /path".
func (a *api) on(call string, answer func(body string, h http.Header) (int, any)) {
	a.answers[call] = answer
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/v1/ota")
	a.mu.Lock()
	a.asked = append(a.asked, call)
	answer := a.answers[call]
	a.mu.Unlock()
	if answer == nil {
		http.Error(w, "nothing at "+call, http.StatusNotFound)
		return
	}
	status, record := answer(string(body), r.Header)
	contentType := "application/json"
	if status >= 400 {
		contentType = "application/problem+json"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if status == http.StatusNoContent {
		return
	}
	_ = json.NewEncoder(w).Encode(record) // the command reports a broken answer
}

func (a *api) calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.asked...)
}

// run runs the command line against the API and answers what it printed.
func (a *api) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return a.runWith(t, "", args...)
}

// runWith is run with something on the standard input.
func (a *api) runWith(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := NewCommand()
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SetIn(strings.NewReader(input))
	cmd.SetArgs(append([]string{"--url", a.url, "--project", "demo", "--api-key", "waft_12345678_x"}, args...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestSettingsAreChecked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		bad  string
	}{
		"no http address": {[]string{"--url", "localhost:8080", "--project", "demo", "--api-key", "x", "rollouts", "list"}, "--url"},
		"no project":      {[]string{"--url", "http://127.0.0.1:1", "--project", "", "--api-key", "x", "rollouts", "list"}, "the project is missing"},
		"no id":           {[]string{"--project", "demo", "--api-key", "x", "rollouts", "watch", "latest"}, "not the id of a rollout"},
		"unknown command": {[]string{"deploy"}, "unknown command"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := NewCommand()
			cmd.SetOut(io.Discard)
			cmd.SetArgs(c.args)
			require.ErrorContains(t, cmd.ExecuteContext(t.Context()), c.bad)
		})
	}
}

func TestTheEnvironmentGivesTheSettingsAndHelpDoesNotShowTheKey(t *testing.T) {
	t.Parallel()
	s := &settings{}
	root := NewCommand()
	root.ResetFlags()
	s.register(root, func(name string) string {
		return map[string]string{"WAFT_URL": "http://waft.example", "WAFT_PROJECT": "shop", "WAFT_API_KEY": "waft_12345678_secret"}[name]
	})
	require.NoError(t, root.PersistentPreRunE(root, nil))
	require.Equal(t, settings{url: "http://waft.example", project: "shop", key: "waft_12345678_secret"}, *s)
	require.NotContains(t, root.UsageString(), "secret")
}
