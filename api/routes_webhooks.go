package api

import "net/http"

// routes are the rows of webhooks.
func (h *WebhooksHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/webhooks", access: viewer,
			serve: operation(listWebhooksDoc, h.listWebhooks),
		},
		{
			method: http.MethodPost, path: "/v1/ota/webhooks", access: editor,
			serve: operation(createWebhookDoc, h.createWebhook),
		},
		{
			method: http.MethodGet, path: "/v1/ota/webhooks/events", access: viewer,
			serve: operation(listWebhookEventsDoc, h.listWebhookEvents),
		},
		{
			method: http.MethodPost, path: "/v1/ota/webhooks/{id}/recover", access: editor,
			serve: operation(recoverWebhookDoc, h.recoverWebhook),
		},
		{
			method: http.MethodGet, path: "/v1/ota/webhooks/{id}", access: viewer,
			serve: operation(getWebhookDoc, h.getWebhook),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/webhooks/{id}", access: editor,
			current: h.currentWebhook,
			serve:   operation(patchWebhookDoc, h.patchWebhook),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/webhooks/{id}", access: editor,
			current: h.currentWebhook,
			serve:   operation(deleteWebhookDoc, deleting(h.Webhooks, Webhooks.DeleteWebhook)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/webhooks/{id}/rotate-secret", access: editor,
			serve: operation(rotateWebhookDoc, h.rotateWebhook),
		},
		{
			method: http.MethodGet, path: "/v1/ota/webhooks/{id}/deliveries", access: viewer,
			serve: operation(listDeliveriesDoc, h.listDeliveries),
		},
		{
			method: http.MethodPost, path: "/v1/ota/webhooks/{id}/test", access: editor,
			serve: operation(testWebhookDoc, h.testWebhook),
		},
		{
			method: http.MethodPost, path: "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver", access: editor,
			serve: operation(redeliverDoc, h.redeliverWebhook),
		},
	}
}
