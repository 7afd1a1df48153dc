package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func event(w http.ResponseWriter, status string) {
	fmt.Fprintf(w, ": heartbeat\n\nevent: execution\nid: 1\ndata: {\"id\":21,\"status\":%q,\"percentage\":5}\n\n", status)
	_ = http.NewResponseController(w).Flush()
}

func TestAWatchGoesOnOverBrokenConnections(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		switch connections.Add(1) {
		case 1:
			w.Header().Set("Content-Type", "text/event-stream")
			event(w, "running") // and the server goes away
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			event(w, "completed")
			<-r.Context().Done() // a stream outlives the rollout
		}
	})
	var seen []models.ExecutionStatus
	err := c.WatchRollout(t.Context(), 21, func(e client.RolloutExecution) bool {
		model := e.Model()
		seen = append(seen, model.Status)
		return model.Status.Open()
	})
	require.NoError(t, err)
	require.Equal(t, []models.ExecutionStatus{models.ExecutionRunning, models.ExecutionCompleted}, seen)
	require.Equal(t, int32(3), connections.Load())
}

// transport is a server in memory.
type transport func(*http.Request) *http.Response

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r), nil }

func TestAWatchGoesOnAfterASilentConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		connections := 0
		server := transport(func(r *http.Request) *http.Response {
			connections++
			out, in := io.Pipe()
			context.AfterFunc(r.Context(), func() { in.CloseWithError(r.Context().Err()) })
			status := map[bool]string{true: "running", false: "completed"}[connections == 1]
			go func() {
				fmt.Fprintf(in, "event: execution\ndata: {\"id\":21,\"status\":%q}\n\n", status) // a closed pipe ends it
				wait, done := context.WithTimeout(r.Context(), 40*time.Second)
				defer done()
				<-wait.Done()
				fmt.Fprint(in, ": heartbeat\n\n") // the last byte
			}()
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: out, Request: r}
		})
		c, err := client.New("http://server", client.Credentials{}, func(http.RoundTripper) http.RoundTripper { return server })
		require.NoError(t, err)
		begun := time.Now()
		var lost []error
		require.NoError(t, c.FollowRollout(t.Context(), 21, func(e client.RolloutExecution) bool { return e.Model().Status.Open() },
			func(err error) { lost = append(lost, err) }))
		require.Len(t, lost, 1)
		require.EqualError(t, lost[0], "the server is silent")
		require.InDelta(t, 85, time.Since(begun).Seconds(), 1, "45 s after the heartbeat")
	})
}

func TestAWatchBehindAProxyThatHoldsEventsBackReadsTheState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		server := transport(func(r *http.Request) *http.Response {
			var body io.ReadCloser
			contentType := "text/event-stream"
			if strings.HasSuffix(r.URL.Path, "/stream") {
				out, in := io.Pipe()
				context.AfterFunc(r.Context(), func() { in.CloseWithError(r.Context().Err()) })
				body = out
			} else {
				looks++
				contentType = "application/json"
				status := map[bool]string{true: "running", false: "completed"}[looks == 1]
				body = io.NopCloser(strings.NewReader(fmt.Sprintf(`{"id":21,"status":%q}`, status)))
			}
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {contentType}}, Body: body, Request: r}
		})
		c, err := client.New("http://server", client.Credentials{}, func(http.RoundTripper) http.RoundTripper { return server })
		require.NoError(t, err)
		var seen []models.ExecutionStatus
		require.NoError(t, c.WatchRollout(t.Context(), 21, func(e client.RolloutExecution) bool {
			model := e.Model()
			seen = append(seen, model.Status)
			return model.Status.Open()
		}))
		require.Equal(t, []models.ExecutionStatus{models.ExecutionRunning, models.ExecutionCompleted}, seen)
	})
}

func TestAWatchThatIsRefusedEnds(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such rollout", http.StatusNotFound) })
	err := c.WatchRollout(t.Context(), 21, func(client.RolloutExecution) bool { return true })
	require.ErrorContains(t, err, "no such rollout")
}
