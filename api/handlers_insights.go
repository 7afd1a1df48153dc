package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// Stacks shows the stacks of events by source maps.
type Stacks interface {
	// Frames are the frames of an event's stack, by the source map of what the device ran where there is one.
	Frames(ctx context.Context, projectID int64, e models.TelemetryEvent) ([]models.StackFrame, error)
}

// InsightsHandlers answer what devices reported.
type InsightsHandlers struct {
	Insights      Insights
	ErrorGroups   ErrorGroups
	Incidents     Incidents
	Overviews     Overviews
	ReleasePlaces ReleasePlaces
	Stacks        Stacks
	Names         UpdateNames
	Snapshots     Snapshots
	Now           func() time.Time
}

// NewInsightsHandlers returns the handlers, or an error that names what is missing.
func NewInsightsHandlers(h InsightsHandlers) (*InsightsHandlers, error) {
	if err := complete("insights", h); err != nil {
		return nil, err
	}
	return &h, nil
}
