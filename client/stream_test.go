package client_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

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

func TestAWatchThatIsRefusedEnds(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such rollout", http.StatusNotFound) })
	err := c.WatchRollout(t.Context(), 21, func(client.RolloutExecution) bool { return true })
	require.ErrorContains(t, err, "no such rollout")
}
