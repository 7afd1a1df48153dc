package models

// ExecutionRollbackScope is how much a manual rollback reverts.
type ExecutionRollbackScope string

// Scopes, from narrow to wide.
const (
	// RollbackFlag takes one linked flag back; the rollout goes on.
	RollbackFlag ExecutionRollbackScope = "flag"
	// RollbackRelease takes the release back, on its platform.
	RollbackRelease ExecutionRollbackScope = "release"
	// RollbackChannel reverts every release of the channel's branch, on every
	// platform and runtime version, that is newer than the last one that reached every
	// device.
	RollbackChannel ExecutionRollbackScope = "channel"
)

// ExecutionRollback is what a caller says to take a rollout back.
type ExecutionRollback struct {
	Scope ExecutionRollbackScope
	// FlagID is the flag of a RollbackFlag, else nil.
	FlagID *int64
	Reason string
}

// Validate reports every bad field.
func (r ExecutionRollback) Validate() error {
	var p Problems
	switch r.Scope {
	case RollbackFlag:
		if r.FlagID == nil {
			p.Add("flagId", "is missing: name the linked flag to revert")
		}
	case RollbackRelease, RollbackChannel:
		if r.FlagID != nil {
			p.Add("flagId", "goes with the scope flag only")
		}
	default:
		p.Add("scope", "must be flag, release or channel")
	}
	checkText(&p, "reason", r.Reason, maxReasonBytes)
	return p.Err()
}
