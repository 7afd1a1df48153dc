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

	// SignalWake, without a payload, is sent by the watcher when a decision on the current health
	// would differ from the row.
	SignalWake = "wake"
	// SignalSuperseded has a models.RolloutSuperseded.
	SignalSuperseded = "superseded"
	// SignalReverted has a models.RolloutReverted: the execution was ended in the store, or paused or resumed.
	SignalReverted = "reverted"
	// SignalRelinked has a models.RolloutRelinked: the linked flags were changed.
	SignalRelinked = "relinked"
	// SignalDeliveryEnded, without a payload: the webhook delivery was cancelled in the store.
	SignalDeliveryEnded = "ended"
	// SignalFiles, without a payload: more files of the project are to be compressed.
	SignalFiles = "files"
	// SignalDecided, without a payload: people decided about an approval.
	SignalDecided = "decided"

	// QueryState answers with the rollout.State.
	QueryState = "state"
)

// Error types of a command whose sender has stopped waiting: expired when it arrives, which is not
// in the history; lapsed after it was accepted, which is. Other errors have the code of a domain
// error as their type.
const (
	errorTypeExpired = "expired"
	errorTypeLapsed  = "lapsed"
)

// Search attributes of rollouts, webhook deliveries and approvals. EnsureSearchAttributes registers them.
var (
	attributeProject = temporal.NewSearchAttributeKeyKeyword("WaftProject")
	attributeRelease = temporal.NewSearchAttributeKeyInt64("WaftRelease")
	attributeStage   = temporal.NewSearchAttributeKeyInt64("WaftStage")
	attributeStatus  = temporal.NewSearchAttributeKeyKeyword("WaftStatus")
	attributeEvent   = temporal.NewSearchAttributeKeyKeyword("WaftEvent")
	attributeAction  = temporal.NewSearchAttributeKeyKeyword("WaftAction")
	attributeWebhook = temporal.NewSearchAttributeKeyKeyword("WaftWebhook") // an id; Temporal's SQL schemas have three numbers
)

// commands are the updates that a rollout takes.
var commands = []models.RolloutCommand{
	models.CommandPause, models.CommandResume, models.CommandCancel, models.CommandAdvance,
}

// RolloutInput starts a run of the Rollout workflow. State is nil in the first run, and the state
// of the run before in those that continue it.
type RolloutInput struct {
	Start models.RolloutStart `json:"start"`
	State *rollout.State      `json:"state,omitempty"`
	// Answered are the commands that may be repeated, oldest first.
	Answered []AnsweredCommand `json:"answered,omitempty"`
}

// RolloutCommandInput is the payload of a command's update.
type RolloutCommandInput struct {
	Actor  models.Actor `json:"actor"`
	Reason string       `json:"reason,omitempty"`
	// Revert says whether a cancel reverts the release; nil means yes. Other commands ignore it.
	Revert *bool `json:"revert,omitempty"`
	// ExpiresAt is when the sender stops waiting; a later command is refused. Nil means never.
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

// RolloutResult is how a rollout ended.
type RolloutResult struct {
	Status     models.ExecutionStatus `json:"status"`
	Percentage float64                `json:"percentage"`
	Reason     string                 `json:"reason"`
	// Changes is how many changes were written, the Seq of the last one.
	Changes int64 `json:"changes"`
}

// PatchesResult counts the patches to a release by outcome.
type PatchesResult struct {
	Offered int `json:"offered"`
	Skipped int `json:"skipped"`
	Failed  int `json:"failed"`
	// Gone are those whose files were deleted meanwhile.
	Gone int `json:"gone"`
}

// FilesResult counts the files that were compressed.
type FilesResult struct {
	Files int `json:"files"`
}

// ApprovalResult is how the wait for approvals ended.
type ApprovalResult struct {
	Status models.ApprovalStatus `json:"status"`
}

// DeliveryResult is how a webhook delivery ended.
type DeliveryResult struct {
	Status   models.DeliveryStatus `json:"status"`
	Attempts int                   `json:"attempts"`
}
