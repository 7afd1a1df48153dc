package api

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// maxOperationBytes is the largest body of a management request.
const maxOperationBytes = 1 << 20

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
	if c.Request.Body == nil || c.Request.Body == http.NoBody {
		return
	}
	body := &timedBody{
		ReadCloser: c.Request.Body, connection: http.NewResponseController(c.Writer), limit: limit, renew: renew,
	}
	body.deadline(time.Now().Add(limit))
	c.Request.Body = body
}

// timedBody sets the connection's read deadline until the body's end, and takes it
// away there: net/http reads on in the background to notice a caller who leaves, and
// a deadline that passes would look like one. It stays for a body that was not read
// to its end, since net/http reads the rest of it before it sends the answer.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	limit      time.Duration
	renew      bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.renew {
		b.deadline(time.Now().Add(b.limit))
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.deadline(time.Time{})
	}
	return n, err
}

// deadline is a best effort: a connection without deadlines is read without.
func (b *timedBody) deadline(t time.Time) { _ = b.connection.SetReadDeadline(t) }
