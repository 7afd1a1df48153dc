package models

import "time"

// DeliveryStatus is how far a message to a webhook has come.
type DeliveryStatus string

// Delivery statuses. All but pending are final.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryCancelled DeliveryStatus = "cancelled"
)

// WebhookDelivery is one message to one webhook, with every attempt to send it.
type WebhookDelivery struct {
	ID        int64
	ProjectID int64
	WebhookID int64
	// MessageID is the webhook-id header, the same in every attempt.
	MessageID string
	// Event is the action that the message tells of, or EventTest.
	Event string
	// Body is what is posted, the same bytes in every attempt.
	Body          string
	Status        DeliveryStatus
	Attempts      []DeliveryAttempt `gorm:"type:jsonb;serializer:json"`
	NextAttemptAt *time.Time
	WorkflowID    string
	// RedeliveryOf is the delivery whose message this one sends again, nil for the
	// first.
	RedeliveryOf *int64
	CreatedAt    time.Time
}

// WebhookStart is the payload of OutboxWebhookDeliver: a delivery to begin.
type WebhookStart struct {
	DeliveryID int64  `json:"deliveryId"`
	ProjectID  int64  `json:"projectId"`
	WorkflowID string `json:"workflowId"`
	// Project is its slug; it, the webhook and the event name the delivery for people in
	// Temporal's UI.
	Project   string `json:"project"`
	WebhookID int64  `json:"webhookId"`
	Event     string `json:"event"`
}

// WebhookEnded is the payload of OutboxWebhookEnded: a delivery that was cancelled in
// the store, so that nothing is to be waited for.
type WebhookEnded struct {
	WorkflowID string `json:"workflowId"`
}

// DeliveryTry names one attempt of a delivery.
type DeliveryTry struct {
	DeliveryID int64 `json:"deliveryId"`
	ProjectID  int64 `json:"projectId"`
	WebhookID  int64 `json:"webhookId"`
	// Attempt counts from 1.
	Attempt int `json:"attempt"`
}

// DeliveryJob is what an attempt needs to know. It holds a secret, so it stays within
// the process.
type DeliveryJob struct {
	// Outcome is set when there is nothing to send: the delivery has ended, or the
	// attempt was made before.
	Outcome   *DeliveryOutcome
	MessageID string
	URL       string
	Secret    WebhookSecret
	Body      string
}

// DeliveryVerdict is what an attempt means for its delivery and its webhook.
type DeliveryVerdict struct {
	// Status is pending when there will be another attempt, Wait from now.
	Status DeliveryStatus
	Wait   time.Duration
	// Gone says that the receiver wants no message ever again.
	Gone bool
	// Persistent says that this is no first hiccup: the delivery has failed for a while.
	Persistent bool
}

// DeliveryOutcome is what a delivery came to with an attempt.
type DeliveryOutcome struct {
	Status DeliveryStatus `json:"status"`
	// Wait is until the next attempt, of a pending one.
	Wait time.Duration `json:"wait,omitempty"`
	// ResponseStatus is what the attempt was answered with, 0 without an answer.
	ResponseStatus int `json:"responseStatus,omitempty"`
}

// WebhookFailingLimit is how long a webhook may fail before it is disabled.
const WebhookFailingLimit = 5 * 24 * time.Hour

// DeliveryAttempt is one request to a webhook's URL.
type DeliveryAttempt struct {
	At time.Time `json:"at"`
	// ResponseStatus is nil when there was no answer; Error then says why.
	ResponseStatus  *int   `json:"responseStatus"`
	DurationMs      int64  `json:"durationMs"`
	Error           string `json:"error"`
	ResponseSnippet string `json:"responseSnippet"`
}
