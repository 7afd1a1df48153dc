package api

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/models"
)

// streaming is an API on a real connection, whose streams have a fast heart.
type streaming struct {
	*testAPI
	server *httptest.Server
	// path is that of the stream.
	path string
}

// executionStreamPath is the path of the stream that newStreaming asks for.
const executionStreamPath = "/v1/ota/rollout-executions/21/stream"

func newStreaming(t *testing.T, change func(*parts)) *streaming {
	t.Helper()
	w := newTestAPI(t, func(d *parts) { d.TrustedProxies, d.Heartbeat = []string{"127.0.0.1", "::1"}, time.Millisecond }, change)
	w.store.execution = func(int64) (models.RolloutExecution, error) {
		return models.RolloutExecution{ID: 21, Status: models.ExecutionRunning, Version: 1}, nil
	}
	w.store.watch = func(context.Context, int64) <-chan struct{} { return nil }
	w.store.follow = nothingChanges
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	return &streaming{w, server, executionStreamPath}
}

// Open asks for a stream with the key from an address, "" for this machine. It ends when end is called, or the test.
func (s *streaming) Open(key, from string) (answer *http.Response, end func()) {
	s.t.Helper()
	return s.openWith("Authorization", "Bearer "+key, from)
}

// openWith is open with another header than that of a key.
func (s *streaming) openWith(header, value, from string) (answer *http.Response, end func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, get, s.server.URL+s.path, http.NoBody)
	require.NoError(s.t, err)
	r.Header.Set(header, value)
	r.Header.Set("X-Project", demo.Slug)
	if from != "" {
		r.Header.Set("X-Forwarded-For", from)
	}
	answer, err = s.server.Client().Do(r)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { answer.Body.Close() })
	return answer, cancel
}

// beats reads heartbeats until there were enough or the stream ends.
func beats(answer *http.Response, enough int) (seen int) {
	for lines := bufio.NewScanner(answer.Body); seen < enough && lines.Scan(); {
		if lines.Text() == ": heartbeat" {
			seen++
		}
	}
	return seen
}

// A key that may no longer read must not go on listening.
func TestAStreamEndsWithItsKey(t *testing.T) {
	t.Parallel()
	later := now.Add(time.Hour)
	for name, end := range map[string]func(*models.APIKey){
		"revoked": func(k *models.APIKey) { k.RevokedAt = &now },
		"expired": func(k *models.APIKey) { k.ExpiresAt = &now },
		"moved":   func(k *models.APIKey) { k.ProjectID = other.ID },
	} {
		for _, path := range []string{executionStreamPath, "/v1/ota/stream"} {
			t.Run(name+" "+path, func(t *testing.T) {
				t.Parallel()
				s := newStreaming(t, func(*parts) {})
				s.path = path
				key := s.addKey(models.APIKey{ID: 301, ProjectID: demo.ID, Role: models.RoleViewer, ExpiresAt: &later})
				token, _ := models.ParseAPIKeyToken(key)
				var ended, away atomic.Bool
				s.store.findKey = func(string) (models.APIKey, error) {
					k := s.store.keys[token.Prefix]
					if ended.Load() {
						end(&k)
					}
					if away.Load() {
						return k, models.Unavailable("Postgres", context.DeadlineExceeded)
					}
					return k, nil
				}
				answer, _ := s.Open(key, "")
				require.Equal(t, 200, answer.StatusCode)
				require.Equal(t, 5, beats(answer, 5))
				away.Store(true)
				require.Equal(t, 5, beats(answer, 5), "a store that is away ends no stream")
				ended.Store(true)
				away.Store(false)
				require.Less(t, beats(answer, 1_000_000), 1_000_000)
				again, _ := s.Open(key, "")
				require.Contains(t, []int{401, 403}, again.StatusCode)
			})
		}
	}
}

// A session that has ended must not go on listening.
func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	s := newStreaming(t, func(d *parts) { d.Now = func() time.Time { return now.Add(time.Duration(passed.Load())) } })
	answer, _ := s.openWith("Cookie", access.PlainCookie+"="+s.signedIn[models.RoleViewer], "")
	require.Equal(t, 200, answer.StatusCode)
	require.Equal(t, 5, beats(answer, 5))
	passed.Store(int64(15 * 24 * time.Hour))
	require.Less(t, beats(answer, 1_000_000), 1_000_000)
}

func TestOpenStreamsAreBound(t *testing.T) {
	t.Parallel()
	s := newStreaming(t, func(d *parts) { d.MaxStreams = 2 })
	viewer, editor := s.keys[models.RoleViewer], s.keys[models.RoleEditor]
	require.Equal(t, "text/event-stream", func() string { a, _ := s.Open(viewer, "198.51.100.1"); return a.Header.Get("Content-Type") }())
	second, end := s.Open(viewer, "203.0.113.1")
	require.Equal(t, 200, second.StatusCode)
	refused := func(key, from, whose string) {
		t.Helper()
		answer, _ := s.Open(key, from)
		require.Equal(t, 429, answer.StatusCode)
		require.NotEmpty(t, answer.Header.Get("Retry-After"))
		text := make([]byte, 1000)
		n, _ := answer.Body.Read(text)
		require.Contains(t, string(text[:n]), "this "+whose)
		require.Contains(t, string(text[:n]), "WAFT_MAX_STREAMS")
	}
	refused(viewer, "192.0.2.1", "key")
	third, _ := s.Open(editor, "198.51.100.2")
	require.Equal(t, 200, third.StatusCode)
	refused(editor, "198.51.100.3", "network")
	require.Contains(t, s.metrics(), "waft_event_streams 3\n")
	require.Contains(t, s.metrics(), `waft_rate_limited_total{limit="streams_key"} 1`)
	require.Contains(t, s.metrics(), `waft_rate_limited_total{limit="streams_network"} 1`)

	end()
	require.Eventually(t, func() bool {
		answer, _ := s.Open(viewer, "203.0.113.2")
		return answer.StatusCode == http.StatusOK
	}, 2*time.Minute, time.Millisecond, "a stream that ends gives its place back")
	for range 5 {
		answer, _ := s.Open(viewer, "")
		require.Equal(t, 200, answer.StatusCode, "programs on this machine are not counted")
	}
}
