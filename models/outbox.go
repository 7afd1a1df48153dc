package models

import (
	"encoding/json"
	"time"
)

// OutboxKind is the kind of an outbox message. It determines what the relay does with the message.
type OutboxKind string

const (
	// OutboxRolloutStart starts the workflow of a rollout.
	OutboxRolloutStart OutboxKind = "rollout.start"
	// OutboxRolloutSuperseded signals a workflow that a newer release reached every device.
	OutboxRolloutSuperseded OutboxKind = "rollout.superseded"
	// OutboxRolloutReverted signals a workflow that a manual rollback ended its rollout, or that an emergency stop changed it.
	OutboxRolloutReverted OutboxKind = "rollout.reverted"
	// OutboxRolloutRelinked signals a workflow that the linked flags of its release were changed manually.
	OutboxRolloutRelinked OutboxKind = "rollout.relinked"
	// OutboxRolloutDisabled pauses the rollout of a release that was disabled manually.
	OutboxRolloutDisabled OutboxKind = "rollout.disabled"
	// OutboxApprovalStart starts the workflow that waits for approvals of a call.
	OutboxApprovalStart OutboxKind = "approval.start"
	// OutboxApprovalDecided signals that workflow that people have decided.
	OutboxApprovalDecided OutboxKind = "approval.decided"
	// OutboxFlagScheduleStart starts the workflow that waits for the time of a scheduled change.
	OutboxFlagScheduleStart OutboxKind = "flag.schedule.start"
	// OutboxFlagScheduleEnded signals that workflow that the change was cancelled, or that its approval ended.
	OutboxFlagScheduleEnded OutboxKind = "flag.schedule.ended"
	// OutboxPatchesBuild starts the workflow that creates the patches to a release.
	OutboxPatchesBuild OutboxKind = "patches.build"
	// OutboxFilesCompress starts the workflow that compresses a project's files, or signals it that more files are pending.
	OutboxFilesCompress OutboxKind = "files.compress"
	// OutboxWebhookDeliver starts the workflow of a webhook delivery.
	OutboxWebhookDeliver OutboxKind = "webhook.deliver"
	// OutboxWebhookEnded signals the workflow of a delivery that the delivery was cancelled.
	OutboxWebhookEnded OutboxKind = "webhook.ended"
	// OutboxPasswordForgotten creates the mail for a person who forgot their password, if an account with the address exists.
	OutboxPasswordForgotten OutboxKind = "password.forgotten"
	// OutboxMailSend starts the workflow that sends a mail.
	OutboxMailSend OutboxKind = "mail.send"
)

// OutboxMessage is the start of a workflow or a signal to a workflow. The relay deletes it once Temporal has accepted it.
type OutboxMessage struct {
	ID, ProjectID int64
	Kind          OutboxKind
	Payload       json.RawMessage `gorm:"type:jsonb"`
	CreatedAt     time.Time
	// Priority determines the order of the messages that are due. The lowest number is relayed first.
	Priority int16
	Attempts int
	// NotBefore is the time of the relay's next attempt.
	NotBefore time.Time
	LastError string
	// TraceContext is the W3C traceparent of the transaction, nil if it was not traced.
	TraceContext *string
}

func (OutboxMessage) TableName() string { return "outbox" }

// RolloutStart is the payload of OutboxRolloutStart.
type RolloutStart struct {
	ExecutionID int64  `json:"executionId"`
	ProjectID   int64  `json:"projectId"`
	WorkflowID  string `json:"workflowId"`
	// Summary is shown in Temporal's UI, for example "demo: release “Faster start” (#1042), ios 1.0.0". It may be empty.
	Summary string `json:"summary,omitempty"`
	// Project is the project's slug, for the link in Temporal's UI. It may be empty.
	Project string `json:"project,omitempty"`
}

// RolloutSuperseded is the payload of OutboxRolloutSuperseded.
type RolloutSuperseded struct {
	WorkflowID  string `json:"workflowId"`
	ByReleaseID int64  `json:"byReleaseId"`
	// ReleaseMessage is the ReleaseMessage of the newer release.
	ReleaseMessage string `json:"releaseMessage,omitempty"`
}

// RolloutReverted is the payload of OutboxRolloutReverted. The store has ended the rollout, or an emergency stop has changed it.
type RolloutReverted struct {
	WorkflowID  string `json:"workflowId"`
	ByReleaseID int64  `json:"byReleaseId"`
}

// RolloutDisabled is the payload of OutboxRolloutDisabled.
type RolloutDisabled struct {
	WorkflowID     string `json:"workflowId"`
	ProjectID      int64  `json:"projectId"`
	ReleaseID      int64  `json:"releaseId"`
	ReleaseMessage string `json:"releaseMessage,omitempty"`
	Actor          Actor  `json:"actor"`
}

// Pause returns the command that pauses the rollout.
func (d RolloutDisabled) Pause() CommandInput {
	return CommandInput{
		Actor:  d.Actor,
		Reason: ReleasePhrase(d.ReleaseID, d.ReleaseMessage) + " was disabled; enable it, then resume the rollout",
	}
}

// RolloutMessage is an outbox message to the workflow of a rollout: a RolloutStart, RolloutSuperseded or RolloutDisabled.
type RolloutMessage struct {
	Kind        OutboxKind `json:"-"`
	WorkflowID  string     `json:"workflowId"`
	ByReleaseID int64      `json:"byReleaseId"`
	ReleaseID   int64      `json:"releaseId"`
	// ReleaseMessage is the ReleaseMessage of the release ByReleaseID or ReleaseID.
	ReleaseMessage string `json:"releaseMessage"`
	Actor          Actor  `json:"actor"`
}

// RolloutRelinked is the payload of OutboxRolloutRelinked.
type RolloutRelinked struct {
	WorkflowID string `json:"workflowId"`
	// LinkedFlags is the current number of flags that the release links.
	LinkedFlags int `json:"linkedFlags"`
	// CountsSince is the time since which the rollout's health counts, nil for its start. It tells newer from older messages,
	// because messages may arrive in any order.
	CountsSince *time.Time `json:"countsSince,omitempty"`
}

// The channels of Postgres notifications, which are sent when a transaction commits. Payloads are IDs in decimal.
const (
	// NotifySnapshot announces that a project's snapshot changed. The payload is the project's ID. It ends with NotifyLater if devices need
	// the change only together with a further one, which usually follows.
	NotifySnapshot = "waft_snapshot"
	NotifyLater    = " later"
	// NotifyExecution announces that a rollout changed. The payload is the rollout's ID.
	NotifyExecution = "waft_execution"
	// NotifyApproval announces that an approval ended. The payload is the approval's ID.
	NotifyApproval = "waft_approval"
	// NotifyAPIKeyRevoked announces that an API key was revoked. The payload is the key's ID.
	NotifyAPIKeyRevoked = "waft_api_key_revoked"
	// NotifyRolloutPrompt announces that rollouts are due to be observed. It does not have a payload.
	NotifyRolloutPrompt = "waft_rollout_prompt"
	// NotifyChange announces a new audit entry of a project. The payload is the project's ID.
	NotifyChange = "waft_change"
	// NotifyOutbox announces a new outbox message. It does not have a payload.
	NotifyOutbox = "waft_outbox"
)
