package models

import (
	"encoding/json"
	"time"
)

// OutboxKind is what the relay does with an outbox message.
type OutboxKind string

const (
	// OutboxRolloutStart starts the workflow of a rollout.
	OutboxRolloutStart OutboxKind = "rollout.start"
	// OutboxRolloutSuperseded tells a workflow that a newer release reached everybody.
	OutboxRolloutSuperseded OutboxKind = "rollout.superseded"
	// OutboxRolloutReverted tells a workflow that a manual rollback ended its execution, or an emergency stop moved it.
	OutboxRolloutReverted OutboxKind = "rollout.reverted"
	// OutboxRolloutRelinked tells a workflow that a person changed the linked flags of its release.
	OutboxRolloutRelinked OutboxKind = "rollout.relinked"
	// OutboxRolloutDisabled pauses the rollout of a release that a person disabled.
	OutboxRolloutDisabled OutboxKind = "rollout.disabled"
	// OutboxApprovalStart starts the workflow that waits for approvals of a call.
	OutboxApprovalStart OutboxKind = "approval.start"
	// OutboxApprovalDecided tells that workflow that people decided.
	OutboxApprovalDecided OutboxKind = "approval.decided"
	// OutboxPatchesBuild starts the workflow that makes the patches to a release.
	OutboxPatchesBuild OutboxKind = "patches.build"
	// OutboxFilesCompress starts the workflow that compresses a project's files, or tells it that there are more.
	OutboxFilesCompress OutboxKind = "files.compress"
	// OutboxWebhookDeliver starts the workflow of a webhook delivery.
	OutboxWebhookDeliver OutboxKind = "webhook.deliver"
	// OutboxWebhookEnded tells the workflow of a delivery that it was cancelled.
	OutboxWebhookEnded OutboxKind = "webhook.ended"
	// OutboxPasswordForgotten makes the mail for a person who forgot the password, if the address has an account.
	OutboxPasswordForgotten OutboxKind = "password.forgotten"
	// OutboxMailSend starts the workflow that sends a mail.
	OutboxMailSend OutboxKind = "mail.send"
)

// OutboxMessage is a start or signal of a workflow. The relay deletes it once Temporal has it.
type OutboxMessage struct {
	ID, ProjectID int64
	Kind          OutboxKind
	Payload       json.RawMessage `gorm:"type:jsonb"`
	CreatedAt     time.Time
	// Priority orders the messages that are due; the lowest is relayed first.
	Priority int16
	Attempts int
	// NotBefore is when the relay tries next.
	NotBefore time.Time
	LastError string
	// TraceContext is the W3C traceparent of the transaction, nil when it was not traced.
	TraceContext *string
}

func (OutboxMessage) TableName() string { return "outbox" }

// RolloutStart is the payload of OutboxRolloutStart.
type RolloutStart struct {
	ExecutionID int64  `json:"executionId"`
	ProjectID   int64  `json:"projectId"`
	WorkflowID  string `json:"workflowId"`
	// Summary is shown in Temporal's UI: "demo: release 1042 ios 1.0.0". It may be empty.
	Summary string `json:"summary,omitempty"`
	// Project is the project's slug, for the link in Temporal's UI. It may be empty.
	Project string `json:"project,omitempty"`
}

// RolloutSuperseded is the payload of OutboxRolloutSuperseded.
type RolloutSuperseded struct {
	WorkflowID  string `json:"workflowId"`
	ByReleaseID int64  `json:"byReleaseId"`
}

// RolloutReverted is the payload of OutboxRolloutReverted: the store ended the rollout, or moved it in an emergency stop.
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
	// CountsSince is when the rollout's health began to count, nil for its start. It orders messages,
	// which may arrive in any order.
	CountsSince *time.Time `json:"countsSince,omitempty"`
}

// The channels of Postgres notifications, which are sent when a transaction commits.
const (
	// NotifySnapshot has the id in decimal of a project whose snapshot changed.
	NotifySnapshot = "waft_snapshot"
	// NotifyExecution has the id in decimal of a rollout execution that changed.
	NotifyExecution = "waft_execution"
	// NotifyApproval has the id in decimal of an approval that ended.
	NotifyApproval = "waft_approval"
	// NotifyAPIKeyRevoked has the id in decimal of a key that was revoked.
	NotifyAPIKeyRevoked = "waft_api_key_revoked"
	// NotifyRolloutPrompt, without a payload, says that rollouts are due to be observed.
	NotifyRolloutPrompt = "waft_rollout_prompt"
	// NotifyChange has the id in decimal of a project of which an audit entry was written.
	NotifyChange = "waft_change"
	// NotifyOutbox, without a payload, says that the outbox has a new message.
	NotifyOutbox = "waft_outbox"
)
