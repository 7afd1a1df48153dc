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

// Deadline returns the deadline of a connection that has this much time left. Connections use the machine's clock, so
// Deadline does too, instead of the clock of the API.
func Deadline(in time.Duration) time.Time { return time.Now().Add(in) }

// LimitBodyTime limits the time in which a request's body must arrive, counted from the end of its headers. Behind
// RenewBodyTime the limit applies to each read instead.
//
// The connection has a read deadline until the end of the body. After that, net/http keeps reading in the background
// to notice a client that disconnects, and a deadline would look like a disconnect. A body that is not read to its
// end keeps the deadline, because net/http reads the rest before it sends the response.
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

// RenewBodyTime starts the limit of LimitBodyTime again with every read, so an upload may take any time while bytes
// arrive.
func RenewBodyTime(c *gin.Context) {
	if body, ok := c.Request.Body.(*timedBody); ok {
		body.renew = true
	}
}

// timedBody is a request body that must arrive in time.
type timedBody struct {
	io.Reader
	connection *http.ResponseController
	limit      time.Duration
	until      time.Time // the deadline of the whole body, unless renew is set
	renew      bool
}

// Read sets the connection's deadline before each read, so that a body is never read without one.
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

// Close does nothing. net/http closes the body after the response. If huma could close a body before its end,
// net/http would take the body for a complete one, because it does not know this type. It would then read the rest of
// the body as the next request.
func (b *timedBody) Close() error { return nil }

// deadlineKeeper leaves a connection's read deadline to LimitBodyTime. huma clears the deadline before it checks a
// body. A body that huma then refuses without reading it would hold its connection forever.
type deadlineKeeper struct{ humaContext }

// humaContext is an alias for embedding: huma.Context also has a method Context, so the field must have another name.
type humaContext = huma.Context

// Unwrap returns huma's own context, for humagin.Unwrap.
func (k deadlineKeeper) Unwrap() huma.Context { return k.humaContext }

// SetReadDeadline does nothing.
func (deadlineKeeper) SetReadDeadline(time.Time) error { return nil }

// deadline sets the read deadline. It ignores errors because not every connection has deadlines.
func (b *timedBody) deadline(t time.Time) { _ = b.connection.SetReadDeadline(t) }

// AnswerStallTime is the time after which a download ends if its client stops reading.
const AnswerStallTime = time.Minute

// bufferedAnswer is the size in bytes up to which net/http holds a response back until the handler returns.
const bufferedAnswer = 8 << 10

// LimitAnswerStall ends a response if the client stops reading for limit. Otherwise the file would stay open. A
// response that makes progress may take any time.
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

// timedAnswer extends the connection's write deadline with every write.
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

// renew extends the write deadline. It ignores errors because not every connection has deadlines. net/http clears the
// last deadline after the response.
func (w *timedAnswer) renew() { _ = w.connection.SetWriteDeadline(Deadline(w.limit)) }
