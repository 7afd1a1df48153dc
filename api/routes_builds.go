package api

import "net/http"

// routes are the rows of uploads.
func (h *BuildsHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/builds", access: viewer,
			serve: operation(listBuildsDoc, listing(h.Builds, Builds.ListBuilds, buildRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/builds", access: editor, channelKeys: true,
			schemas: schemasOf(BuildForm{}, NamedBuild{}),
			serve:   plain(uploadBuildDoc, limitBodyTime(uploadStallTime, true), h.uploadBuild),
		},
		{
			method: http.MethodPost, path: "/v1/ota/builds/check", access: editor, channelKeys: true,
			serve: operation(repeatable(checkFilesDoc), h.checkFiles),
		},
		{
			method: http.MethodHead, path: "/v1/ota/builds/files/{sha256}", access: editor, channelKeys: true,
			serve: plain(fileHeadDoc, h.headFile),
		},
		{
			method: http.MethodPut, path: "/v1/ota/builds/files/{sha256}", access: editor, channelKeys: true,
			schemas: schemasOf(FileUpload{}),
			serve:   plain(putFileDoc, limitBodyTime(uploadStallTime, true), h.putFile),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/builds/{id}", access: editor,
			id:    buildIdentifier(h.Builds),
			serve: operation(deleteBuildDoc, deleting(h.Builds, Builds.DeleteBuild)),
		},
		{
			method: http.MethodPut, path: "/v1/ota/builds/{id}/sourcemap", access: editor, channelKeys: true,
			id:    buildIdentifier(h.Builds),
			serve: plain(putSourceMapDoc, limitBodyTime(uploadStallTime, true), h.putSourceMap),
		},
	}
}
