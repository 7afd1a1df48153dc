package access

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Times of an event stream.
const (
	// streamHeartbeat keeps proxies from closing a quiet stream.
	streamHeartbeat = 15 * time.Second
	// streamWriteTime ends a stream whose client does not read.
	streamWriteTime = 30 * time.Second
)

// eventStream is a stream of server-sent events. It is counted among those of its key and its network, and its
// key is checked again at each heartbeat.
type eventStream struct {
	eventWriter
	// Ctx is done when the client has disconnected or the server stops.
	Ctx context.Context
	// Beat says when a heartbeat is due.
	Beat *time.Ticker

	gate  *Gate
	c     *gin.Context
	Close func()
}

// OpenStream returns the stream of a request, or an error when its key or its network has too many. The caller
// closes it.
func (g *Gate) OpenStream(c *gin.Context) (*eventStream, error) {
	leave, err := g.Limits.Streams.Enter(rest.CallOf(c.Request.Context()).Caller.Actor, rest.ClientNetwork(c.ClientIP()))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	stop := context.AfterFunc(g.Streams, cancel)
	beat := time.NewTicker(g.Heartbeat)
	return &eventStream{
		eventWriter: eventWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer), limit: g.StreamWriteTime},
		Ctx:         ctx, Beat: beat, gate: g, c: c,
		Close: func() {
			beat.Stop()
			stop()
			cancel()
			leave()
		},
	}, nil
}

// Heartbeat checks the key that the request was admitted with, and tells the client that the stream is open. It
// returns an error when the key is not valid any more or the client has disconnected: the stream then ends.
// While the store is away the stream goes on.
func (s *eventStream) Heartbeat() error {
	err := s.gate.Admit(s.c, rest.CallOf(s.Ctx).Needed)
	if err != nil && models.CodeOf(err) != models.CodeUnavailable {
		return err
	}
	return s.comment("heartbeat")
}

// eventWriter writes server-sent events, except those that are equal to the one before.
type eventWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	limit   time.Duration // of a write
	last    []byte
}

// Begin writes the headers of the stream.
func (w *eventWriter) Begin() {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	w.WriteHeader(http.StatusOK)
}

// Send writes an event with the record as JSON, unless the record is equal to that of the event before.
func (w *eventWriter) Send(event string, id int64, record any) error {
	data, err := json.Marshal(record)
	if err != nil {
		return err
	}
	if bytes.Equal(data, w.last) {
		return nil
	}
	w.last = data
	return w.Write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", event, id, data))
}

func (w *eventWriter) comment(text string) error { return w.Write(": " + text + "\n\n") }

func (w *eventWriter) Write(text string) error {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.limit)) // not every connection has deadlines
	if _, err := w.WriteString(text); err != nil {
		return err
	}
	return w.control.Flush()
}
