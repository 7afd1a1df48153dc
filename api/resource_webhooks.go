package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

// Webhooks stores webhooks and their deliveries.
type Webhooks interface {
	// CreateWebhook also returns the secret.
	CreateWebhook(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewWebhook,
	) (models.Webhook, models.WebhookSecret, error)
	Webhook(ctx context.Context, projectID, id int64) (models.Webhook, error)
	ListWebhooks(ctx context.Context, projectID int64, page models.Page) ([]models.Webhook, error)
	UpdateWebhook(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.WebhookPatch,
	) (models.Webhook, error)
	// RotateWebhookSecret returns the new secret.
	RotateWebhookSecret(
		ctx context.Context, projectID int64, actor models.Actor, id int64,
	) (models.Webhook, models.WebhookSecret, error)
	DeleteWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	ListWebhookDeliveries(
		ctx context.Context, projectID, webhookID int64, filter models.DeliveryFilter, page models.Page,
	) ([]models.WebhookDelivery, error)
	// TestWebhook and Redeliver return an error for a webhook that is not active.
	TestWebhook(ctx context.Context, projectID int64, actor models.Actor, webhookID int64) (models.WebhookDelivery, error)
	Redeliver(ctx context.Context, projectID, webhookID, deliveryID int64) (models.WebhookDelivery, error)
	// RecoverWebhook sends what failed again, except what is on its way.
	RecoverWebhook(
		ctx context.Context, projectID int64, actor models.Actor, webhookID int64, since time.Time,
	) (models.WebhookRecovery, error)
}

// hiddenURLs says who sees which URL.
const hiddenURLs = "Only admins see the whole URL; for others … stands for what may be a secret in it: parts of the path that are long or no words in lower case, and values of the query."

var (
	listWebhooksDoc = doc(tagWebhooks, "listWebhooks", "List webhooks",
		"Each webhook with its last delivery, without its secret. "+hiddenURLs)
	getWebhookDoc    = doc(tagWebhooks, "getWebhook", "Get a webhook", "With its last delivery, without its secret. "+hiddenURLs)
	createWebhookDoc = doc(tagWebhooks, "createWebhook", "Create a webhook",
		"Only this answer has the secret.", http.StatusCreated)
	patchWebhookDoc = doc(tagWebhooks, "patchWebhook", "Change a webhook",
		"Absent fields keep their value, and so does a url that is sent as it was shown. Pending deliveries to a webhook are cancelled when it is disabled. "+hiddenURLs)
	rotateWebhookDoc = doc(tagWebhooks, "rotateWebhookSecret", "Rotate a webhook's secret",
		"Only this answer has the new secret. For 24 hours messages have two signatures, of the new and of the old secret, so that "+
			"receivers may change theirs meanwhile. Rotating again within that time ends the older one. To end a secret at once, PATCH secret.")
	deleteWebhookDoc = doc(tagWebhooks, "deleteWebhook", "Delete a webhook",
		"Deletes its deliveries too. Pending ones are not sent.")
	listDeliveriesDoc = doc(tagWebhooks, "listWebhookDeliveries", "List a webhook's deliveries",
		"Each delivery with all its attempts. They are kept for at least 30 days.")
	testWebhookDoc = doc(tagWebhooks, "testWebhook", "Send a test message to a webhook",
		"Sends the event webhook.test, which needs no subscription. The message is signed and retried like any other. "+
			"Answers the pending delivery; its outcome is in the list of deliveries.", http.StatusCreated)
	redeliverDoc = doc(tagWebhooks, "redeliverWebhook", "Redeliver a message",
		"Sends the same message, with the same webhook-id and body, as a new delivery. Its earlier deliveries may have succeeded or failed.",
		http.StatusCreated)
)

type createWebhookBody struct {
	URL         string   `json:"url" doc:"Absolute http or https URL that messages are posted to."`
	Events      []string `json:"events" doc:"Names of actions as in the audit log, such as build.published, or * for all."`
	Secret      *string  `json:"secret,omitempty" doc:"The secret that signs messages; generated when absent. The prefix whsec_ is followed by standard base64; any other text is used as it is."`
	IsActive    *bool    `json:"isActive,omitempty" doc:"False sends it no messages; true when absent."`
	Description string   `json:"description,omitempty"`

	Format models.WebhookFormat `json:"format,omitempty" enum:"standard,slack,teams" doc:"standard when absent. slack is for incoming webhooks of Slack, teams for Workflows webhooks of Microsoft Teams."`
}

func (b createWebhookBody) model() models.NewWebhook {
	return models.NewWebhook{
		URL: b.URL, Description: b.Description, Events: b.Events, IsActive: b.IsActive == nil || *b.IsActive,
		Secret: webhookSecretModel(b.Secret), Format: b.Format,
	}
}

// webhookSecretModel is nil for nil.
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

func (h *WebhooksHandlers) createWebhook(ctx context.Context, in *bodyInput[createWebhookBody]) (*output[CreatedWebhook], error) {
	w, secret, err := h.Webhooks.CreateWebhook(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &output[CreatedWebhook]{CreatedWebhook{webhookRecordFor(ctx)(w), secret.Reveal()}}, err
}

func (h *WebhooksHandlers) listWebhooks(ctx context.Context, in *listInput) (*List[Webhook], error) {
	return listed(ctx, in.PageQuery, webhookRecordFor(ctx), func(p models.Page) ([]models.Webhook, error) {
		return h.Webhooks.ListWebhooks(ctx, projectOf(ctx), p)
	})
}

func (h *WebhooksHandlers) getWebhook(ctx context.Context, in *idInput) (*output[Webhook], error) {
	w, err := h.Webhooks.Webhook(ctx, projectOf(ctx), in.ID)
	return &output[Webhook]{webhookRecordFor(ctx)(w)}, err
}

func (h *WebhooksHandlers) patchWebhook(ctx context.Context, in *idBodyInput[patchWebhookBody]) (*output[Webhook], error) {
	patch, _ := in.Body.model() // Resolve has rejected a body with problems
	w, err := h.Webhooks.UpdateWebhook(ctx, projectOf(ctx), actorOf(ctx), in.ID, patch)
	return &output[Webhook]{webhookRecordFor(ctx)(w)}, err
}

type patchWebhookBody struct {
	URL         Patch[string]   `json:"url,omitzero" doc:"Absolute http or https URL that messages are posted to."`
	Events      Patch[[]string] `json:"events,omitzero" doc:"Names of actions as in the audit log, such as build.published, or * for all."`
	Secret      Patch[string]   `json:"secret,omitzero" doc:"A new secret, which takes the place of all others at once; see rotate-secret to have one made and the old one sign for another day."`
	IsActive    Patch[bool]     `json:"isActive,omitzero" doc:"False sends it no messages."`
	Description Patch[string]   `json:"description,omitzero" nullable:"true"`

	Format Patch[models.WebhookFormat] `json:"format,omitzero" enum:"standard,slack,teams" doc:"What messages look like, those that wait included."`
}

func (b patchWebhookBody) model() (models.WebhookPatch, models.Problems) {
	var p models.Problems
	patch := models.WebhookPatch{
		URL: b.URL.notNull(&p, "url"), Events: b.Events.notNull(&p, "events"), IsActive: b.IsActive.notNull(&p, "isActive"),
		Secret: webhookSecretModel(b.Secret.notNull(&p, "secret")), Description: cleared(b.Description),
		Format: b.Format.notNull(&p, "format"),
	}
	return patch, p
}

func (b patchWebhookBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }
func (patchWebhookBody) example() any                   { return patchWebhookBody{IsActive: patchTo(false)} }

func (h *WebhooksHandlers) rotateWebhook(ctx context.Context, in *idInput) (*output[CreatedWebhook], error) {
	w, secret, err := h.Webhooks.RotateWebhookSecret(ctx, projectOf(ctx), actorOf(ctx), in.ID)
	return &output[CreatedWebhook]{CreatedWebhook{webhookRecordFor(ctx)(w), secret.Reveal()}}, err
}

type listDeliveriesInput struct {
	IDPath
	PageQuery
	Status models.DeliveryStatus `query:"status" enum:"pending,delivered,failed,cancelled" doc:"Only deliveries of this status."`
	Event  string                `query:"event" maxLength:"100" doc:"Only deliveries of this event." example:"build.published"`
}

func (h *WebhooksHandlers) listDeliveries(ctx context.Context, in *listDeliveriesInput) (*List[WebhookDelivery], error) {
	return listed(ctx, in.PageQuery, deliveryRecord, func(p models.Page) ([]models.WebhookDelivery, error) {
		return h.Webhooks.ListWebhookDeliveries(ctx, projectOf(ctx), in.ID, models.DeliveryFilter{Status: in.Status, Event: in.Event}, p)
	})
}

func (h *WebhooksHandlers) testWebhook(ctx context.Context, in *idInput) (*output[WebhookDelivery], error) {
	d, err := h.Webhooks.TestWebhook(ctx, projectOf(ctx), actorOf(ctx), in.ID)
	return &output[WebhookDelivery]{deliveryRecord(d)}, err
}

type redeliverInput struct {
	IDPath
	DeliveryID int64 `path:"deliveryId" minimum:"1" doc:"Id of the delivery whose message is sent." example:"32"`
}

func (h *WebhooksHandlers) redeliverWebhook(ctx context.Context, in *redeliverInput) (*output[WebhookDelivery], error) {
	d, err := h.Webhooks.Redeliver(ctx, projectOf(ctx), in.ID, in.DeliveryID)
	return &output[WebhookDelivery]{deliveryRecord(d)}, err
}

// Webhook is a URL that gets messages about changes in the project.
type Webhook struct {
	ID             int64                   `json:"id"`
	URL            string                  `json:"url" doc:"Where messages are posted to; with … in place of secrets for those who are not admins."`
	Events         []string                `json:"events" doc:"Names of actions as in the audit log, or * for all."`
	IsActive       bool                    `json:"isActive" doc:"Whether it gets messages."`
	FailingSince   *Time                   `json:"failingSince" nullable:"true" doc:"Time of the first failed attempt since the last success; null if none failed. After five days of failures the webhook is disabled."`
	DisabledReason string                  `json:"disabledReason" doc:"Why Waft disabled it; empty when it did not."`
	SecretHint     string                  `json:"secretHint" doc:"The end of the secret, to recognise it."`
	OldSecretUntil *Time                   `json:"oldSecretUntil" nullable:"true" doc:"Until when the secret before the last rotation signs too; null when only one does."`
	Format         models.WebhookFormat    `json:"format" enum:"standard,slack,teams" doc:"What messages look like."`
	Description    string                  `json:"description"`
	CreatedAt      Time                    `json:"createdAt"`
	UpdatedAt      Time                    `json:"updatedAt"`
	LastDelivery   OrNull[WebhookDelivery] `json:"lastDelivery" doc:"The newest one, null before the first."`
}

// webhookRecordFor makes records for the caller: only admins see the secrets of URLs.
func webhookRecordFor(ctx context.Context) func(models.Webhook) Webhook {
	if callOf(ctx).caller.role.Allows(models.RoleAdmin) {
		return webhookRecord
	}
	return func(w models.Webhook) Webhook {
		out := webhookRecord(w)
		out.URL = w.MaskedURL()
		return out
	}
}

func webhookRecord(w models.Webhook) Webhook {
	out := Webhook{
		ID: w.ID, URL: w.URL, Events: append([]string{}, w.Events...), IsActive: w.IsActive, SecretHint: w.SecretHint, Description: w.Description,
		Format: w.Format, OldSecretUntil: timeOrNull(w.PreviousSecretUntil),
		FailingSince: timeOrNull(w.FailingSince), DisabledReason: w.DisabledReason, CreatedAt: Time{w.CreatedAt}, UpdatedAt: Time{w.UpdatedAt},
	}
	if w.LastDelivery != nil {
		out.LastDelivery = orNull(deliveryRecord(*w.LastDelivery))
	}
	return out
}

func (Webhook) example() any {
	return Webhook{
		ID: 31, URL: "https://example.com/hooks/waft", Events: []string{"build.published", "rollout.rolled_back"}, IsActive: true,
		SecretHint: "…Zk0=", Format: models.FormatStandard, CreatedAt: exampleTime, UpdatedAt: exampleTime,
		LastDelivery: orNull(WebhookDelivery{}.example().(WebhookDelivery)),
	}
}

// CreatedWebhook is a webhook with its new secret, which no other answer has.
type CreatedWebhook struct {
	Webhook
	Secret string `json:"secret" doc:"The secret that signs messages. It cannot be shown again."`
}

func (CreatedWebhook) example() any {
	return CreatedWebhook{Webhook{}.example().(Webhook), "whsec_…Zk0="}
}

// WebhookDelivery is one message to a webhook.
type WebhookDelivery struct {
	ID            int64                 `json:"id"`
	MessageID     string                `json:"messageId" doc:"The header webhook-id, the same in every attempt and when it is sent again."`
	Event         string                `json:"event" doc:"The action, or webhook.test."`
	Status        models.DeliveryStatus `json:"status" enum:"pending,delivered,failed,cancelled"`
	Attempts      []DeliveryAttempt     `json:"attempts" doc:"Oldest first."`
	NextAttemptAt *Time                 `json:"nextAttemptAt" nullable:"true" doc:"Null when no attempt follows."`
	WorkflowID    string                `json:"workflowId" doc:"The Temporal workflow that sends it."`
	RedeliveryOf  *int64                `json:"redeliveryOf" doc:"The delivery whose message it sends again, null for the first."`
	CreatedAt     Time                  `json:"createdAt"`
}

// DeliveryAttempt is one request to the webhook's URL.
type DeliveryAttempt struct {
	At              Time   `json:"at"`
	ResponseStatus  *int   `json:"responseStatus" doc:"Null when there was no answer."`
	DurationMs      int64  `json:"durationMs" doc:"Milliseconds until the answer, or until it was given up."`
	Error           string `json:"error" doc:"Why the attempt failed, if the status does not say it."`
	ResponseSnippet string `json:"responseSnippet" doc:"How the answer's body began."`
}

func deliveryRecord(d models.WebhookDelivery) WebhookDelivery {
	return WebhookDelivery{
		ID: d.ID, MessageID: d.MessageID, Event: d.Event, Status: d.Status, Attempts: rendered(d.Attempts, attemptRecord),
		NextAttemptAt: timeOrNull(d.NextAttemptAt), WorkflowID: d.WorkflowID, RedeliveryOf: d.RedeliveryOf, CreatedAt: Time{d.CreatedAt},
	}
}

func attemptRecord(a models.DeliveryAttempt) DeliveryAttempt {
	return DeliveryAttempt{
		At: Time{a.At}, ResponseStatus: a.ResponseStatus, DurationMs: a.DurationMs, Error: a.Error,
		ResponseSnippet: a.ResponseSnippet,
	}
}

func (WebhookDelivery) example() any {
	return WebhookDelivery{
		ID: 32, MessageID: "msg_0c1d9a4be5f64c7f8c3b3b5f5a3f2f60", Event: "build.published", Status: models.DeliveryDelivered,
		Attempts:   []DeliveryAttempt{{At: exampleTime, ResponseStatus: new(204), DurationMs: 85}},
		WorkflowID: "webhook/demo/32", CreatedAt: exampleTime,
	}
}

func (r Webhook) recordID() int64 { return r.ID }

func (r WebhookDelivery) recordID() int64 { return r.ID }

func (r Webhook) version() any {
	r.LastDelivery, r.FailingSince = OrNull[WebhookDelivery]{}, nil
	return r
}

func (r CreatedWebhook) version() any { return r.Webhook.version() }

func (h *WebhooksHandlers) currentWebhook(ctx context.Context, c *gin.Context) (versioned, error) {
	return currentByID(h.Webhooks, Webhooks.Webhook, webhookRecordFor(ctx))(ctx, c)
}
