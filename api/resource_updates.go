package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Releases stores releases.
type Releases interface {
	Publish(ctx context.Context, projectID int64, actor models.Actor, p models.Publish) (models.Release, error)
	ListReleases(
		ctx context.Context, projectID int64, filter models.ReleaseFilter, page models.Page,
	) ([]models.Release, error)
	Release(ctx context.Context, projectID, id int64) (models.Release, error)
	// UpdateID finds a release by its update UUID, also a deleted one.
	UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error)
	UpdateRelease(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.ReleasePatch,
	) (models.Release, error)
	DeleteRelease(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	Republish(
		ctx context.Context, projectID int64, actor models.Actor, id int64, n models.Republish,
	) (models.Republished, error)
	Rollback(ctx context.Context, projectID int64, actor models.Actor, n models.Rollback) (models.Release, error)
	// ReleaseHistory answers for deleted releases, too.
	ReleaseHistory(ctx context.Context, projectID, id int64, page models.HistoryPage) ([]models.AuditEntry, error)
}

type updateHandlers struct{ releases Releases }

var listUpdatesDoc = huma.Operation{
	OperationID: "listUpdates", Tags: []string{tagUpdates}, Summary: "List releases",
	Description: "A release must match all given filters.",
}

type listUpdatesInput struct {
	PageQuery
	Channel        string          `query:"channel" doc:"Published to this channel."`
	Branch         string          `query:"branch" doc:"On this branch."`
	Platform       models.Platform `query:"platform" enum:"ios,android" doc:"Of this platform."`
	RuntimeVersion string          `query:"runtimeVersion" doc:"Of this runtime version."`
	GroupID        string          `query:"groupId" format:"uuid" doc:"Of this publish."`
	IsEnabled      string          `query:"isEnabled" enum:"true,false" doc:"Enabled or not."`
}

func (in listUpdatesInput) filter() models.ReleaseFilter {
	f := models.ReleaseFilter{
		Channel: in.Channel, Branch: in.Branch, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		GroupID: parsedUUID(in.GroupID),
	}
	if in.IsEnabled != "" {
		f.IsEnabled = new(in.IsEnabled == "true")
	}
	return f
}

func (h updateHandlers) list(ctx context.Context, in *listUpdatesInput) (*List[Update], error) {
	return listed(ctx, in.PageQuery, updateRecord, func(p models.Page) ([]models.Release, error) {
		return h.releases.ListReleases(ctx, projectOf(ctx), in.filter(), p)
	})
}

var createUpdateDoc = huma.Operation{
	OperationID: "createUpdate", Tags: []string{tagUpdates}, Summary: "Publish a build to a branch or a channel",
	Description:   "Give branchName or channel, not both. A groupId that was used for the same platform and branch is already_exists.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusNotFound},
}

type createUpdateBody struct {
	BuildID    int64  `json:"buildId" minimum:"1" doc:"The build to publish."`
	BranchName string `json:"branchName,omitempty" doc:"Publish straight to this branch."`
	Channel    string `json:"channel,omitempty" doc:"Publish to the branch of this channel."`
	IsEnabled  *bool  `json:"isEnabled,omitempty" doc:"False keeps devices from getting it for now; true when absent."`
	PublishOptions
}

func (b createUpdateBody) model() models.Publish {
	p := b.PublishOptions.model()
	p.BuildID, p.Branch, p.Channel, p.IsEnabled = b.BuildID, b.BranchName, b.Channel, b.IsEnabled
	p.Direct = true
	return p
}

func (b createUpdateBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createUpdateBody) example() any {
	return createUpdateBody{BuildID: 12, BranchName: "next", PublishOptions: PublishOptions{RolloutPercentage: new(25.0)}}
}

var getUpdateDoc = huma.Operation{
	OperationID: "getUpdate", Tags: []string{tagUpdates}, Summary: "Get a release",
	Description: "The current state.",
}

var patchUpdateDoc = huma.Operation{
	OperationID: "patchUpdate", Tags: []string{tagUpdates}, Summary: "Change a release",
	Description: "Absent fields keep their value. rolloutPercentage cannot be changed while the release has a rollout (rollout_in_progress).",
	Errors:      []int{http.StatusConflict},
}

type patchUpdateBody struct {
	IsEnabled         Patch[bool]    `json:"isEnabled,omitzero" doc:"Whether devices are served it."`
	IsCritical        Patch[bool]    `json:"isCritical,omitzero" doc:"Devices apply it at once."`
	RolloutPercentage Patch[float64] `json:"rolloutPercentage,omitzero" minimum:"0" maximum:"100" doc:"Share of devices that get it."`
	ReleaseMessage    Patch[string]  `json:"releaseMessage,omitzero" nullable:"true" doc:"Release notes; null clears them."`

	LinkedFlags Patch[[]FlagLink] `json:"linkedFlags,omitzero" nullable:"true" doc:"Replaces all linked feature flags; null removes them."`
}

func (b patchUpdateBody) model() (models.ReleasePatch, models.Problems) {
	var p models.Problems
	patch := models.ReleasePatch{
		IsEnabled:         b.IsEnabled.notNull(&p, "isEnabled"),
		IsCritical:        b.IsCritical.notNull(&p, "isCritical"),
		RolloutPercentage: b.RolloutPercentage.notNull(&p, "rolloutPercentage"),
		ReleaseMessage:    cleared(b.ReleaseMessage),
	}
	if b.LinkedFlags.set {
		patch.LinkedFlags = &[]models.FlagLink{}
		if links := b.LinkedFlags.value; links != nil {
			*patch.LinkedFlags = rendered(*links, linkModel)
		}
	}
	return patch, p
}

func (b patchUpdateBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchUpdateBody) example() any { return patchUpdateBody{IsEnabled: patchTo(false)} }

var deleteUpdateDoc = huma.Operation{
	OperationID: "deleteUpdate", Tags: []string{tagUpdates}, Summary: "Delete a release",
	Description: "Devices are no longer served it; its history and the audit log keep it. A release with a rollout cannot be deleted (rollout_in_progress).",
	Errors:      []int{http.StatusConflict},
}
