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
	// Event is the action that the message tells of.
	Event         string
	Status        DeliveryStatus
	Attempts      []DeliveryAttempt `gorm:"type:jsonb;serializer:json"`
	NextAttemptAt *time.Time
	WorkflowID    string
	CreatedAt     time.Time
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
