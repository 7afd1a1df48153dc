package models

import (
	"time"

	"github.com/google/uuid"
)

// ExecutionStatus is the state of a rollout execution.
type ExecutionStatus string

// States of an execution. Running and paused are open, the others final.
const (
	ExecutionRunning    ExecutionStatus = "running"
	ExecutionPaused     ExecutionStatus = "paused"
	ExecutionCompleted  ExecutionStatus = "completed"
	ExecutionRolledBack ExecutionStatus = "rolled_back"
	ExecutionCancelled  ExecutionStatus = "cancelled"
)

// Open reports whether the execution can still change.
func (s ExecutionStatus) Open() bool { return s == ExecutionRunning || s == ExecutionPaused }

// WaitReason is what an open execution waits for, "" for nothing.
type WaitReason string

const (
	WaitDuration  WaitReason = "duration"
	WaitDevices   WaitReason = "devices"
	WaitThreshold WaitReason = "threshold"
	WaitData      WaitReason = "data"
	// WaitNetworks is for devices in further networks: those heard are too few to decide.
	WaitNetworks WaitReason = "networks"
	WaitResume   WaitReason = "resume"
)

// RolloutCommand is a command to an open execution.
type RolloutCommand string

const (
	CommandPause   RolloutCommand = "pause"
	CommandResume  RolloutCommand = "resume"
	CommandCancel  RolloutCommand = "cancel"
	CommandAdvance RolloutCommand = "advance"
)

// CheckCommand returns an error unless s takes the command: see the table in docs/rollouts.md.
func (s ExecutionStatus) CheckCommand(c RolloutCommand) error {
	switch {
	case c == CommandPause && s == ExecutionRunning, c == CommandResume && s == ExecutionPaused,
		(c == CommandCancel || c == CommandAdvance) && s.Open():
		return nil
	}
	return Errorf(CodeInvalidTransition, "cannot %s a rollout that is %s", c, s)
}

// maxReasonBytes bounds the reason that a person gives for a command or rollback.
const maxReasonBytes = 1024

// CommandInput says who gives a rollout command, and why.
type CommandInput struct {
	Actor  Actor
	Reason string
	// Revert says whether a cancel also reverts the release; other commands ignore it.
	Revert bool
	// RequestID identifies a command that is sent again. Empty means a new one each time.
	RequestID string
}

func (in CommandInput) Validate() error {
	var p Problems
	checkText(&p, "reason", in.Reason, maxReasonBytes)
	return p.Err()
}

// RolloutExecution is one run of a policy for one release, driven by the workflow WorkflowID.
type RolloutExecution struct {
	ID, ProjectID  int64
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
	// Stages, Thresholds and Schedule are the policy's as they were at the start.
	Stages     []Stage    `gorm:"type:jsonb;serializer:json"`
	Thresholds Thresholds `gorm:"type:jsonb;serializer:json"`
	Schedule   Schedule   `gorm:"type:jsonb;serializer:json"`
	Percentage float64
	WaitingFor WaitReason
	Reason     string
	// Health is the newest observation of the release, nil before the first.
	Health         *Observation `gorm:"type:jsonb;serializer:json"`
	StartedAt      time.Time
	StageStartedAt time.Time
	// CountsSince is when health began to count after a linked flag was reverted; nil means StartedAt.
	CountsSince       *time.Time
	Progress          StageProgress `gorm:"type:jsonb;serializer:json"`
	PausedAt, EndedAt *time.Time
	WorkflowID, RunID string
	// Version is the fence: a write fails unless the row has the expected version.
	Version int64

	Timeline []RolloutEvent `gorm:"-"`
	// LinkedFlags and ReleaseDisabled are of the release.
	LinkedFlags     []LinkedFlag `gorm:"-"`
	ReleaseDisabled bool         `gorm:"-"`
}

// CheckRelease returns an error when the command would continue the rollout of a disabled release.
func (e RolloutExecution) CheckRelease(c RolloutCommand) error {
	if !e.Status.Open() || !e.ReleaseDisabled || c != CommandResume && c != CommandAdvance {
		return nil
	}
	return Errorf(CodeInvalidTransition,
		"cannot %s this rollout while update %d is disabled: enable the update first, or cancel the rollout", c, e.UpdateID)
}

// RolloutEventKind is what an entry of an execution's timeline records.
type RolloutEventKind string

const (
	EventStarted       RolloutEventKind = "started"
	EventStageAdvanced RolloutEventKind = "stage_advanced"
	EventPaused        RolloutEventKind = "paused"
	EventResumed       RolloutEventKind = "resumed"
	EventHeld          RolloutEventKind = "held"
	EventCompleted     RolloutEventKind = "completed"
	EventCancelled     RolloutEventKind = "cancelled"
	EventRolledBack    RolloutEventKind = "rolled_back"
	// EventFlagsReverted says that linked flags were reverted, and the release was not.
	EventFlagsReverted RolloutEventKind = "flags_reverted"
)

// RolloutEvent is one entry of an execution's timeline.
type RolloutEvent struct {
	ID, ExecutionID, ProjectID int64
	At                         time.Time
	Event                      RolloutEventKind
	// Actor is "system" or the name of the key that gave a command.
	Actor              string
	FromStage, ToStage int
	Percentage         float64
	// Reason is a sentence for a person.
	Reason string
	Health *Observation `gorm:"type:jsonb;serializer:json"`
}

// RolloutSubject is what the planner needs of a rollout: the stored execution and its release.
type RolloutSubject struct {
	Execution   RolloutExecution `gorm:"embedded"`
	ProjectSlug string
	// ShareSalt is the salt of the release's share.
	ShareSalt string
	// LinkedFlags is how many flags the release links.
	LinkedFlags int
}
