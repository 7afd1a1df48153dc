package cli

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// cannedAPI returns the responses of a golden case and records the calls.
type cannedAPI struct {
	mu        sync.Mutex
	responses map[string][]cannedResponse
	calls     []string
}

type cannedResponse struct {
	status int
	media  string
	body   []byte
}

// newCannedAPI reads the responses of a case. change changes the body of each.
func newCannedAPI(t *testing.T, c goldenCase, change func(*testing.T, []byte) []byte) *cannedAPI {
	t.Helper()
	a := &cannedAPI{responses: map[string][]cannedResponse{}}
	for _, f := range c.archive.Files {
		words := strings.Fields(f.Name)
		if len(words) < 2 || !strings.HasPrefix(words[1], "/") {
			continue
		}
		r := cannedResponse{status: http.StatusOK, body: f.Data}
		for _, more := range words[2:] {
			if status, err := strconv.Atoi(more); err == nil {
				r.status = status
			} else {
				r.media = more
			}
		}
		if r.media == "" {
			r.body = change(t, f.Data)
			r.media = "application/json"
			if r.status >= http.StatusBadRequest {
				r.media = "application/problem+json"
			}
		}
		call := words[0] + " " + words[1]
		a.responses[call] = append(a.responses[call], r)
	}
	return a
}

// ServeHTTP returns the next response to a call. Without one it returns 404 as another server would.
func (a *cannedAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/v1/ota")
	call := r.Method + " " + path
	line := call
	if r.URL.RawQuery != "" {
		line += "?" + r.URL.RawQuery
	}
	if len(body) > 0 {
		line += " " + string(bytes.TrimSpace(body))
	}
	a.mu.Lock()
	a.calls = append(a.calls, line)
	responses := a.responses[call]
	if len(responses) > 1 {
		a.responses[call] = responses[1:]
	}
	a.mu.Unlock()
	if len(responses) == 0 {
		http.Error(w, "the golden case has no response to "+call, http.StatusNotFound)
		return
	}
	next := responses[0]
	w.Header().Set("Content-Type", next.media)
	w.WriteHeader(next.status)
	if next.status != http.StatusNoContent {
		_, _ = w.Write(next.body) // the command reports a broken response
	}
}
