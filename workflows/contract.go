package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

// Names registered with Temporal. Recorded histories hold them, so they stay.
// Updates are named like the commands they carry (models.RolloutCommand).
const (
	WorkflowRollout      = "Rollout"
	WorkflowBuildPatches = "BuildPatches"
	WorkflowDeliver      = "DeliverWebhook"

	ActivityLoadRollout        = "LoadRollout"
	ActivityObserveRelease     = "ObserveRelease"
	ActivityApplyRolloutChange = "ApplyRolloutChange"

	ActivityPlanPatches = "PlanPatches"
	ActivityMakePatch   = "MakePatch"
	ActivityGiveUpPatch = "GiveUpPatch"

	ActivityAttemptDelivery = "AttemptDelivery"
	ActivityCancelDelivery  = "CancelDelivery"

	// SignalWake, without a payload, asks for an observation: the watcher has seen health
	// on which the rollout would decide something else than its row says.
	SignalWake = "wake"
	// SignalSuperseded carries a models.RolloutSuperseded.
	SignalSuperseded = "superseded"
	// SignalReverted carries a models.RolloutReverted: the execution has been ended in
	// the store, by a manual rollback.
	SignalReverted = "reverted"

	// SignalRelinked carries a models.RolloutRelinked: people gave the release other
	// linked flags.
	SignalRelinked = "relinked"

	// SignalDeliveryEnded, without a payload, says that a webhook delivery was cancelled
	// in the store.
	SignalDeliveryEnded = "ended"

	// QueryState answers with the RolloutState.
	QueryState = "state"
)

// Error types of a command that is refused because its sender has stopped waiting: when
// it arrives, which leaves no trace, and after it has waited for its turn, which the
// history keeps. Other refusals have the code of a domain error as their type.
const (
	errorTypeExpired = "expired"
	errorTypeLapsed  = "lapsed"
)

// Search attributes of a rollout; of a webhook delivery its project, event and status.
// They have to be registered in the namespace
// (EnsureSearchAttributes).
var (
	attributeProject = temporal.NewSearchAttributeKeyKeyword("WaftProject")
	attributeRelease = temporal.NewSearchAttributeKeyInt64("WaftRelease")
	attributeStage   = temporal.NewSearchAttributeKeyInt64("WaftStage")
	attributeStatus  = temporal.NewSearchAttributeKeyKeyword("WaftStatus")
	attributeEvent   = temporal.NewSearchAttributeKeyKeyword("WaftEvent")
	attributeWebhook = temporal.NewSearchAttributeKeyKeyword("WaftWebhook") // an id; SQL stores have room for three numbers
)

// commands are the updates that a rollout takes.
var commands = []models.RolloutCommand{
	models.CommandPause, models.CommandResume, models.CommandCancel, models.CommandAdvance,
}

// RolloutInput starts a run of the Rollout workflow. State is nil in the first run
// and carries everything over in the ones that continue it.
type RolloutInput struct {
	Start models.RolloutStart `json:"start"`
	State *RolloutState       `json:"state,omitempty"`
	// Answered are the commands that may come again, oldest first.
	Answered []AnsweredCommand `json:"answered,omitempty"`
}

// RolloutCommandInput is the payload of a command's update.
type RolloutCommandInput struct {
	Actor  models.Actor `json:"actor"`
	Reason string       `json:"reason,omitempty"`
	// Revert says whether a cancel takes the release back; nil means yes. The other
	// commands ignore it.
	Revert *bool `json:"revert,omitempty"`
	// ExpiresAt is when the sender has given up: a command written later is refused
	// rather than carried out behind its back. Nil means never.
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

// PatchesResult counts what became of the patches to a release.
type PatchesResult struct {
	Offered int `json:"offered"`
	Skipped int `json:"skipped"`
	Failed  int `json:"failed"`
	// Gone are those whose contents went meanwhile.
	Gone int `json:"gone"`
}

// DeliveryResult is how a webhook delivery ended.
type DeliveryResult struct {
	Status models.DeliveryStatus `json:"status"`
	// Attempts is how often it was tried.
	Attempts int `json:"attempts"`
}
