package webhooks

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of webhooks.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/webhooks", Access: rest.Viewer,
			Serve: rest.Operation(listWebhooksDoc, h.listWebhooks),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/webhooks", Access: rest.Editor,
			Serve: rest.Operation(createWebhookDoc, h.createWebhook),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/webhooks/events", Access: rest.Viewer,
			Serve: rest.Operation(listWebhookEventsDoc, h.listWebhookEvents),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/webhooks/{id}/recover", Access: rest.Editor,
			Serve: rest.Operation(recoverWebhookDoc, h.recoverWebhook),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/webhooks/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getWebhookDoc, h.getWebhook),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/webhooks/{id}", Access: rest.Editor,
			Serve: rest.Operation(patchWebhookDoc, h.patchWebhook),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/webhooks/{id}", Access: rest.Editor,
			Serve: rest.Operation(deleteWebhookDoc, rest.Deleting(h.Webhooks, Webhooks.DeleteWebhook)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/webhooks/{id}/rotate-secret", Access: rest.Editor,
			Serve: rest.Operation(rotateWebhookDoc, h.rotateWebhook),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/webhooks/{id}/deliveries", Access: rest.Viewer,
			Serve: rest.Operation(listDeliveriesDoc, h.listDeliveries),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/webhooks/{id}/test", Access: rest.Editor,
			Serve: rest.Operation(testWebhookDoc, h.testWebhook),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver", Access: rest.Editor,
			Serve: rest.Operation(redeliverDoc, h.redeliverWebhook),
		},
	}
}
