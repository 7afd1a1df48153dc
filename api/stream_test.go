package api

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/models"
)

// following is a stream of one rollout, read over a real connection.
type following struct {
	t *testing.T
	// changed wakes the stream.
	changed chan struct{}
	// failed receives a value when a read from the store has failed.
	failed chan struct{}
	lines  *bufio.Scanner
	answer *http.Response
	end    context.CancelFunc

	mu    sync.Mutex
	state models.RolloutExecution
	err   error
}

func follow(t *testing.T, heartbeat time.Duration) *following {
	t.Helper()
	f := &following{t: t, changed: make(chan struct{}, 1), failed: make(chan struct{}, 10)}
	f.state = models.RolloutExecution{ID: 21, Status: models.ExecutionRunning, Version: 1, Percentage: 5}
	executions := &fakeExecutions{
		execution: func(int64) (models.RolloutExecution, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.err != nil {
				f.failed <- struct{}{}
			}
			return f.state, f.err
		},
	}
	changes := &fakeChanges{
		watch: func(_ context.Context, id int64) <-chan struct{} {
			require.Equal(t, int64(21), id)
			return f.changed
		},
	}
	ending, end := context.WithCancel(t.Context())
	w := newTestAPI(t, func(d *parts) {
		d.Executions, d.Changes, d.Streams, d.Heartbeat = executions, changes, ending, heartbeat
	})
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+w.keys[models.RoleViewer])
		r.Header.Set("X-Project", demo.Slug)
		w.handler.ServeHTTP(answer, r)
	}))
	t.Cleanup(server.Close)
	f.end = end
	t.Cleanup(end) // before the server waits for its connections
	answer, err := server.Client().Get(server.URL + "/v1/ota/rollout-executions/21/stream")
	require.NoError(t, err)
	t.Cleanup(func() { answer.Body.Close() })
	f.answer, f.lines = answer, bufio.NewScanner(answer.Body)
	return f
}

// change writes a new state and wakes the stream.
func (f *following) change(change func(*models.RolloutExecution)) {
	f.mu.Lock()
	change(&f.state)
	f.mu.Unlock()
	f.changed <- struct{}{}
}

// next reads up to the blank line that ends an event or comment.
func (f *following) next() (fields map[string]string, comment string) {
	f.t.Helper()
	fields = map[string]string{}
	for f.lines.Scan() {
		line := f.lines.Text()
		if line == "" {
			return fields, comment
		}
		name, value, _ := strings.Cut(line, ": ")
		if name == "" {
			comment = value
		} else {
			fields[name] = value
		}
	}
	require.NoError(f.t, f.lines.Err())
	return nil, ""
}

func (f *following) percentage(event map[string]string) float64 {
	f.t.Helper()
	require.Equal(f.t, "execution", event["event"])
	var record RolloutExecutionProbe
	require.NoError(f.t, json.Unmarshal([]byte(event["data"]), &record))
	return record.Percentage
}

// RolloutExecutionProbe is the part of the record that the tests read.
type RolloutExecutionProbe struct{ Percentage float64 }

func TestAStreamSendsTheRolloutAtOnceAndOnEveryChange(t *testing.T) {
	t.Parallel()
	f := follow(t, time.Hour)
	require.Equal(t, "text/event-stream", f.answer.Header.Get("Content-Type"))
	event, _ := f.next()
	require.Equal(t, 5.0, f.percentage(event))
	require.Equal(t, "1", event["id"])

	f.changed <- struct{}{} // the state is the same, so no event is sent
	f.change(func(e *models.RolloutExecution) { e.Percentage, e.Version = 50, 2 })
	event, _ = f.next()
	require.Equal(t, 50.0, f.percentage(event))
	require.Equal(t, "2", event["id"])

	f.change(func(e *models.RolloutExecution) {
		e.Percentage, e.Version, e.Status = 100, 3, models.ExecutionCompleted
	})
	event, _ = f.next()
	require.Equal(t, 100.0, f.percentage(event))
	f.end()
	event, _ = f.next()
	require.Nil(t, event, "the stream ends with the server")
}

func TestAQuietStreamBeatsAndFindsChangesThatNobodyAnnounced(t *testing.T) {
	t.Parallel()
	f := follow(t, time.Millisecond)
	event, _ := f.next()
	require.Equal(t, 5.0, f.percentage(event))
	event, comment := f.next()
	require.Empty(t, event)
	require.Equal(t, "heartbeat", comment)
	f.mu.Lock()
	f.state.Percentage = 50
	f.mu.Unlock()
	for len(event) == 0 {
		event, _ = f.next()
		require.NotNil(t, event)
	}
	require.Equal(t, 50.0, f.percentage(event))
}

func TestAStreamOutlastsAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	f := follow(t, time.Hour)
	event, _ := f.next()
	require.Equal(t, 5.0, f.percentage(event))
	f.mu.Lock()
	f.err = models.Unavailable("Postgres", context.DeadlineExceeded)
	f.mu.Unlock()
	f.changed <- struct{}{}
	<-f.failed
	f.mu.Lock()
	f.err = nil
	f.mu.Unlock()
	f.change(func(e *models.RolloutExecution) { e.Percentage = 50 })
	event, _ = f.next()
	require.Equal(t, 50.0, f.percentage(event))

	f.mu.Lock()
	f.err = models.Errorf(models.CodeNotFound, "gone")
	f.mu.Unlock()
	f.changed <- struct{}{}
	event, _ = f.next()
	require.Nil(t, event, "a rollout that is gone ends its stream")
}

func TestAStreamOfNoRolloutIsNotFound(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.execution = func(int64) (models.RolloutExecution, error) {
		return models.RolloutExecution{}, models.Errorf(models.CodeNotFound, "no rollout 21")
	}
	w.problem(w.do(request{method: get, path: "/v1/ota/rollout-executions/21/stream"}), 404, models.CodeNotFound)
}

// streaming is an API on a real connection, whose streams have a fast heartbeat.
type streaming struct {
	*testAPI
	server *httptest.Server
	// path is the path of the stream.
	path string
}

// executionStreamPath is the path of the stream that newStreaming opens.
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

// Open opens a stream with the key from an address, "" for this machine. The stream ends when end is called, or with
// the test.
func (s *streaming) Open(key, from string) (answer *http.Response, end func()) {
	s.t.Helper()
	return s.openWith("Authorization", "Bearer "+key, from)
}

// openWith opens a stream like Open, with another header than a key's.
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

// beats reads heartbeats until there are enough or the stream ends.
func beats(answer *http.Response, enough int) (seen int) {
	for lines := bufio.NewScanner(answer.Body); seen < enough && lines.Scan(); {
		if lines.Text() == ": heartbeat" {
			seen++
		}
	}
	return seen
}

// A stream must end once its key may no longer read.
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
				require.Equal(t, 5, beats(answer, 5), "streams continue while the store is unavailable")
				ended.Store(true)
				away.Store(false)
				require.Less(t, beats(answer, 1_000_000), 1_000_000)
				again, _ := s.Open(key, "")
				require.Contains(t, []int{401, 403}, again.StatusCode)
			})
		}
	}
}

// A stream must end with its session.
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

// A tab in the background has a stream. Neither the stream nor its heartbeats extend the session.
func TestAStreamDoesNotExtendItsSession(t *testing.T) {
	t.Parallel()
	s := newStreaming(t, func(d *parts) { d.Now = func() time.Time { return now.Add(time.Hour) } })
	answer, _ := s.openWith("Cookie", access.PlainCookie+"="+s.signedIn[models.RoleViewer], "")
	require.Equal(t, 200, answer.StatusCode)
	require.Equal(t, 5, beats(answer, 5))
	require.Empty(t, s.store.people.touchedSessions)
}
