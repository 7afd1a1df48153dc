package releases

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Patches lists patches.
type Patches interface {
	ReleasePatches(ctx context.Context, projectID, releaseID int64) ([]models.Patch, error)
}

var listPatchesDoc = rest.Doc(TagUpdates, "listUpdatePatches", "List the patches to a release",
	"What devices can download in place of the release's whole bundle, by what they run. Patches are made in the "+
		"background after a publish; one is offered when it is at most 70 % of what the device would download "+
		"without it.")

// UpdatePatch is a binary patch from a bundle that devices run to that of a release.
type UpdatePatch struct {
	BaseUpdateID    *int64             `json:"baseUpdateId" nullable:"true" doc:"The release whose bundle it starts from; null for an update inside a binary."`
	BaseUpdateUUID  uuid.UUID          `json:"baseUpdateUuid" format:"uuid" doc:"The update whose bundle it starts from. Devices that run another one with the same bundle get it as well."`
	Status          models.PatchStatus `json:"status" enum:"pending,offered,skipped" doc:"Pending while it is being made; devices get the whole bundle unless it is offered."`
	SizeBytes       int64              `json:"sizeBytes" doc:"Of the patch; 0 when none was made."`
	FullBytes       int64              `json:"fullBytes" doc:"Of the release's bundle."`
	CompressedBytes int64              `json:"compressedBytes" doc:"Of the smallest form in which the whole bundle is downloaded."`
	Reason          string             `json:"reason" doc:"Why it is skipped."`
	DurationMs      int64              `json:"durationMs" doc:"How long it took to make and to check."`
}

func patchRecord(p models.Patch) UpdatePatch {
	return UpdatePatch{
		BaseUpdateID: p.BaseReleaseID, BaseUpdateUUID: p.BaseUpdateUUID, Status: p.Status, SizeBytes: p.SizeBytes,
		FullBytes: p.FullBytes, CompressedBytes: p.CompressedBytes, Reason: p.Reason, DurationMs: p.DurationMillis,
	}
}

func (UpdatePatch) Example() any {
	return UpdatePatch{
		BaseUpdateID: new(int64(1041)), BaseUpdateUUID: uuid.MustParse(rest.ExampleUUID), Status: models.PatchOffered,
		SizeBytes: 53187, FullBytes: 1465824, CompressedBytes: 498201, DurationMs: 412,
	}
}

func (h *Handlers) listPatches(ctx context.Context, in *rest.IDInput) (*rest.Output[[]UpdatePatch], error) {
	found, err := h.Patches.ReleasePatches(ctx, rest.ProjectOf(ctx), in.ID)
	return &rest.Output[[]UpdatePatch]{Body: rest.Rendered(found, patchRecord)}, err
}
