package flags

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/models"
)

// Previews runs calls and undoes them.
type Previews interface {
	RunPreview(ctx context.Context, call func(context.Context) error) (models.PreviewedChange, error)
}

var previewSegmentDoc = rest.Repeatable(rest.Doc(tagSegments, "previewSegment", "Preview a change of a segment",
	"Returns what the PATCH with the same body would change, without changing it. devicesAffected is the number of devices "+
		"of the last seven days that would enter or leave the segment, 0 if no flag rule uses it. The flags are those whose "+
		"rules use it. If the PATCH would wait for approvals, the preview runs and has a warning."))

func (h *Handlers) previewSegment(ctx context.Context, in *rest.IDBodyInput[patchSegmentBody]) (*rest.Output[rollouts.ChangePreview], error) {
	var before, after models.Segment
	c, err := h.Previews.RunPreview(ctx, func(ctx context.Context) (err error) {
		before, after, err = h.rehearseSegment(ctx, in)
		return err
	})
	if err != nil {
		return nil, err
	}
	record := rollouts.EmptyPreview(c)
	if !preview.ChangesSegment(before, after) {
		record.DevicesAffected = new(int64(0))
		record.Warnings = append(record.Warnings, "This call would not change which devices are in the segment.")
		return &rest.Output[rollouts.ChangePreview]{Body: record}, nil
	}
	for _, r := range before.ReferencedBy {
		if !slices.ContainsFunc(record.Flags, func(f rollouts.PreviewedFlag) bool { return f.FlagID == r.FlagID }) {
			record.Flags = append(record.Flags, rollouts.PreviewedFlag{FlagID: r.FlagID, FlagKey: r.FlagKey})
		}
	}
	h.countSegment(ctx, before, after, &record)
	return &rest.Output[rollouts.ChangePreview]{Body: record}, nil
}

// countSegment sets the number of devices that enter or leave a segment, or adds a warning if they cannot be counted.
func (h *Handlers) countSegment(ctx context.Context, before, after models.Segment, record *rollouts.ChangePreview) {
	if len(record.Flags) == 0 {
		record.DevicesAffected = new(int64(0))
		record.Warnings = append(record.Warnings, "No flag rule uses this segment, so devices do not notice the change.")
		return
	}
	if unknown := onlyInApps(before, after); len(unknown) > 0 {
		record.Warnings = append(record.Warnings, fmt.Sprintf("The affected devices cannot be counted, because only apps know these attributes: %s.",
			strings.Join(unknown, ", ")))
		return
	}
	moves, ok := h.countSegmentMoves(ctx, before, after)
	if !ok {
		record.Warnings = append(record.Warnings, "The affected devices cannot be counted now; try again in a moment.")
		return
	}
	record.DevicesAffected = &moves.Either
	if moves.Enter > 0 && moves.Leave > 0 {
		record.Warnings = append(record.Warnings, fmt.Sprintf("Devices that would enter the segment: %d. Devices that would leave it: %d.",
			moves.Enter, moves.Leave))
	}
}

// rehearseSegment changes a segment like PATCH, and returns it before and after the change.
func (h *Handlers) rehearseSegment(ctx context.Context, in *rest.IDBodyInput[patchSegmentBody]) (before, after models.Segment, err error) {
	if before, err = h.Segments.Segment(ctx, rest.ProjectOf(ctx), in.ID); err != nil {
		return before, after, err
	}
	patch, _ := in.Body.Model() // Resolve has already rejected a body with problems
	after, err = operations.Do(ctx, h.Operations, operations.PatchSegment, rest.AuthorOf(ctx),
		operations.Of[models.SegmentPatch]{ID: in.ID, Change: patch})
	return before, after, err
}

// segmentMoves counts the devices of the last seven days that a change moves into a segment or out of it.
type segmentMoves struct{ Enter, Leave, Either int64 }

// onlyInApps returns the attributes of the conditions that Waft does not know of devices.
func onlyInApps(segments ...models.Segment) (attributes []string) {
	for _, g := range segments {
		for _, c := range g.Conditions {
			if !slices.Contains(reportedAttributes, c.Attribute) && !slices.Contains(attributes, c.Attribute) {
				attributes = append(attributes, c.Attribute)
			}
		}
	}
	return attributes
}

// countSegmentMoves compares a segment before and after a change. It returns false if the devices cannot be counted.
func (h *Handlers) countSegmentMoves(ctx context.Context, before, after models.Segment) (moves segmentMoves, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, rest.EstimateTime)
	defer cancel()
	_, done, err := h.Limits.Estimates.Turn(ctx, rest.ProjectOf(ctx))
	if err != nil {
		return moves, false
	}
	defer done()
	groups, err := h.SegmentDevices.DeviceGroups(ctx, rest.ProjectOf(ctx), h.Now())
	if err != nil {
		return moves, false
	}
	places, err := releases.ReleasesOf(ctx, h.Names, groups, func(g models.DeviceGroup) string { return g.UpdateUUID })
	if err != nil {
		return moves, false
	}
	unions, known, err := h.groupsIn(ctx, []*flags.Segment{flags.CompileSegment(before), flags.CompileSegment(after)}, groups, places)
	if err != nil || slices.Contains(known, false) {
		return moves, false
	}
	enter, leave := without(unions[1], unions[0]), without(unions[0], unions[1])
	counted, err := h.SegmentDevices.GroupDevices(ctx, rest.ProjectOf(ctx), [][]uint64{enter, leave, slices.Concat(enter, leave)}, h.Now())
	if err != nil {
		return moves, false
	}
	return segmentMoves{counted[0], counted[1], counted[2]}, true
}

// without returns the elements of a that b does not have.
func without(a, b []uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(a), func(key uint64) bool { return slices.Contains(b, key) })
}
