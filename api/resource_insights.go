package api

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// Insights answers questions about the devices of a project.
type Insights interface {
	Adoption(ctx context.Context, projectID int64, days int, now time.Time) (models.Adoption, error)
	Timeseries(ctx context.Context, projectID int64, q models.TimeseriesQuery, now time.Time) (models.Timeseries, error)
	FlagImpacts(ctx context.Context, projectID int64, q models.FlagImpactQuery, now time.Time) ([]models.FlagImpact, error)
	FlagHealth(ctx context.Context, projectID int64, flagKey string, days int, now time.Time) (models.FlagHealth, error)
	FlagEvaluations(
		ctx context.Context, projectID int64, flagKey string, days int, now time.Time,
	) (models.FlagEvaluationSummary, error)
	Events(ctx context.Context, projectID int64, q models.EventQuery, now time.Time) ([]models.TelemetryEvent, error)
	ListRefused(ctx context.Context, projectID int64, now time.Time) ([]models.RefusedSummary, error)
}

// UpdateNames finds releases by the update ids that devices report.
type UpdateNames interface {
	// ReleasesOf returns the project's releases with the given update UUIDs (lower
	// case), deleted ones too, by these.
	ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error)
}

// releases finds the releases of what was reported; what is no release of the project
// is left out.
func (h *handlers) reportedReleases(ctx context.Context, updates map[string]bool) (map[string]models.Release, error) {
	delete(updates, "")
	if len(updates) == 0 {
		return nil, nil
	}
	return h.UpdateNames.ReleasesOf(ctx, projectOf(ctx), slices.Sorted(maps.Keys(updates)))
}

// update is what telemetry calls the release that somebody names by one of its UUIDs.
func (h *handlers) canonicalUpdate(ctx context.Context, named UUID) string {
	if named == "" {
		return ""
	}
	id := strings.ToLower(string(named))
	if s, ok := h.Snapshots.Project(callOf(ctx).caller.project.Slug); ok {
		if canonical, known := s.CanonicalUpdate(id); known {
			return canonical
		}
	}
	return id
}

// devices are what telemetry may call the device that somebody names: by its id, or
// by the hash of it that a project may want instead, which is also what it is listed
// by.
func (h *handlers) deviceNames(ctx context.Context, named string) []string {
	if named == "" {
		return []string{}
	}
	id := strings.ToLower(named)
	devices := []string{id}
	if s, ok := h.Snapshots.Project(callOf(ctx).caller.project.Slug); ok {
		if identity, _ := s.DeviceIdentity(id, ""); identity != id {
			devices = append(devices, identity)
		}
	}
	return devices
}
