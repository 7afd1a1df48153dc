package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Webhooks stores webhooks and their deliveries.
type Webhooks interface {
	// CreateWebhook also returns the secret, which nothing else does.
	CreateWebhook(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewWebhook,
	) (models.Webhook, models.WebhookSecret, error)
	ListWebhooks(ctx context.Context, projectID int64, page models.Page) ([]models.Webhook, error)
	UpdateWebhook(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.WebhookPatch,
	) (models.Webhook, error)
	// RotateWebhookSecret makes a new secret and returns it.
	RotateWebhookSecret(
		ctx context.Context, projectID int64, actor models.Actor, id int64,
	) (models.Webhook, models.WebhookSecret, error)
	DeleteWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	ListWebhookDeliveries(
		ctx context.Context, projectID, webhookID int64, page models.Page,
	) ([]models.WebhookDelivery, error)
	// TestWebhook and Redeliver refuse a webhook that is not active.
	TestWebhook(ctx context.Context, projectID int64, actor models.Actor, webhookID int64) (models.WebhookDelivery, error)
	Redeliver(ctx context.Context, projectID, webhookID, deliveryID int64) (models.WebhookDelivery, error)
}

type webhookHandlers struct{ webhooks Webhooks }

var listWebhooksDoc = huma.Operation{
	OperationID: "listWebhooks", Tags: []string{tagWebhooks}, Summary: "List webhooks",
	Description: "Each webhook with its last delivery, without its secret.",
}

var createWebhookDoc = huma.Operation{
	OperationID: "createWebhook", Tags: []string{tagWebhooks}, Summary: "Create a webhook",
	Description: "Only this answer has the secret.", DefaultStatus: http.StatusCreated,
}

type createWebhookBody struct {
	URL         string   `json:"url" doc:"Absolute http or https URL that messages are posted to."`
	Events      []string `json:"events" doc:"Names of actions as in the audit log, such as build.published, or * for all."`
	Secret      *string  `json:"secret,omitempty" doc:"The secret that signs messages; generated when absent. The prefix whsec_ is followed by standard base64; any other text is used as it is."`
	IsActive    *bool    `json:"isActive,omitempty" doc:"False sends it no messages; true when absent."`
	Description string   `json:"description,omitempty"`
}

func (b createWebhookBody) model() models.NewWebhook {
	return models.NewWebhook{
		URL: b.URL, Description: b.Description, Events: b.Events, IsActive: b.IsActive == nil || *b.IsActive,
		Secret: webhookSecretModel(b.Secret),
	}
}

// webhookSecretModel takes a secret off the wire.
func webhookSecretModel(text *string) *models.WebhookSecret {
	if text == nil {
		return nil
	}
	return new(models.WebhookSecretOf(*text))
}

func (b createWebhookBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createWebhookBody) example() any {
	return createWebhookBody{URL: "https://example.com/hooks/waft", Events: []string{"build.published", "rollout.rolled_back"}}
}

func (h webhookHandlers) create(ctx context.Context, in *bodyInput[createWebhookBody]) (*output[CreatedWebhook], error) {
	w, secret, err := h.webhooks.CreateWebhook(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &output[CreatedWebhook]{CreatedWebhook{webhookRecord(w), secret.Reveal()}}, err
}

var patchWebhookDoc = huma.Operation{
	OperationID: "patchWebhook", Tags: []string{tagWebhooks}, Summary: "Change a webhook",
	Description: "Absent fields keep their value. Pending deliveries to a webhook are cancelled when it is disabled.",
}

type patchWebhookBody struct {
	URL         Patch[string]   `json:"url,omitzero" doc:"Absolute http or https URL that messages are posted to."`
	Events      Patch[[]string] `json:"events,omitzero" doc:"Names of actions as in the audit log, such as build.published, or * for all."`
	Secret      Patch[string]   `json:"secret,omitzero" doc:"A new secret; see rotate-secret to have one made."`
	IsActive    Patch[bool]     `json:"isActive,omitzero" doc:"False sends it no messages."`
	Description Patch[string]   `json:"description,omitzero" nullable:"true"`
}

func (b patchWebhookBody) model() (models.WebhookPatch, models.Problems) {
	var p models.Problems
	patch := models.WebhookPatch{
		URL: b.URL.notNull(&p, "url"), Events: b.Events.notNull(&p, "events"), IsActive: b.IsActive.notNull(&p, "isActive"),
		Secret: webhookSecretModel(b.Secret.notNull(&p, "secret")), Description: cleared(b.Description),
	}
	return patch, p
}

func (b patchWebhookBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchWebhookBody) example() any { return patchWebhookBody{IsActive: patchTo(false)} }

var rotateWebhookDoc = huma.Operation{
	OperationID: "rotateWebhookSecret", Tags: []string{tagWebhooks}, Summary: "Rotate a webhook's secret",
	Description:   "Only this answer has the new secret. The old secret is no longer used.",
	DefaultStatus: http.StatusOK,
}

func (h webhookHandlers) rotate(ctx context.Context, in *idInput) (*output[CreatedWebhook], error) {
	w, secret, err := h.webhooks.RotateWebhookSecret(ctx, projectOf(ctx), actorOf(ctx), in.ID)
	return &output[CreatedWebhook]{CreatedWebhook{webhookRecord(w), secret.Reveal()}}, err
}

var deleteWebhookDoc = huma.Operation{
	OperationID: "deleteWebhook", Tags: []string{tagWebhooks}, Summary: "Delete a webhook",
	Description: "Deletes its deliveries too. Pending ones are not sent.",
}

var listDeliveriesDoc = huma.Operation{
	OperationID: "listWebhookDeliveries", Tags: []string{tagWebhooks}, Summary: "List a webhook's deliveries",
	Description: "Each delivery with all its attempts. They are kept for at least 30 days.",
}

type listDeliveriesInput struct {
	IDPath
	PageQuery
}

func (h webhookHandlers) deliveries(ctx context.Context, in *listDeliveriesInput) (*List[WebhookDelivery], error) {
	return listed(ctx, in.PageQuery, deliveryRecord, func(p models.Page) ([]models.WebhookDelivery, error) {
		return h.webhooks.ListWebhookDeliveries(ctx, projectOf(ctx), in.ID, p)
	})
}

var testWebhookDoc = huma.Operation{
	OperationID: "testWebhook", Tags: []string{tagWebhooks}, Summary: "Send a test message to a webhook",
	Description: "Sends the event webhook.test, which needs no subscription. The message is signed and retried like any other. " +
		"Answers the pending delivery; its outcome is in the list of deliveries.",
	DefaultStatus: http.StatusCreated,
}

func (h webhookHandlers) test(ctx context.Context, in *idInput) (*output[WebhookDelivery], error) {
	d, err := h.webhooks.TestWebhook(ctx, projectOf(ctx), actorOf(ctx), in.ID)
	return &output[WebhookDelivery]{deliveryRecord(d)}, err
}

var redeliverDoc = huma.Operation{
	OperationID: "redeliverWebhook", Tags: []string{tagWebhooks}, Summary: "Redeliver a message",
	Description:   "Sends the same message, with the same webhook-id and body, as a new delivery. Its earlier deliveries may have succeeded or failed.",
	DefaultStatus: http.StatusCreated,
}

type redeliverInput struct {
	IDPath
	DeliveryID int64 `path:"deliveryId" minimum:"1" doc:"Id of the delivery whose message is sent." example:"32"`
}

func (h webhookHandlers) redeliver(ctx context.Context, in *redeliverInput) (*output[WebhookDelivery], error) {
	d, err := h.webhooks.Redeliver(ctx, projectOf(ctx), in.ID, in.DeliveryID)
	return &output[WebhookDelivery]{deliveryRecord(d)}, err
}
