package project

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of projects, their keys, settings and audit log.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/projects", Access: rest.Anyone,
			Serve: rest.Operation(listProjectsDoc, h.listProjects),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/projects", Access: rest.Root,
			Serve: rest.Operation(createProjectDoc, h.createProject),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/projects/{slug}", Access: rest.Root,
			Serve: rest.Operation(deleteProjectDoc, h.deleteProject),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/api-keys", Access: rest.Admin,
			Serve: rest.Operation(listAPIKeysDoc, h.listAPIKeys),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/api-keys", Access: rest.Admin,
			Serve: rest.Operation(createAPIKeyDoc, h.createAPIKey),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/api-keys/revoke", Access: rest.Admin,
			Serve: rest.Operation(revokeAPIKeysDoc, h.revokeAPIKeys),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/api-keys/{id}", Access: rest.Admin,
			Serve: rest.Operation(revokeAPIKeyDoc, rest.Deleting(h.APIKeys, APIKeys.RevokeAPIKey)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/trusted-publishers", Access: rest.Admin,
			Serve: rest.Operation(listPublishersDoc, rest.Reading(h.TrustedPublishers, TrustedPublishers.TrustedPublishers, renderPublishers)),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/trusted-publishers", Access: rest.Admin,
			Serve: rest.Operation(putPublishersDoc, h.putPublishers),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/code-signing", Access: rest.Viewer,
			Serve: rest.Operation(getSigningDoc, h.getSigning),
		},
		{
			Method: http.MethodPut, Path: "/v1/ota/code-signing", Access: rest.Admin,
			Serve: rest.Operation(putSigningDoc, rest.Creating[putSigningBody](h.SigningKeys, SigningKeys.PutSigningKey, signingRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/code-signing", Access: rest.Admin,
			Serve: rest.Operation(deleteSigningDoc, h.deleteSigning),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/stream", Access: rest.Viewer,
			Streams: true,
			Serve:   rest.Plain(streamProjectDoc, h.streamProject),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/audit-log/export", Access: rest.Viewer,
			Serve: rest.Operation(exportAuditDoc, h.exportAudit),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/audit-log", Access: rest.Viewer,
			Serve: rest.Operation(listAuditDoc, h.listAudit),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/settings", Access: rest.Viewer,
			Serve: rest.Operation(getSettingsDoc, rest.Reading(h.Settings, Settings.Settings, settingsRecord)),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/settings", Access: rest.Admin,
			Serve: rest.Operation(patchSettingsDoc, h.patchSettings),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/gc", Access: rest.Viewer,
			Serve: rest.Operation(previewGarbageDoc, rest.Reading(h.Collector, Collector.Preview, garbageRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/gc", Access: rest.Admin,
			Serve: rest.Operation(rest.Repeatable(collectGarbageDoc), h.collectGarbage),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/devices/{deviceId}/data", Access: rest.Admin,
			Serve: rest.Operation(eraseDeviceDoc, h.eraseDevice),
		},
	}
}
