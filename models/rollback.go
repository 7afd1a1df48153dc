package models

// Rollback is a request to roll back the releases that a channel delivers.
type Rollback struct {
	Channel        string   `json:"channel"`
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	// ToUpdateID is the ID of the release to return to; nil means the embedded update.
	ToUpdateID *int64 `json:"rollbackToUpdateId,omitempty"`
}

func (r Rollback) Validate() error {
	var p Problems
	checkStreamName(&p, "channel", r.Channel)
	checkOneOf(&p, "platform", r.Platform, IOS, Android)
	CheckRuntimeVersion(&p, "runtimeVersion", r.RuntimeVersion)
	if r.ToUpdateID != nil && *r.ToUpdateID <= 0 {
		p.Add("rollbackToUpdateId", "must be the ID of a release")
	}
	return p.Err()
}

// ExecutionRollbackScope is the scope of a manual rollback of a rollout.
type ExecutionRollbackScope string

// Scopes, from narrow to wide.
const (
	// RollbackFlag reverts one linked flag; the rollout continues.
	RollbackFlag ExecutionRollbackScope = "flag"
	// RollbackRelease rolls back the release, on its platform.
	RollbackRelease ExecutionRollbackScope = "release"
	// RollbackChannel rolls back all releases of the branch that are newer than the last release that reached every device,
	// on every platform and runtime version.
	RollbackChannel ExecutionRollbackScope = "channel"
)

// ExecutionRollback is a request for a manual rollback of a rollout.
type ExecutionRollback struct {
	Scope ExecutionRollbackScope
	// FlagID is the flag to revert with the scope RollbackFlag, otherwise nil.
	FlagID *int64
	Reason string
}

func (r ExecutionRollback) Validate() error {
	var p Problems
	checkOneOf(&p, "scope", r.Scope, RollbackFlag, RollbackRelease, RollbackChannel)
	if r.Scope == RollbackFlag && r.FlagID == nil {
		p.Add("flagId", "is required with scope flag: name the linked flag to revert")
	} else if r.Scope != RollbackFlag && r.FlagID != nil {
		p.Add("flagId", "is only allowed with the scope flag")
	}
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	return p.Err()
}
