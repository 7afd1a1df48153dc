package api

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// following is a stream of one rollout, read over a real connection.
type following struct {
	t *testing.T
	// changed wakes the stream.
	changed chan struct{}
	// failed receives when a look at the store failed.
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

// RolloutExecutionProbe is as much of the record as the tests read.
type RolloutExecutionProbe struct{ Percentage float64 }

func TestAStreamSendsTheRolloutAtOnceAndOnEveryChange(t *testing.T) {
	t.Parallel()
	f := follow(t, time.Hour)
	require.Equal(t, "text/event-stream", f.answer.Header.Get("Content-Type"))
	event, _ := f.next()
	require.Equal(t, 5.0, f.percentage(event))
	require.Equal(t, "1", event["id"])

	f.changed <- struct{}{} // nothing is different, so nothing is sent
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
