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

// PreviousSecretLife is how long messages are also signed with the previous secret after a rotation.
const PreviousSecretLife = 24 * time.Hour

// WebhookDelivery is one message to one webhook, with all attempts to send it.
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
	// RedeliveryOf is the ID of the delivery whose message is sent again, nil for the first delivery of a message.
	RedeliveryOf *int64
	CreatedAt    time.Time

	// Subject is the record that the message is about, nil where it is not read.
	Subject *AuditSubject `gorm:"-"`
}

// DeliveryAttempt is one request to a webhook's URL.
type DeliveryAttempt struct {
	At time.Time `json:"at"`
	// ResponseStatus is nil if there was no response; Error is then the reason.
	ResponseStatus  *int   `json:"responseStatus"`
	DurationMs      int64  `json:"durationMs"`
	Error           string `json:"error"`
	ResponseSnippet string `json:"responseSnippet"`
}

// WebhookRecovery counts the failed messages that a recovery sends again and the failed messages that remain.
type WebhookRecovery struct{ Redelivered, Remaining int64 }

// MaxRecovered is the maximum number of messages that one recovery sends again.
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

// DeliveryJob is the input of an attempt. It contains secrets, so it must not leave the process.
type DeliveryJob struct {
	// Outcome is set if there is nothing to send: the delivery has ended, or this attempt was already recorded.
	Outcome        *DeliveryOutcome
	MessageID, URL string
	Format         WebhookFormat
	// Secrets are all used to sign: the current secret and, for PreviousSecretLife, the previous secret.
	Secrets []WebhookSecret
	Body    string
}

// DeliveryVerdict is the effect of an attempt on its delivery and its webhook.
type DeliveryVerdict struct {
	// Status is pending if there is another attempt, after Wait.
	Status DeliveryStatus
	Wait   time.Duration
	// Gone means that the receiver does not want more messages.
	Gone bool
	// Persistent means that the delivery has failed for a while, not just once.
	Persistent bool
}

// DeliveryOutcome is the state of a delivery after an attempt.
type DeliveryOutcome struct {
	Status DeliveryStatus `json:"status"`
	// Wait is the time until the next attempt of a pending delivery.
	Wait time.Duration `json:"wait,omitempty"`
	// ResponseStatus is the status of the response, 0 for none.
	ResponseStatus int `json:"responseStatus,omitempty"`
}
