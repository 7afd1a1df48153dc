package rollouts

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
)

var (
	previewUpdateDoc    = previewDoc(releases.PatchUpdateDoc, releases.TagUpdates, "previewUpdate", "Preview a change of a release")
	previewDeletionDoc  = previewDoc(releases.DeleteUpdateDoc, releases.TagUpdates, "previewDeleteUpdate", "Preview the deletion of a release")
	previewRepublishDoc = previewDoc(releases.RepublishDoc, releases.TagUpdates, "previewRepublishUpdate", "Preview a republish")
	previewCreateDoc    = previewDoc(releases.CreateUpdateDoc, releases.TagUpdates, "previewCreateUpdate",
		"Preview publishing a build to a branch or a channel", http.StatusNotFound)
	previewPublishDoc = previewDoc(releases.PublishBuildDoc, builds.TagBuilds, "previewPublishBuild", "Preview publishing a build")
	previewStartDoc   = previewDoc(startExecutionDoc, tagExecutions, "previewStartRolloutExecution", "Preview the start of a rollout",
		http.StatusNotFound)
	previewChannelDeletionDoc = previewDoc(releases.DeleteChannelDoc, releases.TagChannels, "previewDeleteChannel",
		"Preview the deletion of a channel")
)

// recordIDs finds the records that the paths of previews name. It works before the handlers are complete.
type recordIDs struct{ h *Handlers }

func (r recordIDs) UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error) {
	return r.h.Releases.Releases.UpdateID(ctx, projectID, updateUUID)
}

func (r recordIDs) BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
	return r.h.Releases.Builds.BuildID(ctx, projectID, id)
}

// previewRoutes returns the routes of the previews of calls about releases, channels and user overrides.
func (h *Handlers) previewRoutes() []rest.Route {
	update := releases.UpdateIdentifier(recordIDs{h})
	return append(h.overridePreviewRoutes(), []rest.Route{
		{
			Method: http.MethodPost, Path: "/v1/ota/rollback/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewRollbackDoc, previewing(h, h.Releases.RollBack, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewCreateDoc, previewing(h, h.Releases.CreateUpdate, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates/{id}/preview", Access: rest.Viewer, ID: update,
			Serve: rest.Operation(previewUpdateDoc, previewing(h, h.Releases.PatchUpdate, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates/{id}/delete/preview", Access: rest.Viewer, ID: update,
			Serve: rest.Operation(previewDeletionDoc, previewing(h, h.Releases.DeleteUpdate, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates/{id}/republish/preview", Access: rest.Viewer, ID: update,
			Serve: rest.Operation(previewRepublishDoc, previewing(h, h.Releases.Republish, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/builds/{id}/publish/preview", Access: rest.Viewer,
			ID:    builds.BuildIdentifier(recordIDs{h}),
			Serve: rest.Operation(previewPublishDoc, previewing(h, h.Releases.PublishBuild, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewStartDoc, previewing(h, h.startExecution, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/channels/{name}/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewChannelDoc, previewing(h, h.Releases.PatchChannel, noTarget)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/channels/{name}/delete/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewChannelDeletionDoc, previewing(h, h.Releases.DeleteChannel, noTarget)),
		},
	}...)
}
