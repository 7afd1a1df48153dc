package builds

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of uploads.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/builds", Access: rest.Viewer,
			Serve: rest.Operation(listBuildsDoc, h.listBuilds),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/builds", Access: rest.Editor, ChannelKeys: true, ServedLater: true,
			Schemas: rest.SchemasOf(BuildForm{}, NamedBuild{}),
			Serve:   rest.Plain(uploadBuildDoc, rest.RenewBodyTime, h.uploadBuild),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/builds/check", Access: rest.Editor, ChannelKeys: true, ServedLater: true,
			Serve: rest.Operation(rest.Repeatable(checkFilesDoc), h.checkFiles),
		},
		{
			Method: http.MethodHead, Path: "/v1/ota/builds/files/{sha256}", Access: rest.Editor, ChannelKeys: true,
			Serve: rest.Plain(fileHeadDoc, h.headFile),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/builds/files/{sha256}", Access: rest.Editor, ChannelKeys: true, ServedLater: true,
			Schemas: rest.SchemasOf(FileUpload{}),
			Serve:   rest.Plain(putFileDoc, rest.RenewBodyTime, h.putFile),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/builds/{id}", Access: rest.Viewer,
			ID:    BuildIdentifier(h.Builds),
			Serve: rest.Operation(getBuildDoc, rest.Getting(h.Builds, Builds.Build, BuildRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/builds/{id}", Access: rest.Editor,
			ID:    BuildIdentifier(h.Builds),
			Serve: rest.Operation(deleteBuildDoc, rest.Deleting(h.Builds, Builds.DeleteBuild)),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/builds/{id}/sourcemap", Access: rest.Editor, ChannelKeys: true,
			ID:    BuildIdentifier(h.Builds),
			Serve: rest.Plain(putSourceMapDoc, rest.RenewBodyTime, h.putSourceMap),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/builds/{id}/sourcemap", Access: rest.Editor,
			ID:    BuildIdentifier(h.Builds),
			Serve: rest.Operation(deleteSourceMapDoc, h.deleteSourceMap),
		},
	}
}
