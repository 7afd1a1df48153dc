package rest

import (
	"bytes"
	"io"

	"github.com/gin-gonic/gin"
)

// keepBody makes an operation's handler keep the body that it reads, in case the call must wait.
func keepBody(serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		body := &bytes.Buffer{}
		CallOf(c.Request.Context()).Body = body
		c.Request.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(c.Request.Body, body), c.Request.Body}
		serve(c)
	}
}
