package models

// Rollback is a request to revert the releases that a channel delivers.
type Rollback struct {
	Channel        string   `json:"channel"`
	Platform       Platform `json:"platform"`
	RuntimeVersion string   `json:"runtimeVersion"`
	// ToUpdateID is the release to return to; nil means the embedded update.
	ToUpdateID *int64 `json:"rollbackToUpdateId,omitempty"`
}

func (r Rollback) Validate() error {
	var p Problems
	checkStreamName(&p, "channel", r.Channel)
	checkOneOf(&p, "platform", r.Platform, IOS, Android)
	CheckRuntimeVersion(&p, "runtimeVersion", r.RuntimeVersion)
	if r.ToUpdateID != nil && *r.ToUpdateID <= 0 {
		p.Add("rollbackToUpdateId", "must be the id of an update")
	}
	return p.Err()
}

// ExecutionRollbackScope is how much a manual rollback of a rollout reverts.
type ExecutionRollbackScope string

// Scopes, from narrow to wide.
const (
	// RollbackFlag reverts one linked flag; the rollout goes on.
	RollbackFlag ExecutionRollbackScope = "flag"
	// RollbackRelease reverts the release, on its platform.
	RollbackRelease ExecutionRollbackScope = "release"
	// RollbackChannel reverts all releases of the branch, on every platform and runtime version, that are
	// newer than the last one that reached every device.
	RollbackChannel ExecutionRollbackScope = "channel"
)

// ExecutionRollback is a request for a manual rollback of a rollout.
type ExecutionRollback struct {
	Scope ExecutionRollbackScope
	// FlagID is the flag of a RollbackFlag, else nil.
	FlagID *int64
	Reason string
}

func (r ExecutionRollback) Validate() error {
	var p Problems
	checkOneOf(&p, "scope", r.Scope, RollbackFlag, RollbackRelease, RollbackChannel)
	if r.Scope == RollbackFlag && r.FlagID == nil {
		p.Add("flagId", "is missing: name the linked flag to revert")
	} else if r.Scope != RollbackFlag && r.FlagID != nil {
		p.Add("flagId", "is for the scope flag only")
	}
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	return p.Err()
}
