package api

import (
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// Limits of a management request's body.
const (
	maxOperationBytes = 1 << 20
	operationBodyTime = 30 * time.Second
)

// bodyWithin gives the whole body limit to arrive.
func bodyWithin(limit time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) { timeBody(c, limit, false) }
}

// bodyMoving lets a body take as long as it needs while it never stands still
// for longer than limit.
func bodyMoving(limit time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) { timeBody(c, limit, true) }
}

func timeBody(c *gin.Context, limit time.Duration, renew bool) {
	c.Request.Body = &timedBody{
		ReadCloser: c.Request.Body, connection: http.NewResponseController(c.Writer), limit: limit, renew: renew,
	}
}

// timedBody sets the connection's read deadline while the body is read, and
// takes it away at the body's end: net/http reads on in the background to notice
// a caller who leaves, and a deadline that passes would look like one.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	limit      time.Duration
	renew      bool
	begun      bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.renew || !b.begun {
		b.begun = true
		b.deadline(time.Now().Add(b.limit))
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.deadline(time.Time{})
	}
	return n, err
}

// deadline is a best effort: a connection without deadlines is read without.
func (b *timedBody) deadline(t time.Time) { _ = b.connection.SetReadDeadline(t) }
