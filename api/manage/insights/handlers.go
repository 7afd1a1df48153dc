// Package insights has the endpoints that answer what devices reported.
package insights

import (
	"context"
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Stacks shows the stacks of events by source maps.
type Stacks interface {
	// Frames are the frames of an event's stack, by the source map of what the device ran where there is one.
	Frames(ctx context.Context, projectID int64, e models.TelemetryEvent) ([]models.StackFrame, error)
}

// Handlers answer what devices reported.
type Handlers struct {
	Insights         Insights
	StreamActivities StreamActivities
	ErrorGroups      ErrorGroups
	Incidents        Incidents
	Overviews        Overviews
	ReleasePlaces    ReleasePlaces
	Stacks           Stacks
	Names            releases.UpdateNames
	Snapshots        releases.Snapshots
	Now              func() time.Time
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Now = shared.Now
	return rest.Complete("insights", *h)
}
