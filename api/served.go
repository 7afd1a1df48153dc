package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/api/rest"
)

// headerServed is "pending" when a change is answered before this process serves it to
// devices.
const headerServed = "Waft-Served"

// servedTime is how long the answer to a change waits until devices are served it.
const servedTime = 250 * time.Millisecond

// Served knows what this process serves to devices.
type Served interface {
	// CatchUp returns once devices are served what is in Postgres now, for one project or,
	// with 0, for all. It returns an error when ctx is done before.
	CatchUp(ctx context.Context, projectID int64) error
}

// readYourWrites answers a change once this process serves it to devices, so that a
// manifest request after it gets the change. It waits for the version in Postgres after
// the change, which includes what the worker committed for it. After servedTime the
// change is answered anyway, with the header Waft-Served.
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
				held.Header().Set(headerServed, "pending")
			}
		}
		held.Release()
	}
}
