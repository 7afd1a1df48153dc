// Package flags implements the endpoints of flags, segments and contexts.
package flags

import (
	"context"
	"time"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Health queries the flag values that devices reported.
type Health interface {
	FlagImpacts(ctx context.Context, projectID int64, q models.FlagImpactQuery, now time.Time) ([]models.FlagImpact, error)
	FlagHealth(ctx context.Context, projectID int64, flagKey string, days int, now time.Time) (models.FlagHealth, error)
	// FlagsHealth returns the FlagHealth of every flag that devices reported, by key.
	FlagsHealth(ctx context.Context, projectID int64, days int, now time.Time) (map[string]models.FlagHealth, error)
	// FlagsInUse returns the keys of the flags that were evaluated since a time.
	FlagsInUse(ctx context.Context, projectID int64, since time.Time) ([]string, error)
	FlagEvaluations(
		ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
	) (models.FlagEvaluationSummary, error)
}

// Handlers handle flags, segments and contexts.
type Handlers struct {
	Flags          Flags
	Schedules      Schedules
	Segments       Segments
	Contexts       Contexts
	Health         Health
	SegmentDevices SegmentDevices
	Names          releases.UpdateNames
	Snapshots      releases.Snapshots
	Previews       Previews
	// TemporalUI makes links to the workflows of scheduled changes.
	TemporalUI rest.TemporalUI

	Limits     *limit.Set
	Operations *operations.Operations
	Now        func() time.Time
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Limits, h.Operations, h.Now = shared.Limits, shared.Operations, shared.Now
	return rest.Complete("flags", *h)
}
