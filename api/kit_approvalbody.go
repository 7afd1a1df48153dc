package api

import (
	"bytes"
	"io"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// asking marks an operation that may have to wait for approvals.
func asking(doc huma.Operation) huma.Operation { return marked(doc, metaAsking) }

// keepBody makes an operation's handler keep the body that it reads, in case the call must wait.
func keepBody(serve gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		body := &bytes.Buffer{}
		callOf(c.Request.Context()).body = body
		c.Request.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(c.Request.Body, body), c.Request.Body}
		serve(c)
	}
}
