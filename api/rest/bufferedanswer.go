package rest

import (
	"bytes"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"
)

// heldAnswer keeps a response in memory until Release sends it.
type heldAnswer struct {
	gin.ResponseWriter
	header http.Header
	status int
	body   bytes.Buffer
}

// NewHeldAnswer returns a response whose headers are copied from w, where middlewares have set them.
func NewHeldAnswer(w gin.ResponseWriter) *heldAnswer {
	return &heldAnswer{ResponseWriter: w, header: w.Header().Clone(), status: http.StatusOK}
}

func (h *heldAnswer) Header() http.Header               { return h.header }
func (h *heldAnswer) WriteHeader(status int)            { h.status = status }
func (h *heldAnswer) WriteHeaderNow()                   {}
func (h *heldAnswer) Write(p []byte) (int, error)       { return h.body.Write(p) }
func (h *heldAnswer) WriteString(s string) (int, error) { return h.body.WriteString(s) }
func (h *heldAnswer) Status() int                       { return h.status }
func (h *heldAnswer) Size() int                         { return h.body.Len() }
func (h *heldAnswer) Written() bool                     { return h.body.Len() > 0 }
func (h *heldAnswer) Flush()                            {}

// Unwrap lets http.ResponseController find the connection, for its deadlines.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Release sends the response.
func (h *heldAnswer) Release() {
	maps.Copy(h.ResponseWriter.Header(), h.header)
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // a client that disconnected can send the request again
}
