package api

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// headerServed says "pending" when a change is answered before this process serves
// it to devices.
const headerServed = "Waft-Served"

// servedTime is how long an answer waits for devices to be served the change.
const servedTime = 250 * time.Millisecond

// readYourWrites answers a change once this process serves it to devices, so that
// who asks for a manifest next gets what was changed. The version to wait for is read
// from Postgres after the change, which covers also what the worker committed for it.
// A change that takes longer than servedTime to be served is answered all the same,
// with the header Waft-Served.
func readYourWrites(snapshots Snapshots) gin.HandlerFunc {
	return func(c *gin.Context) {
		writer := c.Writer
		defer func() { c.Writer = writer }()
		held := newHeldAnswer(writer)
		c.Writer = held
		c.Next()
		if held.Status() < http.StatusMultipleChoices {
			ctx, cancel := context.WithTimeout(c.Request.Context(), servedTime)
			defer cancel()
			if snapshots.CatchUp(ctx, projectOf(ctx)) != nil {
				held.Header().Set(headerServed, "pending")
			}
		}
		held.release()
	}
}
