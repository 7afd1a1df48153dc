package models

import "time"

// ExecutionChange is one step of a rollout execution, applied in a single
// transaction together with what follows from it: the release's share, the
// rollback, the timeline, the audit entry.
type ExecutionChange struct {
	ProjectID   int64
	ExecutionID int64
	// Seq numbers the workflow's changes from 1. It is fence and idempotency key in
	// one: a change applies only to a row whose Version is Seq-1, and a row whose
	// Version is Seq already has it.
	Seq        int64
	Status     ExecutionStatus
	StageIndex int
	WaitingFor WaitReason
	Reason     string
	// Percentage is the share that the release has after the change.
	Percentage     float64
	StageStartedAt time.Time
	// Progress is stored but for what the store knows better: see AppliedChange.
	Progress StageProgress
	PausedAt *time.Time
	EndedAt  *time.Time
	// Health is the observation that the step rests on; nil leaves the row's as it is.
	Health *Observation `json:",omitempty"`
	RunID  string
	// Revert disables the release and publishes its successor.
	Revert bool
	// DropFlags reverts the release's linked flags.
	DropFlags bool
	// CountsSince is since when the health counts that the step rests on; nil is since
	// the start. It is a second fence: once the row counts from later on, the step was
	// decided on what does not count any more.
	CountsSince *time.Time `json:",omitempty"`
	// ExpiresAt is when the sender of the command that the step carries out has given
	// up: a step that would be written later is refused, CodeExpired. Nil means never.
	ExpiresAt *time.Time `json:",omitempty"`
	// Event is appended to the timeline unless nil; an audit entry goes with it
	// where the contract names one.
	Event *RolloutEvent
	Actor Actor
}

// AppliedChange is how an execution stands after a change was applied, found applied
// already, or left out.
type AppliedChange struct {
	// Version is the row's version, the Seq of the change applied last. It is less than
	// the change's own when the step rests on health, or on linked flags, that the
	// release does not have any more; CountsSince and LinkedFlags tell then what it has.
	Version int64
	// Status differs from the change's own when something other than the workflow
	// ended the execution.
	Status ExecutionStatus
	// CountsSince is the row's, LinkedFlags how many flags the release links.
	CountsSince *time.Time `json:",omitempty"`
	LinkedFlags int        `json:",omitempty"`
	// Progress is the row's. The store starts the clock of a running stage, since its
	// time counts from when its share is in force, and adds to Before what a stage that
	// ends has shown.
	Progress StageProgress
}

// HealthQuery asks for the health of the devices in a release's share.
type HealthQuery struct {
	ProjectID  int64
	UpdateUUID string
	// Salt and Percentage say which devices the release's share holds; reports of
	// others do not count.
	Salt       string
	Percentage float64
	// Since is the start of the execution, or when its linked flags were reverted.
	Since time.Time
	// Control asks for the comparison with devices outside the share; nil does not.
	Control *ControlQuery `json:",omitempty"`
}

// ControlQuery asks for the health of devices inside a share and of its control group.
type ControlQuery struct {
	// Channel is the one that devices reported, "" for all.
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// Since is when the share was applied.
	Since time.Time
}
