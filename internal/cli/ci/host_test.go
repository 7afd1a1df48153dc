package ci

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// host has the comments of a pull request. The token's user has the ID 50.
type host struct {
	url string

	mu       sync.Mutex
	comments []map[string]any
	calls    []string
	// refuses is the status of each response, unless it is 0; protected are comments that the token may not change.
	refuses   int
	protected map[string]bool
	// anonymous says that the token has no user, as in a job of GitHub Actions.
	anonymous bool
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{protected: map[string]bool{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	h.calls = append(h.calls, r.Method+" "+id)
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body) // a GET has none
	answer := func(status int, value any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value) // the command reports a broken response
	}
	switch {
	case h.refuses != 0:
		w.WriteHeader(h.refuses)
	case id == "user" && h.anonymous, h.protected[id]:
		w.WriteHeader(http.StatusForbidden)
	case id == "user":
		answer(200, map[string]any{"id": 50})
	case r.Method == http.MethodGet:
		answer(200, h.comments)
	case r.Method == http.MethodPost:
		body["id"], body["author"] = 100+len(h.comments), map[string]any{"id": 50}
		h.comments = append(h.comments, body)
		answer(201, body)
	default:
		for _, c := range h.comments {
			if strconv.Itoa(c["id"].(int)) == id {
				c["body"] = body["body"]
				answer(200, c)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	}
}

func (h *host) gitLabJob(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{
		"GITHUB_ACTIONS": "", "GITLAB_CI": "true", "CI_API_V4_URL": h.url, "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7",
		"WAFT_GITLAB_TOKEN": "of the project",
	} {
		t.Setenv(name, value)
	}
}

func (h *host) discussion(t *testing.T, gitHub bool) *discussion {
	t.Helper()
	event := filepath.Join(t.TempDir(), "event.json")
	require.NoError(t, os.WriteFile(event, []byte(`{"pull_request": {"number": 7}}`), 0o600))
	env := map[string]string{
		"GITLAB_CI": "true", "CI_API_V4_URL": h.url, "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7", "WAFT_GITLAB_TOKEN": "t",
	}
	if gitHub {
		env = map[string]string{
			"GITHUB_ACTIONS": "true", "GITHUB_API_URL": h.url, "GITHUB_REPOSITORY": "acme/app", "GITHUB_TOKEN": "t", "GITHUB_EVENT_PATH": event,
		}
	}
	d, err := discussionOf(func(name string) string { return env[name] })
	require.NoError(t, err)
	return d
}

const marker = "<!-- waft demo staging -->"

func TestTheCommentOfAnotherAuthorIsNotChanged(t *testing.T) {
	t.Parallel()
	person := map[string]any{"id": 60, "type": "User"}
	bot, self := map[string]any{"id": 41, "type": "Bot"}, map[string]any{"id": 50, "type": "User"}
	for name, c := range map[string]struct {
		gitHub, anonymous bool
		field             string
		author            map[string]any
		protected, posts  bool
	}{
		"GitHub: of a person":                       {gitHub: true, anonymous: true, field: "user", author: person, posts: true},
		"GitHub: of a person, the token of another": {gitHub: true, field: "user", author: person, posts: true},
		"GitHub: of the token's user":               {gitHub: true, field: "user", author: self},
		"GitHub: of the job's bot":                  {gitHub: true, anonymous: true, field: "user", author: bot},
		"GitHub: of another bot":                    {gitHub: true, anonymous: true, field: "user", author: bot, protected: true, posts: true},
		"GitLab: of a person":                       {field: "author", author: person, posts: true},
		"GitLab: of the token's user":               {field: "author", author: self},
		"GitLab: of a bot":                          {field: "author", author: bot, posts: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.anonymous, h.protected["9"] = c.anonymous, c.protected
			h.comments = []map[string]any{{"id": 9, "body": marker + "\nold", c.field: c.author}}
			d := h.discussion(t, c.gitHub)
			require.NoError(t, d.put(t.Context(), marker, marker+"\nnew"))
			require.NoError(t, d.put(t.Context(), marker, marker+"\nnewer"))
			if !c.posts {
				require.Len(t, h.comments, 1)
				require.Equal(t, marker+"\nnewer", h.comments[0]["body"])
				return
			}
			require.Len(t, h.comments, 2)
			require.Equal(t, marker+"\nold", h.comments[0]["body"])
			require.Equal(t, marker+"\nnewer", h.comments[1]["body"])
			// A person deletes the comment of the job.
			h.comments = h.comments[:1]
			require.NoError(t, d.put(t.Context(), marker, marker+"\nlast"))
			require.Equal(t, marker+"\nlast", h.comments[1]["body"])
		})
	}
}
