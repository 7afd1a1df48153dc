// Package insights implements the endpoints that return data reported by devices.
package insights

import (
	"context"
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Stacks symbolicates the stacks of events with source maps.
type Stacks interface {
	// Frames returns the frames of an event's stack. It uses the source map of the build that the device ran, if
	// there is one.
	Frames(ctx context.Context, projectID int64, e models.TelemetryEvent) ([]models.StackFrame, error)
}

// Handlers handle queries about the data that devices reported.
type Handlers struct {
	Insights         Insights
	StreamActivities StreamActivities
	ErrorGroups      ErrorGroups
	ErrorStatuses    ErrorStatuses
	Incidents        Incidents
	Overviews        Overviews
	ReleasePlaces    ReleasePlaces
	Stacks           Stacks
	Names            releases.UpdateNames
	Snapshots        releases.Snapshots
	Now              func() time.Time
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Now = shared.Now
	return rest.Complete("insights", *h)
}
