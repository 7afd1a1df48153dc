package models

import "time"

// DeliveryStatus is the state of a message to a webhook.
type DeliveryStatus string

// Delivery statuses. All but pending are final.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryCancelled DeliveryStatus = "cancelled"
)

// WebhookFailingLimit is how long a webhook may fail before Waft disables it.
const WebhookFailingLimit = 5 * 24 * time.Hour

// PreviousSecretLife is how long the secret before a rotation signs too.
const PreviousSecretLife = 24 * time.Hour

// WebhookDelivery is one message to one webhook, with every attempt to send it.
type WebhookDelivery struct {
	ID, ProjectID, WebhookID int64
	// MessageID is the webhook-id header, the same in every attempt.
	MessageID     string
	Event         string
	Body          string
	Status        DeliveryStatus
	Attempts      []DeliveryAttempt `gorm:"type:jsonb;serializer:json"`
	NextAttemptAt *time.Time
	WorkflowID    string
	// RedeliveryOf is the delivery whose message is sent again, nil for the first.
	RedeliveryOf *int64
	CreatedAt    time.Time
}

// DeliveryAttempt is one request to a webhook's URL.
type DeliveryAttempt struct {
	At time.Time `json:"at"`
	// ResponseStatus is nil when there was no answer; Error then says why.
	ResponseStatus  *int   `json:"responseStatus"`
	DurationMs      int64  `json:"durationMs"`
	Error           string `json:"error"`
	ResponseSnippet string `json:"responseSnippet"`
}

// WebhookRecovery says how many messages that failed are sent again, and how many are left.
type WebhookRecovery struct{ Redelivered, Remaining int64 }

// MaxRecovered bounds the messages that one recovery sends again.
const MaxRecovered = 1000

// WebhookStart is the payload of OutboxWebhookDeliver.
type WebhookStart struct {
	DeliveryID int64  `json:"deliveryId"`
	ProjectID  int64  `json:"projectId"`
	WorkflowID string `json:"workflowId"`
	// Project (a slug), WebhookID and Event describe the delivery in Temporal's UI.
	Project   string `json:"project"`
	WebhookID int64  `json:"webhookId"`
	Event     string `json:"event"`
}

// WebhookEnded is the payload of OutboxWebhookEnded.
type WebhookEnded struct {
	WorkflowID string `json:"workflowId"`
}

// DeliveryTry identifies one attempt of a delivery.
type DeliveryTry struct {
	DeliveryID int64 `json:"deliveryId"`
	ProjectID  int64 `json:"projectId"`
	WebhookID  int64 `json:"webhookId"`
	// Attempt counts from 1.
	Attempt int `json:"attempt"`
}

// DeliveryJob is what an attempt needs. It has secrets, so it must not leave the process.
type DeliveryJob struct {
	// Outcome is set when there is nothing to send: the delivery ended, or this attempt was made.
	Outcome        *DeliveryOutcome
	MessageID, URL string
	Format         WebhookFormat
	// Secrets all sign: the current one, and for PreviousSecretLife the one before it.
	Secrets []WebhookSecret
	Body    string
}

// DeliveryVerdict is what an attempt means for its delivery and its webhook.
type DeliveryVerdict struct {
	// Status is pending when there is another attempt, after Wait.
	Status DeliveryStatus
	Wait   time.Duration
	// Gone says that the receiver wants no more messages.
	Gone bool
	// Persistent says that the delivery has failed for a while, not just once.
	Persistent bool
}

// DeliveryOutcome is the state of a delivery after an attempt.
type DeliveryOutcome struct {
	Status DeliveryStatus `json:"status"`
	// Wait is the time until the next attempt of a pending delivery.
	Wait time.Duration `json:"wait,omitempty"`
	// ResponseStatus is the status of the answer, 0 without one.
	ResponseStatus int `json:"responseStatus,omitempty"`
}
