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

// Stream is a stream of server-sent events. It counts as a stream of its key and its network. Its key is checked
// again at each heartbeat.
type Stream struct {
	eventWriter
	// Ctx is done when the client has disconnected or the server stops.
	Ctx context.Context
	// Close releases the resources of the stream.
	Close func()

	beat *time.Ticker // ticks when a heartbeat is due
	gate *Gate
	c    *gin.Context
}

// OpenStream returns the stream of a request, or an error if its key or its network has too many. The caller closes
// it.
func (g *Gate) OpenStream(c *gin.Context) (*Stream, error) {
	leave, err := g.Limits.Streams.Enter(rest.CallOf(c.Request.Context()).Caller.Actor, rest.SenderOf(c).Address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	stop := context.AfterFunc(g.Streams, cancel)
	beat := time.NewTicker(g.Heartbeat)
	return &Stream{
		eventWriter: eventWriter{ResponseWriter: c.Writer, control: http.NewResponseController(c.Writer), limit: g.StreamWriteTime},
		Ctx:         ctx, beat: beat, gate: g, c: c,
		Close: func() {
			beat.Stop()
			stop()
			cancel()
			leave()
		},
	}, nil
}

// Follow begins the stream and writes events. Then it calls look after each change and each heartbeat, and writes the
// events that look returns. It ends when look fails, when the client disconnects or does not read, and when the key
// of the request is no longer valid.
//
// changed receives the next change, and look returns the channel of the change after that. look gets the value
// received from changed and whether changed is open. After a heartbeat it gets the zero value and true. To avoid
// missing a change, a caller must begin to watch before it reads.
func Follow[T any](s *Stream, events []byte, changed <-chan T, look func(change T, open bool) ([]byte, <-chan T, error)) {
	s.begin()
	for err := s.write(events); err == nil; err = s.write(events) {
		var change T
		open := true
		select {
		case <-s.Ctx.Done():
			return
		case change, open = <-changed:
		case <-s.beat.C:
			if s.heartbeat() != nil {
				return
			}
		}
		if events, changed, err = look(change, open); err != nil {
			return
		}
	}
}

// heartbeat checks the key that the request was admitted with, and tells the client that the stream is open. It
// returns an error, which ends the stream, if the key is no longer valid or the client has disconnected. While the
// database is unavailable, the stream continues.
func (s *Stream) heartbeat() error {
	err := s.gate.admit(s.c, rest.CallOf(s.Ctx).Needed)
	if err != nil && models.CodeOf(err) != models.CodeUnavailable {
		return err
	}
	return s.write([]byte(": heartbeat\n\n"))
}

// eventWriter writes server-sent events.
type eventWriter struct {
	gin.ResponseWriter
	control *http.ResponseController
	limit   time.Duration // time limit of a write
	last    []byte
}

// begin writes the headers of the stream.
func (w *eventWriter) begin() {
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	w.WriteHeader(http.StatusOK)
}

// Event returns an event with the record as JSON. If the record equals the record of the last event, it returns nil.
func (w *eventWriter) Event(event string, id int64, record any) ([]byte, error) {
	data, err := json.Marshal(record)
	if err != nil || bytes.Equal(data, w.last) {
		return nil, err
	}
	w.last = data
	return fmt.Appendf(nil, "event: %s\nid: %d\ndata: %s\n\n", event, id, data), nil
}

// write sends events to the client. Without events, it does nothing.
func (w *eventWriter) write(events []byte) error {
	if len(events) == 0 {
		return nil
	}
	_ = w.control.SetWriteDeadline(rest.Deadline(w.limit)) // not every connection has deadlines
	if _, err := w.Write(events); err != nil {
		return err
	}
	return w.control.Flush()
}
