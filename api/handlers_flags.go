package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// FlagTelemetry queries what devices evaluated.
type FlagTelemetry interface {
	FlagImpacts(ctx context.Context, projectID int64, q models.FlagImpactQuery, now time.Time) ([]models.FlagImpact, error)
	FlagHealth(ctx context.Context, projectID int64, flagKey string, days int, now time.Time) (models.FlagHealth, error)
	// FlagsHealth is FlagHealth of every flag that devices had, by key.
	FlagsHealth(ctx context.Context, projectID int64, days int, now time.Time) (map[string]models.FlagHealth, error)
	// FlagsInUse are the keys of flags that were evaluated since a time.
	FlagsInUse(ctx context.Context, projectID int64, since time.Time) ([]string, error)
	FlagEvaluations(
		ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
	) (models.FlagEvaluationSummary, error)
}

// FlagsHandlers handle flags, segments and contexts.
type FlagsHandlers struct {
	Flags          Flags
	Segments       Segments
	Contexts       Contexts
	Health         FlagTelemetry
	SegmentDevices SegmentDevices
	Names          UpdateNames
	Snapshots      Snapshots
	Now            func() time.Time
}

// NewFlagsHandlers returns the handlers, or an error that names what is missing.
func NewFlagsHandlers(h FlagsHandlers) (*FlagsHandlers, error) {
	if err := complete("flags", h); err != nil {
		return nil, err
	}
	return &h, nil
}
