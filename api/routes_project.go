package api

import "net/http"

// routes are the rows of projects, their keys, settings and audit log.
func (h *ProjectHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/projects", access: anyone,
			serve: operation(listProjectsDoc, h.listProjects),
		},
		{
			method: http.MethodPost, path: "/v1/ota/projects", access: root,
			serve: operation(createProjectDoc, h.createProject),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/projects/{slug}", access: root,
			serve: operation(deleteProjectDoc, h.deleteProject),
		},
		{
			method: http.MethodGet, path: "/v1/ota/api-keys", access: admin,
			serve: operation(listAPIKeysDoc, h.listAPIKeys),
		},
		{
			method: http.MethodPost, path: "/v1/ota/api-keys", access: admin,
			serve: operation(createAPIKeyDoc, h.createAPIKey),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/api-keys/{id}", access: admin,
			serve: operation(revokeAPIKeyDoc, deleting(h.APIKeys, APIKeys.RevokeAPIKey)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/trusted-publishers", access: admin,
			serve: operation(listPublishersDoc, reading(h.TrustedPublishers, TrustedPublishers.TrustedPublishers, renderPublishers)),
		},
		{
			method: http.MethodPut, path: "/v1/ota/trusted-publishers", access: admin,
			serve: operation(putPublishersDoc, h.putPublishers),
		},
		{
			method: http.MethodGet, path: "/v1/ota/code-signing", access: admin,
			serve: operation(getSigningDoc, reading(h.SigningKeys, SigningKeys.SigningKey, signingRecord)),
		},
		{
			method: http.MethodPut, path: "/v1/ota/code-signing", access: admin,
			serve: operation(putSigningDoc, creating[putSigningBody](h.SigningKeys, SigningKeys.PutSigningKey, signingRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/code-signing", access: admin,
			serve: operation(deleteSigningDoc, h.deleteSigning),
		},
		{
			method: http.MethodGet, path: "/v1/ota/stream", access: viewer,
			serve: plain(streamProjectDoc, h.streamProject),
		},
		{
			method: http.MethodGet, path: "/v1/ota/audit-log/export", access: viewer,
			serve: operation(exportAuditDoc, h.exportAudit),
		},
		{
			method: http.MethodGet, path: "/v1/ota/audit-log", access: viewer,
			serve: operation(listAuditDoc, h.listAudit),
		},
		{
			method: http.MethodGet, path: "/v1/ota/settings", access: viewer,
			serve: operation(getSettingsDoc, reading(h.Settings, Settings.Settings, settingsRecord)),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/settings", access: admin,
			current: h.currentSettings,
			serve:   operation(patchSettingsDoc, h.patchSettings),
		},
		{
			method: http.MethodGet, path: "/v1/ota/gc", access: viewer,
			serve: operation(previewGarbageDoc, reading(h.Collector, Collector.Preview, garbageRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/gc", access: admin,
			serve: operation(repeatable(collectGarbageDoc), h.collectGarbage),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/devices/{deviceId}/data", access: admin,
			serve: operation(eraseDeviceDoc, h.eraseDevice),
		},
	}
}
