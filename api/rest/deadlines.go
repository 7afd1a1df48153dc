package rest

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// maxOperationBytes is the largest body of a management request.
const maxOperationBytes = 1 << 20

// Deadline returns the deadline of a connection that has this much time left. The machine's clock decides when a
// connection is late, so the deadline is not of the clock of the API.
func Deadline(in time.Duration) time.Time { return time.Now().Add(in) }

// LimitBodyTime gives a request's body the time limit to arrive, counted from the end of its headers. A route behind
// RenewBodyTime has the limit between two reads instead.
//
// The connection has the read deadline until the body's end: after it, net/http reads on
// in the background to notice a client that disconnects, and a deadline would look like
// that. A body that is not read to its end keeps the deadline, because net/http reads
// the rest before it sends the answer.
func LimitBodyTime(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			body := &timedBody{Reader: r.Body, connection: http.NewResponseController(w), limit: limit, until: Deadline(limit)}
			body.deadline(body.until)
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// RenewBodyTime starts the limit of LimitBodyTime again with every read, so an upload may take any time while bytes arrive.
func RenewBodyTime(c *gin.Context) {
	if body, ok := c.Request.Body.(*timedBody); ok {
		body.renew = true
	}
}

// timedBody is a request's body that has to arrive in time.
type timedBody struct {
	io.Reader
	connection *http.ResponseController
	limit      time.Duration
	until      time.Time // the deadline of the whole body, unless renew is set
	renew      bool
}

// Read sets the connection's deadline before each read, so that nobody who reads a body reads without one.
func (b *timedBody) Read(p []byte) (int, error) {
	if b.renew {
		b.until = Deadline(b.limit)
	}
	b.deadline(b.until)
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		b.deadline(time.Time{})
	}
	return n, err
}

// Close leaves the body to net/http, which closes it after the answer. A body that huma closed before its end would look
// like one that was read, because net/http does not know this type: net/http would wait for the next request and take
// the rest of the body for its beginning.
func (b *timedBody) Close() error { return nil }

// deadlineKeeper leaves a connection's read deadline to LimitBodyTime: huma clears it before it looks at a body, and a
// body that huma then refuses unread would hold its connection for ever.
type deadlineKeeper struct{ humaContext }

// humaContext has a name that is free: huma.Context has a method Context.
type humaContext = huma.Context

// Unwrap returns the context that huma made, for humagin.Unwrap.
func (k deadlineKeeper) Unwrap() huma.Context { return k.humaContext }

// SetReadDeadline changes nothing.
func (deadlineKeeper) SetReadDeadline(time.Time) error { return nil }

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
