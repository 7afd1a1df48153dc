package rest

import (
	"bytes"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// maxEmptyBody is the maximum number of bytes that refuseBody reads.
const maxEmptyBody = 64

// refuseBody refuses a request with a body, for routes without one, because the caller expects the body to have an
// effect. The body {} means the same as no body. A request without a body is not read.
func refuseBody(c *gin.Context) {
	if c.Request.ContentLength == 0 || c.Request.Body == nil || c.Request.Body == http.NoBody {
		return
	}
	body, err := io.ReadAll(io.LimitReader(c.Request.Body, maxEmptyBody+1))
	if err != nil {
		Fail(c, Unreadable(err))
		return
	}
	if text := string(bytes.Join(bytes.Fields(body), nil)); len(body) > maxEmptyBody || text != "" && text != "{}" {
		Fail(c, models.Errorf(models.CodeInvalid, "this call does not accept a body; send an empty body or {}"))
		return
	}
	c.Request.Body, c.Request.ContentLength = http.NoBody, 0
}
