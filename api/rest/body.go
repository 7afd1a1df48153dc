package rest

import (
	"bytes"
	"io"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// maxEmptyBody bounds what refuseBody reads, in bytes.
const maxEmptyBody = 64

// refuseBody refuses a request with a body, for routes that take none: the caller expects something of what is in it. The
// body {} means the same as no body. A request without a body is not read.
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
		Fail(c, models.Errorf(models.CodeInvalid, "this call takes no body; send none, or {}"))
		return
	}
	c.Request.Body, c.Request.ContentLength = http.NoBody, 0
}
