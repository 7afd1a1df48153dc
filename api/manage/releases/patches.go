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
	"Downloads that devices can get instead of the release's whole bundle, depending on the update that they run. Waft "+
		"creates patches in the background after a publish. It offers a patch if it is at most 70% of what the device would "+
		"download otherwise.")

// UpdatePatch is a binary patch from a bundle that devices run to the bundle of a release.
type UpdatePatch struct {
	BaseUpdateID    *int64                   `json:"baseUpdateId" nullable:"true" doc:"ID of the release whose bundle the patch starts from; null for an update inside a binary."`
	BaseRelease     rest.OrNull[ReleaseName] `json:"baseRelease" doc:"Release of baseUpdateId; null if baseUpdateId is null."`
	BaseUpdateUUID  uuid.UUID                `json:"baseUpdateUuid" format:"uuid" doc:"ID of the update whose bundle the patch starts from. Devices that run another update with the same bundle also get the patch."`
	Status          models.PatchStatus       `json:"status" enum:"pending,offered,skipped" doc:"Status of the patch: pending while Waft creates it. Devices get the whole bundle unless the patch is offered."`
	SizeBytes       int64                    `json:"sizeBytes" doc:"Size of the patch; 0 without a patch."`
	FullBytes       int64                    `json:"fullBytes" doc:"Size of the release's bundle."`
	CompressedBytes int64                    `json:"compressedBytes" doc:"Size of the smallest form in which devices download the whole bundle."`
	Reason          string                   `json:"reason" doc:"Reason why the patch is skipped."`
	DurationMs      int64                    `json:"durationMs" doc:"Time that it took to create and check the patch, in milliseconds."`
}

func patchRecord(p models.Patch) UpdatePatch {
	return UpdatePatch{
		BaseUpdateID: p.BaseReleaseID, BaseRelease: NameOrNull(p.BaseRelease), BaseUpdateUUID: p.BaseUpdateUUID, Status: p.Status, SizeBytes: p.SizeBytes,
		FullBytes: p.FullBytes, CompressedBytes: p.CompressedBytes, Reason: p.Reason, DurationMs: p.DurationMillis,
	}
}

func (UpdatePatch) Example() any {
	return UpdatePatch{
		BaseUpdateID: new(int64(17)), BaseRelease: rest.Present(ExampleName), BaseUpdateUUID: uuid.MustParse(rest.ExampleUUID), Status: models.PatchOffered,
		SizeBytes: 53187, FullBytes: 1465824, CompressedBytes: 498201, DurationMs: 412,
	}
}

func (h *Handlers) listPatches(ctx context.Context, in *rest.IDInput) (*rest.Output[[]UpdatePatch], error) {
	found, err := h.Patches.ReleasePatches(ctx, rest.ProjectOf(ctx), in.ID)
	return &rest.Output[[]UpdatePatch]{Body: rest.Rendered(found, patchRecord)}, err
}
