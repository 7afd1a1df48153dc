package api

import "net/http"

// routes are the rows of releases, branches, channels and user overrides.
func (h *ReleasesHandlers) routes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/v1/ota/builds/{id}/publish", access: editor, asks: true, channelKeys: true,
			id:    buildIdentifier(h.Builds),
			serve: operation(publishBuildDoc, h.publishBuild),
		},
		{
			method: http.MethodGet, path: "/v1/ota/updates", access: viewer,
			serve: operation(listUpdatesDoc, h.listUpdates),
		},
		{
			method: http.MethodPost, path: "/v1/ota/updates", access: editor, asks: true, channelKeys: true,
			serve: operation(createUpdateDoc, creating[createUpdateBody](h.Releases, Releases.Publish, updateRecord)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/updates/{id}", access: viewer,
			id:    updateIdentifier(h.Releases),
			serve: operation(getUpdateDoc, getting(h.Releases, Releases.Release, updateRecord)),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/updates/{id}", access: editor, asks: true, channelKeys: true,
			current: currentByID(h.Releases, Releases.Release, updateRecord),
			id:      updateIdentifier(h.Releases),
			serve:   operation(patchUpdateDoc, patching[patchUpdateBody](h.Releases, Releases.UpdateRelease, updateRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/updates/{id}", access: editor, channelKeys: true,
			current: currentByID(h.Releases, Releases.Release, updateRecord),
			id:      updateIdentifier(h.Releases),
			serve:   operation(deleteUpdateDoc, deleting(h.Releases, Releases.DeleteRelease)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/updates/{id}/republish", access: editor, asks: true, channelKeys: true,
			id:    updateIdentifier(h.Releases),
			serve: operation(republishDoc, h.republish),
		},
		{
			method: http.MethodGet, path: "/v1/ota/updates/{id}/history", access: viewer,
			id:    updateIdentifier(h.Releases),
			serve: operation(updateHistoryDoc, h.updateHistory),
		},
		{
			method: http.MethodGet, path: "/v1/ota/updates/{id}/patches", access: viewer,
			id:    updateIdentifier(h.Releases),
			serve: operation(listPatchesDoc, h.listPatches),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollback", access: editor, asks: true, channelKeys: true,
			serve: operation(rollbackDoc, h.rollBack),
		},
		{
			method: http.MethodGet, path: "/v1/ota/resolve", access: viewer,
			serve: operation(resolveDoc, h.resolve),
		},
		{
			method: http.MethodGet, path: "/v1/ota/branches", access: viewer,
			serve: operation(listBranchesDoc, listing(h.Branches, Branches.ListBranches, branchRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/branches", access: editor,
			serve: operation(createBranchDoc, creating[createBranchBody](h.Branches, Branches.CreateBranch, branchRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/branches/{name}", access: editor,
			serve: operation(deleteBranchDoc, deletingNamed(h.Branches, Branches.DeleteBranch)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/channels", access: viewer,
			serve: operation(listChannelsDoc, listing(h.Channels, Channels.ListChannels, channelRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/channels", access: editor,
			serve: operation(createChannelDoc, creating[createChannelBody](h.Channels, Channels.CreateChannel, channelRecord)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/channels/{name}", access: viewer,
			serve: operation(getChannelDoc, h.getChannel),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/channels/{name}", access: editor, asks: true, channelKeys: true,
			current: h.currentChannel,
			serve:   operation(patchChannelDoc, h.patchChannel),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/channels/{name}", access: editor, asks: true,
			current: h.currentChannel,
			serve:   operation(deleteChannelDoc, deletingNamed(h.Channels, Channels.DeleteChannel)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/user-overrides", access: viewer,
			serve: operation(listOverridesDoc, listing(h.UserOverrides, UserOverrides.ListUserOverrides, overrideRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/user-overrides", access: editor, asks: true,
			serve: operation(createOverrideDoc,
				creating[createOverrideBody](h.UserOverrides, UserOverrides.CreateUserOverride, overrideRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/user-overrides/{id}", access: editor, asks: true,
			serve: operation(deleteOverrideDoc, deleting(h.UserOverrides, UserOverrides.DeleteUserOverride)),
		},
	}
}
