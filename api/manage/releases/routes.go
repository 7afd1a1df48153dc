package releases

import (
	"net/http"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of releases, branches, channels and user overrides.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/v1/ota/builds/{id}/publish", Access: rest.Editor,
			Asks: operations.PublishUpdate.Name(), ChannelKeys: true,
			ID:    builds.BuildIdentifier(h.Builds),
			Serve: rest.Operation(PublishBuildDoc, h.PublishBuild),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/updates", Access: rest.Viewer,
			Serve: rest.Operation(listUpdatesDoc, h.listUpdates),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates", Access: rest.Editor, Asks: operations.PublishUpdate.Name(), ChannelKeys: true,
			Serve: rest.Operation(CreateUpdateDoc, h.CreateUpdate),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/updates/{id}", Access: rest.Viewer,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(getUpdateDoc, rest.Getting(h.Releases, Releases.Release, UpdateRecord)),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/updates/{id}", Access: rest.Editor,
			Asks: operations.PatchUpdate.Name(), ChannelKeys: true,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(PatchUpdateDoc, h.PatchUpdate),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/updates/{id}", Access: rest.Editor,
			Asks: operations.DeleteUpdate.Name(), ChannelKeys: true,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(DeleteUpdateDoc, h.DeleteUpdate),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/updates/{id}/republish", Access: rest.Editor,
			Asks: operations.RepublishUpdate.Name(), ChannelKeys: true,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(RepublishDoc, h.Republish),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/updates/{id}/history", Access: rest.Viewer,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(updateHistoryDoc, h.updateHistory),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/updates/{id}/patches", Access: rest.Viewer,
			ID:    UpdateIdentifier(h.Releases),
			Serve: rest.Operation(listPatchesDoc, h.listPatches),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollback", Access: rest.Editor, Asks: operations.RollBackChannel.Name(), ChannelKeys: true,
			Serve: rest.Operation(RollbackDoc, h.RollBack),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/resolve", Access: rest.Viewer,
			Serve: rest.Operation(resolveDoc, h.resolve),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/branches", Access: rest.Viewer,
			Serve: rest.Operation(listBranchesDoc, rest.Listing(h.Branches, Branches.ListBranches, BranchRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/branches", Access: rest.Editor,
			Serve: rest.Operation(createBranchDoc, rest.Creating[createBranchBody](h.Branches, Branches.CreateBranch, BranchRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/branches/{name}", Access: rest.Editor,
			Serve: rest.Operation(deleteBranchDoc, rest.DeletingNamed(h.Branches, Branches.DeleteBranch)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/channels", Access: rest.Viewer,
			Serve: rest.Operation(listChannelsDoc, rest.Listing(h.Channels, Channels.ListChannels, ChannelRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/channels", Access: rest.Editor,
			Serve: rest.Operation(createChannelDoc, rest.Creating[createChannelBody](h.Channels, Channels.CreateChannel, ChannelRecord)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/channels/{name}", Access: rest.Viewer,
			Serve: rest.Operation(getChannelDoc, h.getChannel),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/channels/{name}", Access: rest.Editor,
			Asks: operations.PatchChannel.Name(), ChannelKeys: true,
			Serve: rest.Operation(PatchChannelDoc, h.PatchChannel),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/channels/{name}", Access: rest.Editor, Asks: operations.DeleteChannel.Name(),
			Serve: rest.Operation(DeleteChannelDoc, h.DeleteChannel),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/user-overrides", Access: rest.Viewer,
			Serve: rest.Operation(listOverridesDoc, rest.Listing(h.UserOverrides, UserOverrides.ListUserOverrides, OverrideRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/user-overrides", Access: rest.Editor, Asks: operations.CreateUserOverride.Name(),
			Serve: rest.Operation(CreateOverrideDoc,
				rest.CreatingBy[createOverrideBody](h.Operations, operations.CreateUserOverride, OverrideRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/user-overrides/{id}", Access: rest.Editor,
			Asks:  operations.DeleteUserOverride.Name(),
			Serve: rest.Operation(DeleteOverrideDoc, rest.DeletingBy(h.Operations, operations.DeleteUserOverride)),
		},
	}
}
