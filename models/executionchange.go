package models

import "time"

// ExecutionChange is one step of an execution. One transaction applies it, with its effects on the
// release's share, the rollback, the timeline and the audit log.
type ExecutionChange struct {
	ProjectID, ExecutionID int64
	// Seq numbers the workflow's changes from 1. It is both fence and idempotency key: a change
	// applies only to a row with Version Seq-1, and a row with Version Seq already has it.
	Seq        int64
	Status     ExecutionStatus
	StageIndex int
	WaitingFor WaitReason
	Reason     string
	// Percentage is the share of the release after the change.
	Percentage     float64
	StageStartedAt time.Time
	// Progress is stored with the corrections that AppliedChange describes.
	Progress          StageProgress
	PausedAt, EndedAt *time.Time
	// Health is the observation behind the step; nil leaves the row's as it is.
	Health *Observation `json:",omitempty"`
	RunID  string
	// Revert disables the release and publishes its successor.
	Revert bool
	// DropFlags reverts the release's linked flags.
	DropFlags bool
	// CountsSince is when the health behind the step began to count; nil is the start. It is a
	// second fence: when the row counts from later on, the step is outdated.
	CountsSince *time.Time `json:",omitempty"`
	// ExpiresAt, unless nil, is when the step is refused with CodeExpired: its sender has given up.
	ExpiresAt *time.Time `json:",omitempty"`
	// Event is appended to the timeline unless nil, and to the audit log when it is an action.
	Event *RolloutEvent
	Actor Actor
}

// AppliedChange is the state of an execution after a change was applied, or left out.
type AppliedChange struct {
	// Version is the row's version, the Seq of the change applied last. It is less than the
	// change's own when the step is based on outdated health or linked flags; CountsSince and
	// LinkedFlags then have the current state.
	Version int64
	// Status differs from the change's when the execution was ended outside the workflow.
	Status ExecutionStatus
	// CountsSince is the row's, LinkedFlags how many flags the release links.
	CountsSince *time.Time `json:",omitempty"`
	LinkedFlags int        `json:",omitempty"`
	// Progress is the row's. The store starts the clock of a running stage, since its time counts
	// from when its share is in force, and adds the evidence of a stage that ends to Before.
	Progress StageProgress
}

// ShownObservation is shown in a row, but only while it still has this Version and CountsSince.
type ShownObservation struct {
	ExecutionID int64       `json:"id"`
	Version     int64       `json:"version"`
	CountsSince *time.Time  `json:"countsSince"`
	Health      Observation `json:"health"`
	// Reason is why the rollout holds, with the numbers of Health; "" leaves the row's.
	Reason string `json:"reason"`
}

// HealthQuery selects the health of the devices in a release's share.
type HealthQuery struct {
	ProjectID  int64
	UpdateUUID string
	// Salt and Percentage define the share; reports of other devices do not count.
	Salt       string
	Percentage float64
	// Since is the start of the execution, or when its linked flags were reverted.
	Since time.Time
	// MaxPerNetwork is how many devices of one network count for the stage's MinDevices; see
	// Votes.CappedDevices.
	MaxPerNetwork int64
	// MaxPerAllocation is how many devices of one allocation do, and AllocationVotes how many votes the networks of one
	// allocation have together. With 0, an allocation has as many as its networks.
	MaxPerAllocation, AllocationVotes int64
	// Control selects the comparison with devices outside the share; nil does not.
	Control *ControlQuery `json:",omitempty"`
	// Events are the custom events whose rates are limited, each name once.
	Events []EventHealthQuery `json:",omitempty"`
}

// EventHealthQuery selects the devices that reported a custom event.
type EventHealthQuery struct {
	Name      string
	Direction EventDirection
	// Within is how long a device has to report the event, from its first report on the release.
	Within time.Duration
}

// ControlQuery selects the health of devices inside a share and of its control group.
type ControlQuery struct {
	// Channel is the channel that devices reported, "" for all.
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// Since is when the share was applied.
	Since time.Time
}
