package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Changes notifies of rollouts that changed.
type Changes interface {
	// Watch returns a channel that receives after each change of the execution, until ctx is
	// done. Changes that were not received yet count as one.
	Watch(ctx context.Context, executionID int64) <-chan struct{}
}

// Times of an event stream.
const (
	// streamHeartbeat keeps proxies from closing a quiet stream.
	streamHeartbeat = 15 * time.Second
	// streamWriteTime ends a stream whose client does not read.
	streamWriteTime = 30 * time.Second
)

var streamExecutionDoc = huma.Operation{
	OperationID: "streamRolloutExecution", Tags: []string{tagExecutions}, Summary: "Follow a rollout",
	Description: "Server-sent events: an event `execution` whose data is the rollout, at once and on every change; a comment every 15 seconds. The stream goes on after the rollout ends, until the client disconnects.",
	Parameters: []*huma.Param{{
		Name: "id", In: "path", Required: true, Description: executionParam.Description, Schema: executionParam.Schema, Example: 17,
	}},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: content("text/event-stream", &huma.Schema{Type: huma.TypeString},
			"event: execution\nid: 3\ndata: {\"id\":21,\"status\":\"running\",…}\n\n: heartbeat\n\n"),
	}},
}

func (h *handlers) streamExecution(c *gin.Context) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		fail(c, models.Errorf(models.CodeNotFound, "no such record: the path's id must be a number"))
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	defer context.AfterFunc(h.Streams, cancel)()
	// Watching begins before the first read, so that no change is missed.
	changed := h.Changes.Watch(ctx, id)
	events := eventWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer)}
	e, err := h.Executions.Execution(ctx, projectOf(ctx), id)
	if err != nil {
		fail(c, err)
		return
	}
	events.begin()
	beat := time.NewTicker(h.heartbeat)
	defer beat.Stop()
	for {
		if err := events.send("execution", e.Version, executionRecord(e)); err != nil {
			return // the client disconnected
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-beat.C: // reads the rollout too, in case a notification was lost
			if err := events.comment("heartbeat"); err != nil {
				return
			}
		}
		now, err := h.Executions.Execution(ctx, projectOf(ctx), id)
		switch {
		case err == nil:
			e = now
		case models.CodeOf(err) == models.CodeUnavailable:
			h.Log.WarnContext(ctx, "an event stream waits for the store", "execution", id, "error", err)
		default:
			return
		}
	}
}

// eventWriter writes server-sent events, except those that are equal to the one before.
type eventWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	last    []byte
}

func (w *eventWriter) begin() {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	w.WriteHeader(http.StatusOK)
}

func (w *eventWriter) send(event string, id int64, record any) error {
	data, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if bytes.Equal(data, w.last) {
		return nil
	}
	w.last = data
	return w.write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", event, id, data))
}

func (w *eventWriter) comment(text string) error { return w.write(": " + text + "\n\n") }

func (w *eventWriter) write(text string) error {
	_ = w.control.SetWriteDeadline(time.Now().Add(streamWriteTime)) // not every connection has deadlines
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	return w.control.Flush()
}
