package api

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// answerStallTime is how long the reader of a file may take nothing of it.
const answerStallTime = time.Minute

// bufferedAnswer is more of an answer than net/http holds back until the handler is
// done, in bytes.
const bufferedAnswer = 8 << 10

// answerMoving lets an answer take as long as it needs while its reader takes some of
// it within every limit, and breaks it off otherwise: a reader who stands still would
// keep the file open for good.
func answerMoving(limit time.Duration) gin.HandlerFunc {
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

// renew is a best effort: a connection without deadlines is written without. net/http
// takes the last one away when the answer is done.
func (w *timedAnswer) renew() { _ = w.connection.SetWriteDeadline(time.Now().Add(w.limit)) }
