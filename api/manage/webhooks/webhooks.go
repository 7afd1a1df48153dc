package webhooks

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
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
	// RotateWebhookSecret returns the new secret. immediately ends the old one with this call.
	RotateWebhookSecret(
		ctx context.Context, projectID int64, actor models.Actor, id int64, immediately bool,
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
	listWebhooksDoc = rest.Doc(tagWebhooks, "listWebhooks", "List webhooks",
		"Each webhook with its last delivery, without its secret. "+hiddenURLs)
	getWebhookDoc    = rest.Doc(tagWebhooks, "getWebhook", "Get a webhook", "With its last delivery, without its secret. "+hiddenURLs)
	createWebhookDoc = rest.Doc(tagWebhooks, "createWebhook", "Create a webhook",
		"Only this answer has the secret.", http.StatusCreated)
	patchWebhookDoc = rest.Doc(tagWebhooks, "patchWebhook", "Change a webhook",
		"Absent fields keep their value, and so does a url that is sent as it was shown. Pending deliveries to a webhook are cancelled when it is disabled. "+hiddenURLs)
	rotateWebhookDoc = rest.Doc(tagWebhooks, "rotateWebhookSecret", "Rotate a webhook's secret",
		"Only this answer has the new secret. For 24 hours messages have two signatures, of the new and of the old secret, so that "+
			"receivers may change theirs meanwhile. Rotating again within that time ends the older one. "+
			"With immediately, only the new secret signs from the next attempt on. Use it when the old secret leaked.")
	deleteWebhookDoc = rest.Doc(tagWebhooks, "deleteWebhook", "Delete a webhook",
		"Deletes its deliveries too. Pending ones are not sent.")
	listDeliveriesDoc = rest.Doc(tagWebhooks, "listWebhookDeliveries", "List a webhook's deliveries",
		"Each delivery with all its attempts. They are kept for at least 30 days.")
	testWebhookDoc = rest.Doc(tagWebhooks, "testWebhook", "Send a test message to a webhook",
		"Sends the event webhook.test, which needs no subscription. The message is signed and retried like any other. "+
			"Answers the pending delivery; its outcome is in the list of deliveries.", http.StatusCreated)
	redeliverDoc = rest.Doc(tagWebhooks, "redeliverWebhook", "Redeliver a message",
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

func (b createWebhookBody) Model() models.NewWebhook {
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

func (b createWebhookBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (createWebhookBody) Example() any {
	return createWebhookBody{URL: "https://example.com/hooks/waft", Events: []string{"build.published", "rollout.rolled_back"}}
}

func (h *Handlers) createWebhook(ctx context.Context, in *rest.BodyInput[createWebhookBody]) (*rest.Output[CreatedWebhook], error) {
	w, secret, err := h.Webhooks.CreateWebhook(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
	return &rest.Output[CreatedWebhook]{Body: CreatedWebhook{webhookRecordFor(ctx)(w), secret.Reveal()}}, err
}

func (h *Handlers) listWebhooks(ctx context.Context, in *rest.ListInput) (*rest.List[Webhook], error) {
	return rest.Listed(ctx, in.PageQuery, webhookRecordFor(ctx), func(p models.Page) ([]models.Webhook, error) {
		return h.Webhooks.ListWebhooks(ctx, rest.ProjectOf(ctx), p)
	})
}

func (h *Handlers) getWebhook(ctx context.Context, in *rest.IDInput) (*rest.Output[Webhook], error) {
	w, err := h.Webhooks.Webhook(ctx, rest.ProjectOf(ctx), in.ID)
	return &rest.Output[Webhook]{Body: webhookRecordFor(ctx)(w)}, err
}

func (h *Handlers) patchWebhook(ctx context.Context, in *rest.IDBodyInput[patchWebhookBody]) (*rest.Output[Webhook], error) {
	patch, _ := in.Body.Model() // Resolve has rejected a body with problems
	w, err := h.Webhooks.UpdateWebhook(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, patch)
	return &rest.Output[Webhook]{Body: webhookRecordFor(ctx)(w)}, err
}

type patchWebhookBody struct {
	URL         rest.Patch[string]   `json:"url,omitzero" doc:"Absolute http or https URL that messages are posted to."`
	Events      rest.Patch[[]string] `json:"events,omitzero" doc:"Names of actions as in the audit log, such as build.published, or * for all."`
	Secret      rest.Patch[string]   `json:"secret,omitzero" doc:"A new secret, which takes the place of all others at once; see rotate-secret to have one made and the old one sign for another day."`
	IsActive    rest.Patch[bool]     `json:"isActive,omitzero" doc:"False sends it no messages."`
	Description rest.Patch[string]   `json:"description,omitzero" nullable:"true"`

	Format rest.Patch[models.WebhookFormat] `json:"format,omitzero" enum:"standard,slack,teams" doc:"What messages look like, those that wait included."`
}

func (b patchWebhookBody) Model() (models.WebhookPatch, models.Problems) {
	var p models.Problems
	patch := models.WebhookPatch{
		URL: b.URL.NotNull(&p, "url"), Events: b.Events.NotNull(&p, "events"), IsActive: b.IsActive.NotNull(&p, "isActive"),
		Secret: webhookSecretModel(b.Secret.NotNull(&p, "secret")), Description: rest.Cleared(b.Description),
		Format: b.Format.NotNull(&p, "format"),
	}
	return patch, p
}

func (b patchWebhookBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchWebhookBody) Example() any                   { return patchWebhookBody{IsActive: rest.PatchTo(false)} }

// rotateWebhookInput has a nil Body when the request has none.
type rotateWebhookInput = rest.IDBodyInput[*rotateWebhookBody]

type rotateWebhookBody struct {
	Immediately bool `json:"immediately,omitempty" doc:"True ends the old secret with this call. False or absent lets it sign for another 24 hours."`
}

func (rotateWebhookBody) Example() any { return rotateWebhookBody{Immediately: true} }

func (h *Handlers) rotateWebhook(ctx context.Context, in *rotateWebhookInput) (*rest.Output[CreatedWebhook], error) {
	immediately := in.Body != nil && in.Body.Immediately
	w, secret, err := h.Webhooks.RotateWebhookSecret(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, immediately)
	return &rest.Output[CreatedWebhook]{Body: CreatedWebhook{webhookRecordFor(ctx)(w), secret.Reveal()}}, err
}

type listDeliveriesInput struct {
	rest.IDPath
	rest.PageQuery
	Status models.DeliveryStatus `query:"status" enum:"pending,delivered,failed,cancelled" doc:"Only deliveries of this status."`
	Event  string                `query:"event" maxLength:"100" doc:"Only deliveries of this event." example:"build.published"`
}

func (h *Handlers) listDeliveries(ctx context.Context, in *listDeliveriesInput) (*rest.List[WebhookDelivery], error) {
	return rest.Listed(ctx, in.PageQuery, DeliveryRecord, func(p models.Page) ([]models.WebhookDelivery, error) {
		return h.Webhooks.ListWebhookDeliveries(ctx, rest.ProjectOf(ctx), in.ID, models.DeliveryFilter{Status: in.Status, Event: in.Event}, p)
	})
}

func (h *Handlers) testWebhook(ctx context.Context, in *rest.IDInput) (*rest.Output[WebhookDelivery], error) {
	d, err := h.Webhooks.TestWebhook(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID)
	return &rest.Output[WebhookDelivery]{Body: DeliveryRecord(d)}, err
}

type redeliverInput struct {
	rest.IDPath
	DeliveryID int64 `path:"deliveryId" minimum:"1" doc:"Id of the delivery whose message is sent." example:"32"`
}

func (h *Handlers) redeliverWebhook(ctx context.Context, in *redeliverInput) (*rest.Output[WebhookDelivery], error) {
	d, err := h.Webhooks.Redeliver(ctx, rest.ProjectOf(ctx), in.ID, in.DeliveryID)
	return &rest.Output[WebhookDelivery]{Body: DeliveryRecord(d)}, err
}

// Webhook is a URL that gets messages about changes in the project.
type Webhook struct {
	rest.Tagged
	ID             int64                        `json:"id"`
	URL            string                       `json:"url" doc:"Where messages are posted to; with … in place of secrets for those who are not admins."`
	Events         []string                     `json:"events" doc:"Names of actions as in the audit log, or * for all."`
	IsActive       bool                         `json:"isActive" doc:"Whether it gets messages."`
	FailingSince   *rest.Time                   `json:"failingSince" nullable:"true" doc:"Time of the first failed attempt since the last success; null if none failed. After five days of failures the webhook is disabled."`
	DisabledReason string                       `json:"disabledReason" doc:"Why Waft disabled it; empty when it did not."`
	SecretHint     string                       `json:"secretHint" doc:"The end of the secret, to recognise it."`
	OldSecretUntil *rest.Time                   `json:"oldSecretUntil" nullable:"true" doc:"Until when the secret before the last rotation signs too; null when only one does."`
	Format         models.WebhookFormat         `json:"format" enum:"standard,slack,teams" doc:"What messages look like."`
	Description    string                       `json:"description"`
	CreatedAt      rest.Time                    `json:"createdAt"`
	UpdatedAt      rest.Time                    `json:"updatedAt"`
	LastDelivery   rest.OrNull[WebhookDelivery] `json:"lastDelivery" doc:"The newest one, null before the first."`
}

// webhookRecordFor makes records for the caller: only admins see the secrets of URLs.
func webhookRecordFor(ctx context.Context) func(models.Webhook) Webhook {
	if rest.CallOf(ctx).Caller.Role.Allows(models.RoleAdmin) {
		return WebhookRecord
	}
	return func(w models.Webhook) Webhook {
		out := WebhookRecord(w)
		out.URL = w.MaskedURL()
		return out
	}
}

// WebhookRecord is the record of a webhook, with its whole URL.
func WebhookRecord(w models.Webhook) Webhook {
	out := Webhook{
		Tagged: rest.Tagged{ETag: w.ETag(w.ID)},
		ID:     w.ID, URL: w.URL, Events: append([]string{}, w.Events...), IsActive: w.IsActive, SecretHint: w.SecretHint,
		Description: w.Description,
		Format:      w.Format, OldSecretUntil: rest.TimeOrNull(w.PreviousSecretUntil),
		FailingSince: rest.TimeOrNull(w.FailingSince), DisabledReason: w.DisabledReason, CreatedAt: rest.Time{Time: w.CreatedAt},
		UpdatedAt: rest.Time{Time: w.UpdatedAt},
	}
	if w.LastDelivery != nil {
		out.LastDelivery = rest.Present(DeliveryRecord(*w.LastDelivery))
	}
	return out
}

func (Webhook) Example() any {
	return Webhook{
		ID: 31, URL: "https://example.com/hooks/waft", Events: []string{"build.published", "rollout.rolled_back"}, IsActive: true,
		SecretHint: "…Zk0=", Format: models.FormatStandard, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
		LastDelivery: rest.Present(WebhookDelivery{}.Example().(WebhookDelivery)),
	}
}

// CreatedWebhook is a webhook with its new secret, which no other answer has.
type CreatedWebhook struct {
	Webhook
	Secret string `json:"secret" doc:"The secret that signs messages. It cannot be shown again."`
}

func (CreatedWebhook) Example() any {
	return CreatedWebhook{Webhook{}.Example().(Webhook), "whsec_…Zk0="}
}

// WebhookDelivery is one message to a webhook.
type WebhookDelivery struct {
	ID            int64                 `json:"id"`
	MessageID     string                `json:"messageId" doc:"The header webhook-id, the same in every attempt and when it is sent again."`
	Event         string                `json:"event" doc:"The action, or webhook.test."`
	Status        models.DeliveryStatus `json:"status" enum:"pending,delivered,failed,cancelled"`
	Attempts      []DeliveryAttempt     `json:"attempts" doc:"Oldest first."`
	NextAttemptAt *rest.Time            `json:"nextAttemptAt" nullable:"true" doc:"Null when no attempt follows."`
	WorkflowID    string                `json:"workflowId" doc:"The Temporal workflow that sends it."`
	RedeliveryOf  *int64                `json:"redeliveryOf" doc:"The delivery whose message it sends again, null for the first."`
	CreatedAt     rest.Time             `json:"createdAt"`
}

// DeliveryAttempt is one request to the webhook's URL.
type DeliveryAttempt struct {
	At              rest.Time `json:"at"`
	ResponseStatus  *int      `json:"responseStatus" doc:"Null when there was no answer."`
	DurationMs      int64     `json:"durationMs" doc:"Milliseconds until the answer, or until it was given up."`
	Error           string    `json:"error" doc:"Why the attempt failed, if the status does not say it."`
	ResponseSnippet string    `json:"responseSnippet" doc:"How the answer's body began."`
}

// DeliveryRecord is the record of a delivery.
func DeliveryRecord(d models.WebhookDelivery) WebhookDelivery {
	return WebhookDelivery{
		ID: d.ID, MessageID: d.MessageID, Event: d.Event, Status: d.Status, Attempts: rest.Rendered(d.Attempts, attemptRecord),
		NextAttemptAt: rest.TimeOrNull(d.NextAttemptAt), WorkflowID: d.WorkflowID, RedeliveryOf: d.RedeliveryOf,
		CreatedAt: rest.Time{Time: d.CreatedAt},
	}
}

func attemptRecord(a models.DeliveryAttempt) DeliveryAttempt {
	return DeliveryAttempt{
		At: rest.Time{Time: a.At}, ResponseStatus: a.ResponseStatus, DurationMs: a.DurationMs, Error: a.Error,
		ResponseSnippet: a.ResponseSnippet,
	}
}

func (WebhookDelivery) Example() any {
	return WebhookDelivery{
		ID: 32, MessageID: "msg_0c1d9a4be5f64c7f8c3b3b5f5a3f2f60", Event: "build.published", Status: models.DeliveryDelivered,
		Attempts:   []DeliveryAttempt{{At: rest.ExampleTime, ResponseStatus: new(204), DurationMs: 85}},
		WorkflowID: "webhook/demo/32", CreatedAt: rest.ExampleTime,
	}
}

func (r Webhook) RecordID() int64 { return r.ID }

func (r WebhookDelivery) RecordID() int64 { return r.ID }
