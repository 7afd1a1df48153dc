package rest

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// maxOperationBytes is the largest body of a management request.
const maxOperationBytes = 1 << 20

// Deadline returns the deadline of a connection that has this much time left. The machine's clock decides when a
// connection is late, so the deadline is not of the clock of the API.
func Deadline(in time.Duration) time.Time { return time.Now().Add(in) }

// LimitBodyTime gives a request's body the time limit to arrive. With renew the limit
// starts again with every read, so the body may take any time while bytes arrive.
//
// The connection has the read deadline until the body's end: after it, net/http reads on
// in the background to notice a client that disconnects, and a deadline would look like
// that. A body that is not read to its end keeps the deadline, because net/http reads
// the rest before it sends the answer.
func LimitBodyTime(limit time.Duration, renew bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		if c.Request.Body == nil || c.Request.Body == http.NoBody {
			return
		}
		body := &timedBody{c.Request.Body, http.NewResponseController(c.Writer), limit, renew}
		body.deadline(Deadline(limit))
		c.Request.Body = body
	}
}

type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	limit      time.Duration
	renew      bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.renew {
		b.deadline(Deadline(b.limit))
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.deadline(time.Time{})
	}
	return n, err
}

// deadline ignores errors: not every connection has deadlines.
func (b *timedBody) deadline(t time.Time) { _ = b.connection.SetReadDeadline(t) }

// AnswerStallTime is how long the client of a download may read nothing.
const AnswerStallTime = time.Minute

// bufferedAnswer is a size, in bytes, above which net/http does not hold an answer back
// until the handler returns.
const bufferedAnswer = 8 << 10

// LimitAnswerStall ends an answer of which the client reads nothing for limit; otherwise
// the file would stay open. An answer that makes progress may take any time.
func LimitAnswerStall(limit time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) {
		plain := c.Writer
		timed := &timedAnswer{plain, http.NewResponseController(plain), limit}
		c.Writer = timed
		defer func() { c.Writer = plain }()
		c.Next()
		if plain.Size() > bufferedAnswer {
			timed.renew()
			plain.Flush()
		}
	}
}

// timedAnswer moves the connection's write deadline with every write.
type timedAnswer struct {
	gin.ResponseWriter
	connection *http.ResponseController
	limit      time.Duration
}

func (w *timedAnswer) Write(p []byte) (int, error) {
	w.renew()
	return w.ResponseWriter.Write(p)
}

func (w *timedAnswer) WriteString(s string) (int, error) {
	w.renew()
	return w.ResponseWriter.WriteString(s)
}

// renew ignores errors: not every connection has deadlines. net/http clears the last one
// after the answer.
func (w *timedAnswer) renew() { _ = w.connection.SetWriteDeadline(Deadline(w.limit)) }
