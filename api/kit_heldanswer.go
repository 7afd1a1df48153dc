package api

import (
	"bytes"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"
)

// heldAnswer keeps an answer back until it is certain that it holds.
type heldAnswer struct {
	gin.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

// newHeldAnswer begins with the headers that the layers around have set on w.
func newHeldAnswer(w gin.ResponseWriter) *heldAnswer {
	return &heldAnswer{ResponseWriter: w, header: w.Header().Clone(), status: http.StatusOK}
}

// Header is of the answer that is held.
func (h *heldAnswer) Header() http.Header { return h.header }

// WriteHeader notes the status.
func (h *heldAnswer) WriteHeader(status int) { h.status = status }

// WriteHeaderNow sends nothing yet.
func (h *heldAnswer) WriteHeaderNow() {}

// Write adds to the body.
func (h *heldAnswer) Write(p []byte) (int, error) { return h.body.Write(p) }

// WriteString adds to the body.
func (h *heldAnswer) WriteString(s string) (int, error) { return h.body.WriteString(s) }

// Status is the one that will be sent.
func (h *heldAnswer) Status() int { return h.status }

// Size is of the body so far, in bytes.
func (h *heldAnswer) Size() int { return h.body.Len() }

// Written reports whether there is a body.
func (h *heldAnswer) Written() bool { return h.body.Len() > 0 }

// Flush sends nothing yet.
func (h *heldAnswer) Flush() {}

// Unwrap leads to the connection, for its deadlines.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// release sends what is held.
func (h *heldAnswer) release() {
	maps.Copy(h.ResponseWriter.Header(), h.header)
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // a caller who has left can ask again
}
