package models

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// ExecutionStatus is the state of a rollout execution.
type ExecutionStatus string

// Execution states. Running and paused are open, the rest are final.
const (
	ExecutionRunning    ExecutionStatus = "running"
	ExecutionPaused     ExecutionStatus = "paused"
	ExecutionCompleted  ExecutionStatus = "completed"
	ExecutionRolledBack ExecutionStatus = "rolled_back"
	ExecutionCancelled  ExecutionStatus = "cancelled"
)

// Open reports whether the execution can still change.
func (s ExecutionStatus) Open() bool { return s == ExecutionRunning || s == ExecutionPaused }

// WaitReason says what an open execution waits for; "" when for nothing.
type WaitReason string

// Wait reasons.
const (
	WaitDuration  WaitReason = "duration"
	WaitDevices   WaitReason = "devices"
	WaitThreshold WaitReason = "threshold"
	WaitData      WaitReason = "data"
	WaitResume    WaitReason = "resume"
)

// RolloutCommand is what an operator may tell an open execution.
type RolloutCommand string

// Rollout commands.
const (
	CommandPause   RolloutCommand = "pause"
	CommandResume  RolloutCommand = "resume"
	CommandCancel  RolloutCommand = "cancel"
	CommandAdvance RolloutCommand = "advance"
)

// CheckCommand reports an invalid_transition error unless an execution in state
// s takes the command. The table is in docs/architecture.md.
func (s ExecutionStatus) CheckCommand(c RolloutCommand) error {
	legal := map[RolloutCommand][]ExecutionStatus{
		CommandPause:   {ExecutionRunning},
		CommandResume:  {ExecutionPaused},
		CommandCancel:  {ExecutionRunning, ExecutionPaused},
		CommandAdvance: {ExecutionRunning, ExecutionPaused},
	}
	if slices.Contains(legal[c], s) {
		return nil
	}
	return Errorf(CodeInvalidTransition, "cannot %s a rollout that is %s", c, s)
}

// RolloutExecution is one run of a policy for one release. The Temporal workflow
// named WorkflowID drives it; this row is the truth for lists and readers.
type RolloutExecution struct {
	ID             int64
	ProjectID      int64
	PolicyID       *int64
	PolicyName     string
	UpdateID       int64
	UpdateUUID     uuid.UUID `gorm:"column:update_uuid"`
	GroupID        uuid.UUID
	Channel        *string
	Platform       Platform
	RuntimeVersion string
	Status         ExecutionStatus
	// StageIndex counts from 0.
	StageIndex int
	// Stages and Thresholds are the policy's as they were at the start.
	Stages     []Stage    `gorm:"type:jsonb;serializer:json"`
	Thresholds Thresholds `gorm:"type:jsonb;serializer:json"`
	// Schedule is the policy's as it was at the start.
	Schedule   Schedule `gorm:"type:jsonb;serializer:json"`
	Percentage float64
	WaitingFor WaitReason
	Reason     string
	// Health is the newest observation of the release, nil before the first.
	Health         *Observation `gorm:"type:jsonb;serializer:json"`
	StartedAt      time.Time
	StageStartedAt time.Time
	// CountsSince is when health began to count, after a linked flag was reverted; nil
	// means StartedAt.
	CountsSince *time.Time
	// Progress is what the planner needs besides.
	Progress   StageProgress `gorm:"type:jsonb;serializer:json"`
	PausedAt   *time.Time
	EndedAt    *time.Time
	WorkflowID string
	RunID      string
	// Version is the fence: a write fails unless the row has the version that it names.
	Version int64

	Timeline []RolloutEvent `gorm:"-"`
	// LinkedFlags are those of the release.
	LinkedFlags []LinkedFlag `gorm:"-"`
	// ReleaseDisabled says that no device is served the release.
	ReleaseDisabled bool `gorm:"-"`
}

// CheckRelease reports an invalid_transition error when the command would advance a
// release that is disabled.
func (e RolloutExecution) CheckRelease(c RolloutCommand) error {
	if !e.Status.Open() || !e.ReleaseDisabled || c != CommandResume && c != CommandAdvance {
		return nil
	}
	return Errorf(CodeInvalidTransition, "cannot %s this rollout while update %d is disabled: enable the update first, or cancel the rollout", c, e.UpdateID)
}

// RolloutEventKind is what an entry of an execution's timeline records.
type RolloutEventKind string

// Timeline events.
const (
	EventStarted       RolloutEventKind = "started"
	EventStageAdvanced RolloutEventKind = "stage_advanced"
	EventPaused        RolloutEventKind = "paused"
	EventResumed       RolloutEventKind = "resumed"
	EventHeld          RolloutEventKind = "held"
	EventCompleted     RolloutEventKind = "completed"
	EventCancelled     RolloutEventKind = "cancelled"
	EventRolledBack    RolloutEventKind = "rolled_back"
	// EventFlagsReverted: linked flags were reverted, the release was not.
	EventFlagsReverted RolloutEventKind = "flags_reverted"
)

// RolloutEvent is one entry of an execution's timeline.
type RolloutEvent struct {
	ID          int64
	ExecutionID int64
	ProjectID   int64
	At          time.Time
	Event       RolloutEventKind
	// Actor is "system" or the name of the key that gave a command.
	Actor      string
	FromStage  int
	ToStage    int
	Percentage float64
	// Reason is a sentence for a person.
	Reason string
	Health *Observation `gorm:"type:jsonb;serializer:json"`
}
