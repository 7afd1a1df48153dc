package insights

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of telemetry.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/overview", Access: rest.Viewer,
			Serve: rest.Operation(overviewDoc, h.overview),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/attention", Access: rest.Viewer,
			Serve: rest.Operation(attentionDoc, h.attention),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/devices", Access: rest.Viewer,
			Serve: rest.Operation(listDevicesDoc, h.listDevices),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/devices/{deviceId}", Access: rest.Viewer,
			Serve: rest.Operation(getDeviceDoc, h.getDevice),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/insights/adoption", Access: rest.Viewer,
			Serve: rest.Operation(adoptionDoc, h.adoption),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/insights/releases", Access: rest.Viewer,
			Serve: rest.Operation(releaseFiguresDoc, h.releaseFigures),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/timeseries", Access: rest.Viewer,
			Serve: rest.Operation(timeseriesDoc, h.timeseries),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/events", Access: rest.Viewer,
			Serve: rest.Operation(telemetryEventsDoc, h.telemetryEvents),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/refused", Access: rest.Viewer,
			Serve: rest.Operation(refusedDoc, h.listRefused),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/incidents", Access: rest.Viewer,
			Serve: rest.Operation(listIncidentsDoc, h.listIncidents),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/telemetry/incidents/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getIncidentDoc, h.getIncident),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/telemetry/incidents/{id}", Access: rest.Editor,
			Serve: rest.Operation(patchIncidentDoc, h.patchIncident),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/observe/events", Access: rest.Viewer,
			Serve: rest.Operation(observeEventsDoc, h.observeEvents),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/observe/events/{eventId}", Access: rest.Viewer,
			Serve: rest.Operation(getEventDoc, h.getEvent),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/observe/groups", Access: rest.Viewer,
			Serve: rest.Operation(listGroupsDoc, h.listErrorGroups),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/observe/groups/{fingerprint}", Access: rest.Viewer,
			Serve: rest.Operation(getGroupDoc, h.getErrorGroup),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/observe/groups/{fingerprint}", Access: rest.Editor,
			Serve: rest.Operation(patchGroupDoc, h.patchErrorGroup),
		},
	}
}
