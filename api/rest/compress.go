package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/klauspost/compress/gzhttp"
)

// minCompressed is the size in bytes of the smallest response that is compressed.
const minCompressed = 1 << 10

// compress gzips responses for clients that accept it. Use it for reads only: a response that shows a new key or
// secret must not be compressed. Next to text that the caller controls, its compressed length would leak the secret.
func compress() (gin.HandlerFunc, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(minCompressed))
	if err != nil {
		return nil, err
	}
	return func(c *gin.Context) {
		writer := c.Writer
		defer func() { c.Writer = writer }()
		wrap(http.HandlerFunc(func(to http.ResponseWriter, _ *http.Request) {
			c.Writer = &compressedAnswer{ResponseWriter: writer, to: to}
			c.Next()
		}))(writer, c.Request)
	}, nil
}

// compressedAnswer is Gin's writer for a response that passes through another writer, which compresses it.
type compressedAnswer struct {
	gin.ResponseWriter
	to http.ResponseWriter
}

func (a *compressedAnswer) Header() http.Header               { return a.to.Header() }
func (a *compressedAnswer) WriteHeader(status int)            { a.to.WriteHeader(status) }
func (a *compressedAnswer) WriteHeaderNow()                   {}
func (a *compressedAnswer) Write(p []byte) (int, error)       { return a.to.Write(p) }
func (a *compressedAnswer) WriteString(s string) (int, error) { return a.to.Write([]byte(s)) }

// Unwrap lets http.ResponseController find the connection, for its deadlines.
func (a *compressedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
