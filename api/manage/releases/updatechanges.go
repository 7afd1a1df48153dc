package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var (
	CreateUpdateDoc = rest.Doc(TagUpdates, "createUpdate", "Publish a build to a branch or a channel",
		"Give branchName or channel, not both. A groupId that was already used for the same platform and branch fails with "+
			"already_exists.",
		http.StatusCreated, http.StatusNotFound)
	PatchUpdateDoc = rest.Doc(TagUpdates, "patchUpdate", "Change a release",
		"Fields that are absent keep their value. rolloutPercentage cannot be changed while the release has a rollout "+
			"(rollout_in_progress).",
		http.StatusConflict)
	DeleteUpdateDoc = rest.Doc(TagUpdates, "deleteUpdate", "Delete a release",
		"Devices are no longer served the release. Its history and the audit log keep it. A release with a rollout cannot be "+
			"deleted (rollout_in_progress).",
		http.StatusConflict)
)

type createUpdateBody struct {
	BuildID    int64  `json:"buildId" minimum:"1" doc:"ID of the build to publish."`
	BranchName string `json:"branchName,omitempty" doc:"Name of the branch to publish to directly."`
	Channel    string `json:"channel,omitempty" doc:"Name of the channel whose branch to publish to."`
	IsEnabled  *bool  `json:"isEnabled,omitempty" doc:"Whether devices get the release; true by default."`
	PublishOptions
}

func (b createUpdateBody) Model() models.Publish {
	p := b.model()
	p.BuildID, p.Branch, p.Channel, p.IsEnabled = b.BuildID, b.BranchName, b.Channel, b.IsEnabled
	p.Direct = true
	return p
}

func (b createUpdateBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (createUpdateBody) Example() any {
	return createUpdateBody{BuildID: 12, BranchName: "next", PublishOptions: PublishOptions{RolloutPercentage: new(25.0)}}
}

type patchUpdateBody struct {
	IsEnabled         rest.Patch[bool]       `json:"isEnabled,omitzero" doc:"Whether devices get the release."`
	IsCritical        rest.Patch[bool]       `json:"isCritical,omitzero" doc:"Whether devices apply the release immediately."`
	RolloutPercentage rest.Patch[float64]    `json:"rolloutPercentage,omitzero" minimum:"0" maximum:"100" doc:"Percentage of devices that get the release, 0 to 100."`
	ReleaseMessage    rest.Patch[string]     `json:"releaseMessage,omitzero" nullable:"true" doc:"Release notes; null clears them."`
	LinkedFlags       rest.Patch[[]FlagLink] `json:"linkedFlags,omitzero" nullable:"true" doc:"Linked feature flags, which replace all current ones; null removes them."`
	Reason            string                 `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the history of the release and the audit log."`
}

func (b patchUpdateBody) Model() (models.ReleasePatch, models.Problems) {
	var p models.Problems
	patch := models.ReleasePatch{
		IsEnabled:         b.IsEnabled.NotNull(&p, "isEnabled"),
		IsCritical:        b.IsCritical.NotNull(&p, "isCritical"),
		RolloutPercentage: b.RolloutPercentage.NotNull(&p, "rolloutPercentage"),
		ReleaseMessage:    rest.Cleared(b.ReleaseMessage),
		Reason:            b.Reason,
	}
	if b.LinkedFlags.Set {
		patch.LinkedFlags = &[]models.FlagLink{}
		if links := b.LinkedFlags.Value; links != nil {
			*patch.LinkedFlags = rest.Rendered(*links, linkModel)
		}
	}
	return patch, p
}

func (b patchUpdateBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchUpdateBody) Example() any                   { return patchUpdateBody{IsEnabled: rest.PatchTo(false)} }

// CreateUpdate publishes a build.
func (h *Handlers) CreateUpdate(ctx context.Context, in *rest.BodyInput[createUpdateBody]) (*rest.Output[Update], error) {
	return rest.CreatingBy[createUpdateBody](h.Operations, operations.PublishUpdate, UpdateRecord)(ctx, in)
}

// PatchUpdate changes the release in the path.
func (h *Handlers) PatchUpdate(ctx context.Context, in *rest.IDBodyInput[patchUpdateBody]) (*rest.Output[Update], error) {
	return rest.PatchingBy[patchUpdateBody](h.Operations, operations.PatchUpdate, UpdateRecord)(ctx, in)
}

// DeleteUpdate deletes the release in the path.
func (h *Handlers) DeleteUpdate(ctx context.Context, in *rest.IDInput) (*struct{}, error) {
	return rest.DeletingBy(h.Operations, operations.DeleteUpdate)(ctx, in)
}
