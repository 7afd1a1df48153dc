package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/internal/flags"
	"github.com/waft-ota/waft/models"
)

// SegmentDevices counts the devices of a project by what they reported to be.
type SegmentDevices interface {
	DeviceGroups(ctx context.Context, projectID int64, now time.Time) ([]models.DeviceGroup, error)
	// GroupDevices is how many devices were in any of the groups of each union.
	GroupDevices(ctx context.Context, projectID int64, unions [][]uint64, now time.Time) ([]int64, error)
}

// estimateTime is how long an answer waits for telemetry; it does without then.
const estimateTime = 2 * time.Second

// Attributes that devices tell of themselves in their reports.
const (
	attributePlatform       = "platform"
	attributeChannel        = "channel"
	attributeRuntimeVersion = "runtimeVersion"
	attributeUpdate         = "updateUuid"
	attributeOTAUpdate      = "ota.update_id"
	attributeOTARuntime     = "ota.runtime_version"
	attributeOTABranch      = "ota.branch"
)

// reportedAttributes is what is known of the devices of a group; those on the bundle
// inside the app run no update.
func reportedAttributes(g models.DeviceGroup, releases map[string]models.Release) map[string]string {
	known := map[string]string{
		attributePlatform: string(g.Platform), attributeChannel: g.Channel,
		attributeRuntimeVersion: g.RuntimeVersion, attributeOTARuntime: g.RuntimeVersion,
	}
	if g.UpdateUUID != "" {
		known[attributeUpdate], known[attributeOTAUpdate] = g.UpdateUUID, g.UpdateUUID
	}
	if r, ok := releases[g.UpdateUUID]; ok {
		known[attributeOTABranch] = r.BranchName
	}
	return known
}

// countable reports whether telemetry can tell who is in the segment: it knows nothing of
// attributes that only the app knows.
func countable(g models.Segment) bool {
	for _, c := range g.Conditions {
		switch c.Attribute {
		case attributePlatform, attributeChannel, attributeRuntimeVersion, attributeUpdate,
			attributeOTAUpdate, attributeOTARuntime, attributeOTABranch:
		default:
			return false
		}
	}
	return true
}

// estimates is how many devices of the last seven days the segments hold, by segment,
// without those of which that cannot be told, and without any while telemetry is away.
func (h *handlers) estimateSegments(ctx context.Context, segments ...models.Segment) map[int64]*int64 {
	ctx, cancel := context.WithTimeout(ctx, estimateTime)
	defer cancel()
	var counted []models.Segment
	for _, g := range segments {
		if countable(g) {
			counted = append(counted, g)
		}
	}
	if len(counted) == 0 {
		return nil
	}
	groups, err := h.SegmentDevices.DeviceGroups(ctx, projectOf(ctx), h.Now())
	if err != nil {
		return nil
	}
	updates := map[string]bool{}
	for _, g := range groups {
		updates[g.UpdateUUID] = true
	}
	releases, err := h.reportedReleases(ctx, updates)
	if err != nil {
		return nil
	}
	unions := make([][]uint64, len(counted))
	for _, g := range groups {
		attributes := reportedAttributes(g, releases)
		for i, segment := range counted {
			if flags.InSegment(segment, attributes) {
				unions[i] = append(unions[i], g.Key)
			}
		}
	}
	devices, err := h.SegmentDevices.GroupDevices(ctx, projectOf(ctx), unions, h.Now())
	if err != nil {
		return nil
	}
	estimates := make(map[int64]*int64, len(counted))
	for i, segment := range counted {
		estimates[segment.ID] = &devices[i]
	}
	return estimates
}

// answer is the record of a segment.
func (h *handlers) segmentAnswer(ctx context.Context, g models.Segment, err error) (*output[Segment], error) {
	if err != nil {
		return nil, err
	}
	record := segmentRecord(g)
	record.EstimatedDevices = h.estimateSegments(ctx, g)[g.ID]
	return &output[Segment]{record}, nil
}
