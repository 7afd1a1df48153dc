package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Changes tells of rollouts that changed.
type Changes interface {
	// Watch returns a channel that receives after each change of the execution,
	// until ctx ends; changes that nobody has taken yet count as one.
	Watch(ctx context.Context, executionID int64) <-chan struct{}
}

// Times of an event stream.
const (
	// streamHeartbeat keeps proxies from closing a quiet stream.
	streamHeartbeat = 15 * time.Second
	// streamWriteTime ends a stream whose reader does not read.
	streamWriteTime = 30 * time.Second
)

type streamHandlers struct {
	executions Executions
	changes    Changes
	// ending ends every stream when the server stops.
	ending    context.Context
	heartbeat time.Duration
	log       *slog.Logger
}

var streamExecutionDoc = huma.Operation{
	OperationID: "streamRolloutExecution", Tags: []string{tagExecutions}, Summary: "Follow a rollout",
	Description: "Server-sent events: an event `execution` whose data is the rollout, at once and on every change; a comment every 15 seconds. The stream goes on after the rollout ends, until the reader leaves.",
	Parameters:  []*huma.Param{idParam},
	Responses: map[string]*huma.Response{"200": {
		Description: "The stream.",
		Content: map[string]*huma.MediaType{"text/event-stream": {
			Schema:  &huma.Schema{Type: huma.TypeString},
			Example: "event: execution\nid: 3\ndata: {\"id\":21,\"status\":\"running\",…}\n\n: heartbeat\n\n",
		}},
	}},
}

// idParam documents the id in the path of a plain route.
var idParam = &huma.Param{
	Name: "id", In: "path", Required: true, Description: "Id of the record.", Example: 17,
	Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64"},
}

// pathID reads the id in the path of a plain route.
func pathID(c *gin.Context) (int64, error) {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, models.Errorf(models.CodeNotFound, "no such record: the path's id must be a number")
	}
	return id, nil
}

func (h streamHandlers) execution(c *gin.Context) {
	id, err := pathID(c)
	if err != nil {
		fail(c, err)
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	defer context.AfterFunc(h.ending, cancel)()
	// Watching begins before the first look, so that no change falls between.
	changed := h.changes.Watch(ctx, id)
	events := eventWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer)}
	e, err := h.executions.Execution(ctx, projectOf(ctx), id)
	if err != nil {
		fail(c, err)
		return
	}
	events.begin()
	beat := time.NewTicker(h.heartbeat)
	defer beat.Stop()
	for {
		if err := events.send("execution", e.Version, executionRecord(e)); err != nil {
			return // the reader has left
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-beat.C: // also looks again, should a change have gone unannounced
			if err := events.comment("heartbeat"); err != nil {
				return
			}
		}
		now, err := h.executions.Execution(ctx, projectOf(ctx), id)
		switch {
		case err == nil:
			e = now
		case models.CodeOf(err) == models.CodeUnavailable:
			h.log.WarnContext(ctx, "an event stream waits for the store", "execution", id, "error", err)
		default:
			return
		}
	}
}

// eventWriter writes server-sent events and leaves out those that repeat the one
// before.
type eventWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	last    []byte
}

func (w *eventWriter) begin() {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // nginx would hold events back
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
	// A best effort: not every connection has deadlines.
	_ = w.control.SetWriteDeadline(time.Now().Add(streamWriteTime))
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	return w.control.Flush()
}
