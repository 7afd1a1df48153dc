package api

import "net/http"

// routes are the rows of telemetry.
func (h *InsightsHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/overview", access: viewer,
			serve: operation(overviewDoc, h.overview),
		},
		{
			method: http.MethodGet, path: "/v1/ota/devices", access: viewer,
			serve: operation(listDevicesDoc, h.listDevices),
		},
		{
			method: http.MethodGet, path: "/v1/ota/devices/{deviceId}", access: viewer,
			serve: operation(getDeviceDoc, h.getDevice),
		},
		{
			method: http.MethodGet, path: "/v1/ota/insights/adoption", access: viewer,
			serve: operation(adoptionDoc, h.adoption),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/timeseries", access: viewer,
			serve: operation(timeseriesDoc, h.timeseries),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/events", access: viewer,
			serve: operation(telemetryEventsDoc, h.telemetryEvents),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/refused", access: viewer,
			serve: operation(refusedDoc, h.listRefused),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/incidents", access: viewer,
			serve: operation(listIncidentsDoc, h.listIncidents),
		},
		{
			method: http.MethodGet, path: "/v1/ota/telemetry/incidents/{id}", access: viewer,
			serve: operation(getIncidentDoc, h.getIncident),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/telemetry/incidents/{id}", access: editor,
			current: currentByID(h.Incidents, Incidents.Incident, incidentAlone),
			serve:   operation(patchIncidentDoc, h.patchIncident),
		},
		{
			method: http.MethodGet, path: "/v1/ota/observe/events", access: viewer,
			serve: operation(observeEventsDoc, h.observeEvents),
		},
		{
			method: http.MethodGet, path: "/v1/ota/observe/events/{eventId}", access: viewer,
			serve: operation(getEventDoc, h.getEvent),
		},
		{
			method: http.MethodGet, path: "/v1/ota/observe/groups", access: viewer,
			serve: operation(listGroupsDoc, h.listErrorGroups),
		},
		{
			method: http.MethodGet, path: "/v1/ota/observe/groups/{fingerprint}", access: viewer,
			serve: operation(getGroupDoc, h.getErrorGroup),
		},
	}
}
