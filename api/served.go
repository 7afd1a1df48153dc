package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
)

// servedTime is the maximum time that the response to a change waits until devices are served the change.
const servedTime = 250 * time.Millisecond

// Served reports what this process serves to devices.
type Served interface {
	// CatchUp returns once devices are served the current state of Postgres, for one project or, with 0, for all. It
	// returns an error if ctx is done before.
	CatchUp(ctx context.Context, projectID int64) error
}

// readYourWrites holds the response to a change back until this process serves the change to devices, so that a later
// manifest request gets it. It waits for the version in Postgres after the change, which includes changes that the
// worker committed for it. After servedTime it sends the response anyway, with the header Waft-Served.
func readYourWrites(served Served) gin.HandlerFunc {
	return func(c *gin.Context) {
		writer := c.Writer
		defer func() { c.Writer = writer }()
		held := rest.NewHeldAnswer(writer)
		c.Writer = held
		c.Next()
		if held.Status() < http.StatusMultipleChoices {
			ctx, cancel := context.WithTimeout(c.Request.Context(), servedTime)
			defer cancel()
			if served.CatchUp(ctx, rest.ProjectOf(ctx)) != nil {
				held.Header().Set(rest.HeaderServed, rest.ServedPending)
			}
		}
		held.Release()
	}
}
