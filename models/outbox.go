package models

import (
	"encoding/json"
	"time"
)

// OutboxKind says what the relay does with an outbox message.
type OutboxKind string

// Outbox kinds.
const (
	// OutboxRolloutStart starts the workflow of a rollout execution.
	OutboxRolloutStart OutboxKind = "rollout.start"
	// OutboxRolloutSuperseded tells an execution that a newer release reached
	// everybody.
	OutboxRolloutSuperseded OutboxKind = "rollout.superseded"
	// OutboxRolloutReverted tells a workflow that its execution was ended in the
	// store, by a manual rollback.
	OutboxRolloutReverted OutboxKind = "rollout.reverted"
	// OutboxRolloutRelinked tells a workflow that a person changed the linked flags of
	// its release.
	OutboxRolloutRelinked OutboxKind = "rollout.relinked"
	// OutboxRolloutDisabled pauses the rollout of a release that a person disabled.
	OutboxRolloutDisabled OutboxKind = "rollout.disabled"
	// OutboxPatchesBuild starts the workflow that makes the patches to a release.
	OutboxPatchesBuild OutboxKind = "patches.build"
	// OutboxWebhookDeliver starts the workflow of a webhook delivery.
	OutboxWebhookDeliver OutboxKind = "webhook.deliver"
	// OutboxWebhookEnded tells the workflow of a delivery that it was cancelled.
	OutboxWebhookEnded OutboxKind = "webhook.ended"
)

// OutboxMessage is what Temporal must be told about a change. The transaction of the
// change writes it, and the relay deletes it once Temporal has been told.
type OutboxMessage struct {
	ID        int64
	ProjectID int64
	Kind      OutboxKind
	Payload   json.RawMessage `gorm:"type:jsonb"`
	CreatedAt time.Time
	// Priority orders the messages that are due; the lowest is relayed first.
	Priority int16
	Attempts int
	// NotBefore is when the relay tries next.
	NotBefore time.Time
	LastError string
	// TraceContext is the W3C traceparent of the transaction that wrote the message, nil
	// when it was not traced.
	TraceContext *string
}

// TableName is the table of outbox messages.
func (OutboxMessage) TableName() string { return "outbox" }

// RolloutStart is the payload of OutboxRolloutStart.
type RolloutStart struct {
	ExecutionID int64  `json:"executionId"`
	ProjectID   int64  `json:"projectId"`
	WorkflowID  string `json:"workflowId"`
	// Summary names the rollout for people in Temporal's UI, on one line: "demo:
	// release 1042 ios 1.0.0". It may be empty.
	Summary string `json:"summary,omitempty"`
}

// RolloutSuperseded is the payload of OutboxRolloutSuperseded.
type RolloutSuperseded struct {
	WorkflowID  string `json:"workflowId"`
	ByReleaseID int64  `json:"byReleaseId"`
}

// RolloutReverted is the payload of OutboxRolloutReverted.
type RolloutReverted struct {
	WorkflowID  string `json:"workflowId"`
	ByReleaseID int64  `json:"byReleaseId"`
}

// RolloutDisabled is the payload of OutboxRolloutDisabled.
type RolloutDisabled struct {
	WorkflowID string `json:"workflowId"`
	ProjectID  int64  `json:"projectId"`
	ReleaseID  int64  `json:"releaseId"`
	Actor      Actor  `json:"actor"`
}

// RolloutRelinked is the payload of OutboxRolloutRelinked.
type RolloutRelinked struct {
	WorkflowID string `json:"workflowId"`
	// LinkedFlags is how many flags the release links now.
	LinkedFlags int `json:"linkedFlags"`
	// CountsSince is since when the rollout's health counts, nil for since its start.
	// Messages have no order; this gives them one.
	CountsSince *time.Time `json:"countsSince,omitempty"`
}
