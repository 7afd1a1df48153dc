package api

import (
	"github.com/waft-ota/waft/models"
)

// Webhook is a URL that gets messages about changes in the project.
type Webhook struct {
	ID             int64                   `json:"id"`
	URL            string                  `json:"url" doc:"Where messages are posted to."`
	Events         []string                `json:"events" doc:"Names of actions as in the audit log, or * for all."`
	IsActive       bool                    `json:"isActive" doc:"Whether it gets messages."`
	FailingSince   *Time                   `json:"failingSince" nullable:"true" doc:"Time of the first failed attempt since the last success; null if none failed. After five days of failures the webhook is disabled."`
	DisabledReason string                  `json:"disabledReason" doc:"Why Waft disabled it; empty when it did not."`
	SecretHint     string                  `json:"secretHint" doc:"The end of the secret, to recognise it."`
	Description    string                  `json:"description"`
	CreatedAt      Time                    `json:"createdAt"`
	UpdatedAt      Time                    `json:"updatedAt"`
	LastDelivery   OrNull[WebhookDelivery] `json:"lastDelivery" doc:"The newest one, null before the first."`
}

func webhookRecord(w models.Webhook) Webhook {
	out := Webhook{
		ID: w.ID, URL: w.URL, Events: w.Events, IsActive: w.IsActive, SecretHint: w.SecretHint, Description: w.Description,
		FailingSince: timeOrNull(w.FailingSince), DisabledReason: w.DisabledReason, CreatedAt: Time{w.CreatedAt}, UpdatedAt: Time{w.UpdatedAt},
	}
	if out.Events == nil {
		out.Events = []string{}
	}
	if w.LastDelivery != nil {
		out.LastDelivery = orNull(deliveryRecord(*w.LastDelivery))
	}
	return out
}

func (Webhook) example() any {
	return Webhook{
		ID: 31, URL: "https://example.com/hooks/waft", Events: []string{"build.published", "rollout.rolled_back"}, IsActive: true,
		SecretHint: "…Zk0=", CreatedAt: exampleTime, UpdatedAt: exampleTime,
		LastDelivery: orNull(WebhookDelivery{}.example().(WebhookDelivery)),
	}
}

// CreatedWebhook is a webhook whose secret was just set, the only time that it is
// shown.
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
	Event         string                `json:"event" doc:"The action that it tells of, or webhook.test."`
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
