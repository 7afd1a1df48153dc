package releases

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// UpdateNames finds releases by the update IDs that devices report.
type UpdateNames interface {
	// ReleasesOf returns the project's releases, deleted ones included, by the given update IDs, which are in lower
	// case.
	ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error)
}

// ReleasesOf returns the releases that devices reported, by the update ID that update returns. It omits IDs that do
// not belong to a release of the project.
func ReleasesOf[T any](
	ctx context.Context, names UpdateNames, reported []T, update func(T) string,
) (map[string]models.Release, error) {
	ids := map[string]bool{}
	for _, r := range reported {
		ids[update(r)] = true
	}
	delete(ids, "") // the embedded update
	if len(ids) == 0 {
		return nil, nil
	}
	return names.ReleasesOf(ctx, rest.ProjectOf(ctx), slices.Sorted(maps.Keys(ids)))
}

// CanonicalUpdate returns the update ID that telemetry stores for any of a release's IDs.
func CanonicalUpdate(ctx context.Context, snapshots Snapshots, named rest.UUID) string {
	if named == "" {
		return ""
	}
	id := strings.ToLower(string(named))
	if s, err := snapshots.ProjectByID(rest.ProjectOf(ctx)); err == nil {
		if canonical, known := s.CanonicalUpdate(id); known {
			return canonical
		}
	}
	return id
}

// DeviceNames returns the IDs under which telemetry may have stored a device: its ID and the hash of that. The caller
// may also pass the hash, because lists show it.
func DeviceNames(ctx context.Context, snapshots Snapshots, named string) []string {
	if named == "" {
		return []string{}
	}
	id := strings.ToLower(named)
	devices := []string{id}
	if s, err := snapshots.ProjectByID(rest.ProjectOf(ctx)); err == nil {
		if identity := s.DeviceIdentity(id); identity != id {
			devices = append(devices, identity)
		}
	}
	return devices
}
