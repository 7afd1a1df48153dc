package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Names registered with Temporal. Recorded histories contain them, so they must not change.
// Updates have the names of their commands (models.RolloutCommand).
const (
	WorkflowRollout       = "Rollout"
	WorkflowBuildPatches  = "BuildPatches"
	WorkflowCompressFiles = "CompressFiles"
	WorkflowDeliver       = "DeliverWebhook"
	WorkflowApproval      = "Approval"
	WorkflowSendMail      = "SendMail"
	WorkflowFlagSchedule  = "FlagSchedule"

	ActivityLoadRollout        = "LoadRollout"
	ActivityObserveRelease     = "ObserveRelease"
	ActivityApplyRolloutChange = "ApplyRolloutChange"

	ActivityPlanPatches = "PlanPatches"
	ActivityMakePatch   = "MakePatch"
	ActivityGiveUpPatch = "GiveUpPatch"

	ActivityCompressFiles = "CompressFiles"

	ActivityAttemptDelivery = "AttemptDelivery"
	ActivityCancelDelivery  = "CancelDelivery"

	ActivitySettleApproval = "SettleApproval"

	ActivitySendMail = "SendMail"

	ActivityApplyFlagSchedule = "ApplyFlagSchedule"

	// SignalWake has no payload. The watcher sends it when a decision on the current health would differ from the row.
	SignalWake = "wake"
	// SignalSuperseded has a models.RolloutSuperseded: every device gets a newer release.
	SignalSuperseded = "superseded"
	// SignalReverted has a models.RolloutReverted: the rollout was ended, paused or resumed in the store.
	SignalReverted = "reverted"
	// SignalRelinked has a models.RolloutRelinked: the linked flags were changed.
	SignalRelinked = "relinked"
	// SignalDeliveryEnded has no payload: the webhook delivery was cancelled in the store.
	SignalDeliveryEnded = "ended"
	// SignalFiles has no payload: the project has more files to compress.
	SignalFiles = "files"
	// SignalDecided has no payload: an approval was decided.
	SignalDecided = "decided"
	// SignalScheduleEnded has no payload: a scheduled change ended in the store.
	SignalScheduleEnded = "schedule-ended"

	// QueryState returns the rollout.State.
	QueryState = "state"
)

// Error types of a command whose sender has stopped waiting. A command that arrives too late is expired, and is not in the
// history. A command that becomes too late after it was accepted is lapsed, and is in the history. Other errors have the
// code of a domain error as their type.
const (
	errorTypeExpired = "expired"
	errorTypeLapsed  = "lapsed"
)

// Search attributes of rollouts, webhook deliveries, approvals and scheduled changes. EnsureSearchAttributes registers them.
var (
	attributeProject = temporal.NewSearchAttributeKeyKeyword("WaftProject")
	attributeRelease = temporal.NewSearchAttributeKeyInt64("WaftRelease")
	attributeStage   = temporal.NewSearchAttributeKeyInt64("WaftStage")
	attributeStatus  = temporal.NewSearchAttributeKeyKeyword("WaftStatus")
	attributeEvent   = temporal.NewSearchAttributeKeyKeyword("WaftEvent")
	attributeAction  = temporal.NewSearchAttributeKeyKeyword("WaftAction")
	// attributeWebhook is a keyword, because Temporal's SQL schemas have only three integer columns.
	attributeWebhook = temporal.NewSearchAttributeKeyKeyword("WaftWebhook")
)

// commands lists the updates that a rollout accepts.
var commands = []models.RolloutCommand{
	models.CommandPause, models.CommandResume, models.CommandCancel, models.CommandAdvance,
}

// RolloutInput is the input of a run of the Rollout workflow. State is nil in the first run. A run that continues the
// workflow gets the state of the previous run.
type RolloutInput struct {
	Start models.RolloutStart `json:"start"`
	State *rollout.State      `json:"state,omitempty"`
	// Answered contains the results of commands that may be repeated, oldest first.
	Answered []AnsweredCommand `json:"answered,omitempty"`
}

// RolloutCommandInput is the payload of a command's update.
type RolloutCommandInput struct {
	Actor  models.Actor `json:"actor"`
	Reason string       `json:"reason,omitempty"`
	// Revert is true or nil if a cancel also rolls the release back. The other commands ignore it.
	Revert *bool `json:"revert,omitempty"`
	// ExpiresAt is the time at which the sender stops waiting. A command that is later is refused. Nil means never.
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

// RolloutResult is the result of a rollout.
type RolloutResult struct {
	Status     models.ExecutionStatus `json:"status"`
	Percentage float64                `json:"percentage"`
	Reason     string                 `json:"reason"`
	// Changes is the number of written changes, which is the Seq of the last change.
	Changes int64 `json:"changes"`
}

// PatchesResult counts the patches to a release by outcome.
type PatchesResult struct {
	Offered int `json:"offered"`
	Skipped int `json:"skipped"`
	Failed  int `json:"failed"`
	// Gone counts the patches whose files were deleted before they were created.
	Gone int `json:"gone"`
}

// FilesResult counts the files that were compressed.
type FilesResult struct {
	Files int `json:"files"`
}

// ApprovalResult is the result of the wait for approvals.
type ApprovalResult struct {
	Status models.ApprovalStatus `json:"status"`
}

// FlagScheduleResult is the result of the wait for the time of a scheduled change.
type FlagScheduleResult struct {
	Status models.FlagScheduleStatus `json:"status"`
}

// DeliveryResult is the result of a webhook delivery.
type DeliveryResult struct {
	Status   models.DeliveryStatus `json:"status"`
	Attempts int                   `json:"attempts"`
}
