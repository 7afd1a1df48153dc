package models

import (
	"time"

	"github.com/google/uuid"
)

// ExecutionStatus is the status of a rollout.
type ExecutionStatus string

// Statuses of a rollout. A running or paused rollout is open; the other statuses are final.
const (
	ExecutionRunning    ExecutionStatus = "running"
	ExecutionPaused     ExecutionStatus = "paused"
	ExecutionCompleted  ExecutionStatus = "completed"
	ExecutionRolledBack ExecutionStatus = "rolled_back"
	ExecutionCancelled  ExecutionStatus = "cancelled"
)

// Open reports whether the rollout can still change.
func (s ExecutionStatus) Open() bool { return s == ExecutionRunning || s == ExecutionPaused }

// WaitReason is the reason why an open rollout waits, "" if it does not wait.
type WaitReason string

const (
	WaitDuration  WaitReason = "duration"
	WaitDevices   WaitReason = "devices"
	WaitThreshold WaitReason = "threshold"
	WaitData      WaitReason = "data"
	// WaitNetworks means that too few networks have reported for a decision.
	WaitNetworks WaitReason = "networks"
	WaitResume   WaitReason = "resume"
)

// RolloutCommand is a command to an open rollout.
type RolloutCommand string

const (
	CommandPause   RolloutCommand = "pause"
	CommandResume  RolloutCommand = "resume"
	CommandCancel  RolloutCommand = "cancel"
	CommandAdvance RolloutCommand = "advance"
)

// Allows reports whether status s allows the command; see the table in docs/concepts/rollouts.md.
func (s ExecutionStatus) Allows(c RolloutCommand) bool {
	return c == CommandPause && s == ExecutionRunning || c == CommandResume && s == ExecutionPaused ||
		(c == CommandCancel || c == CommandAdvance) && s.Open()
}

// CheckCommand returns an error unless status s allows the command.
func (s ExecutionStatus) CheckCommand(c RolloutCommand) error {
	if s.Allows(c) {
		return nil
	}
	return Errorf(CodeInvalidTransition, "cannot %s a rollout that is %s", c, s)
}

// maxReasonBytes is the maximum length of the reason that a person gives for a command or rollback.
const maxReasonBytes = 1024

// CommandInput contains the actor, the reason and the options of a rollout command.
type CommandInput struct {
	Actor  Actor
	Reason string
	// Revert makes a cancel also roll back the release; other commands ignore it.
	Revert bool
	// RequestID identifies a command that is sent again. If it is empty, each call is a new command.
	RequestID string
}

func (in CommandInput) Validate() error {
	var p Problems
	checkText(&p, "reason", in.Reason, maxReasonBytes)
	return p.Err()
}

// RolloutExecution is the rollout of one release with one policy. The workflow WorkflowID drives it.
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
	// Stages, Thresholds and Schedule are copied from the policy at the start.
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
	// CountsSince is the time since which health counts, after a linked flag was reverted; nil means since StartedAt.
	CountsSince       *time.Time
	Progress          StageProgress `gorm:"type:jsonb;serializer:json"`
	PausedAt, EndedAt *time.Time
	WorkflowID, RunID string
	// Version prevents conflicting writes: a write fails unless the row has the expected version.
	Version int64

	// ReleaseMessage is the ReleaseMessage of the release.
	ReleaseMessage string `gorm:"->"`
	// GitCommitHash and GitAuthor are the commit of the release.
	GitCommitHash, GitAuthor string `gorm:"->"`

	Timeline []RolloutEvent `gorm:"-"`
	// LinkedFlags and ReleaseDisabled describe the release.
	LinkedFlags     []LinkedFlag `gorm:"-"`
	ReleaseDisabled bool         `gorm:"-"`
	// Successor is the release that devices got when the release was rolled back, or nil. Only the fields that name it are set.
	Successor *Release `gorm:"-" json:",omitempty"`
}

// CheckRelease returns an error if the command would continue the rollout of a disabled release.
func (e RolloutExecution) CheckRelease(c RolloutCommand) error {
	if !e.Status.Open() || !e.ReleaseDisabled || c != CommandResume && c != CommandAdvance {
		return nil
	}
	return Errorf(CodeInvalidTransition,
		"cannot %s this rollout while %s is disabled; enable the release first, or cancel the rollout", c, ReleasePhrase(e.UpdateID, e.ReleaseMessage))
}

// RolloutEventKind is the kind of an entry in a rollout's timeline.
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
	// EventFlagsReverted means that linked flags were reverted, but the release was not rolled back.
	EventFlagsReverted RolloutEventKind = "flags_reverted"
)

// RolloutEvent is one entry of a rollout's timeline.
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
	// HeldUntil is the end of the freeze that Reason describes, nil for other reasons.
	HeldUntil *time.Time `json:",omitempty"`
	// RunsUntil is the end of the stage's minimum time that Reason names, nil for other reasons.
	RunsUntil *time.Time   `json:",omitempty"`
	Health    *Observation `gorm:"type:jsonb;serializer:json"`
}

// RolloutSubject is the planner's view of a rollout: the stored rollout and its release.
type RolloutSubject struct {
	Execution   RolloutExecution `gorm:"embedded"`
	ProjectSlug string
	// ShareSalt is the ShareSalt of the release.
	ShareSalt string
	// LinkedFlags is the number of flags that the release links.
	LinkedFlags int
}
