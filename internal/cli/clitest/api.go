// Package clitest helps tests of the commands of waft.
package clitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
)

// API is a management API that returns the responses set by a test and records the calls.
type API struct {
	URL string

	mu      sync.Mutex
	answers map[string]func(body string, h http.Header) (status int, answer any)
	asked   []string
}

// New starts an API without responses.
func New(t *testing.T) *API {
	t.Helper()
	a := &API{answers: map[string]func(string, http.Header) (int, any){}}
	s := httptest.NewServer(a)
	t.Cleanup(s.Close)
	a.URL = s.URL
	return a
}

// On sets the response to "METHOD /path".
func (a *API) On(call string, answer func(body string, h http.Header) (int, any)) {
	a.answers[call] = answer
}

// ServeHTTP returns the response that the test set.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	_ = json.NewEncoder(w).Encode(record) // the command reports a broken response
}

// Calls returns the recorded calls.
func (a *API) Calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.asked...)
}

// Run runs the command with the arguments against the API and returns its output.
func (a *API) Run(t *testing.T, cmd *cobra.Command, args ...string) (string, error) {
	t.Helper()
	return a.RunWith(t, cmd, "", args...)
}

// RunWith runs the command like Run, with input on the standard input.
func (a *API) RunWith(t *testing.T, cmd *cobra.Command, input string, args ...string) (string, error) {
	t.Helper()
	cmd.SetIn(strings.NewReader(input))
	out, _, err := a.RunBoth(t, cmd, args...)
	return out, err
}

// RunBoth runs the command like Run, and also returns what it writes to the standard error.
func (a *API) RunBoth(t *testing.T, cmd *cobra.Command, args ...string) (out, messages string, err error) {
	t.Helper()
	var to, hints bytes.Buffer
	cmd.SetOut(&to)
	cmd.SetErr(&hints)
	cmd.SetArgs(append([]string{"--url", a.URL, "--project", "demo", "--api-key", "waft_12345678_x"}, args...))
	err = cmd.ExecuteContext(t.Context())
	return to.String(), hints.String(), err
}

// Page returns the line with the URL of a page of the test's project.
func (a *API) Page(page string) string {
	return strings.Replace(a.URL, "127.0.0.1", "localhost", 1) + "/app/demo/" + page + "\n"
}
