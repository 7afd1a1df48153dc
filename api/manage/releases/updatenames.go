package releases

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// UpdateNames finds releases by the update ids that devices report.
type UpdateNames interface {
	// ReleasesOf returns the project's releases with the given update ids (in lower case) by
	// these, deleted releases too.
	ReleasesOf(ctx context.Context, projectID int64, updates []string) (map[string]models.Release, error)
}

// ReleasesOf returns the releases of what devices reported, by the update id that update
// returns. Ids that are not of a release of the project are left out.
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

// CanonicalUpdate is the update id that telemetry stores for any of a release's ids.
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

// DeviceNames are the ids that telemetry may have stored for a device: the id itself, and
// its hash. A caller may also pass the hash, which lists show.
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
