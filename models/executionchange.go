package models

import "time"

// ExecutionChange is one step of a rollout. One transaction applies the step with its effects on the rollout percentage, the
// rollback, the timeline and the audit log.
type ExecutionChange struct {
	ProjectID, ExecutionID int64
	// Seq numbers the workflow's changes from 1. It prevents conflicting writes and serves as idempotency key: a change
	// applies only to a row with Version Seq-1, and a row with Version Seq already contains the change.
	Seq        int64
	Status     ExecutionStatus
	StageIndex int
	WaitingFor WaitReason
	Reason     string
	// Percentage is the rollout percentage after the change.
	Percentage     float64
	StageStartedAt time.Time
	// Progress is stored with the corrections that AppliedChange describes.
	Progress          StageProgress
	PausedAt, EndedAt *time.Time
	// Health is the observation that the step is based on; nil leaves the row's observation unchanged.
	Health *Observation `json:",omitempty"`
	RunID  string
	// Revert disables the release and publishes its successor.
	Revert bool
	// DropFlags reverts the release's linked flags.
	DropFlags bool
	// CountsSince is the time since which the health behind the step counts; nil means since the start. If the row counts
	// from a later time, the step is outdated.
	CountsSince *time.Time `json:",omitempty"`
	// ExpiresAt, unless nil, is the time from which the step is refused with CodeExpired, because its sender has stopped
	// waiting.
	ExpiresAt *time.Time `json:",omitempty"`
	// Event is appended to the timeline unless nil, and to the audit log if it is an action.
	Event *RolloutEvent
	Actor Actor
}

// AppliedChange is the state of a rollout after a change was applied or refused.
type AppliedChange struct {
	// Version is the version of the row: the Seq of the last applied change. It is less than the Seq of the refused change
	// if the change is based on outdated health or linked flags. CountsSince and LinkedFlags then have the current state.
	Version int64
	// Status differs from the status in the change if the rollout was ended outside the workflow.
	Status ExecutionStatus
	// CountsSince is copied from the row; LinkedFlags is the number of flags that the release links.
	CountsSince *time.Time `json:",omitempty"`
	LinkedFlags int        `json:",omitempty"`
	// Progress is copied from the row. The store starts the clock of a running stage, because its time counts from the
	// moment when its percentage takes effect. The store adds the evidence of a stage that ends to Before.
	Progress StageProgress
}

// ShownObservation is a newer observation to show in a rollout's row. The row is changed only while it still has this Version
// and CountsSince.
type ShownObservation struct {
	ExecutionID int64       `json:"id"`
	Version     int64       `json:"version"`
	CountsSince *time.Time  `json:"countsSince"`
	Health      Observation `json:"health"`
	// Reason is the reason why the rollout holds, with the numbers of Health; "" leaves the row's reason unchanged.
	Reason string `json:"reason"`
}

// HealthQuery selects the health of the devices inside a release's rollout.
type HealthQuery struct {
	ProjectID  int64
	UpdateUUID string
	// Salt and Percentage determine which devices are inside the rollout. Reports of other devices do not count.
	Salt       string
	Percentage float64
	// Since is the start of the rollout, or the time when its linked flags were reverted.
	Since time.Time
	// MaxPerNetwork is the maximum number of devices per network that count for the stage's MinDevices; see
	// Votes.CappedDevices.
	MaxPerNetwork int64
	// MaxPerAllocation is the same maximum per allocation. AllocationVotes is the maximum number of votes for the networks of
	// one allocation together; 0 means one vote for each of its networks.
	MaxPerAllocation, AllocationVotes int64
	// Control, unless nil, requests the comparison with devices outside the rollout.
	Control *ControlQuery `json:",omitempty"`
	// Events are the custom events that have thresholds, each name once.
	Events []EventHealthQuery `json:",omitempty"`
}

// EventHealthQuery selects the devices that reported a custom event.
type EventHealthQuery struct {
	Name      string
	Direction EventDirection
	// Within is the time that a device has to report the event, counted from its first report on the release.
	Within time.Duration
}

// ControlQuery selects the health of the devices inside a rollout and of its control group.
type ControlQuery struct {
	// Channel is the channel that devices reported, "" for all.
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// Since is the time when the rollout percentage was applied.
	Since time.Time
}
