package models

import "time"

// FlagScheduleStatus is the status of a scheduled change of a flag.
type FlagScheduleStatus string

const (
	// SchedulePendingApproval means that the change waits for approvals.
	SchedulePendingApproval FlagScheduleStatus = "pending_approval"
	// ScheduleScheduled means that the change waits for its time.
	ScheduleScheduled FlagScheduleStatus = "scheduled"
	ScheduleApplied   FlagScheduleStatus = "applied"
	ScheduleCancelled FlagScheduleStatus = "cancelled"
	// ScheduleRejected means that a member rejected the change.
	ScheduleRejected FlagScheduleStatus = "rejected"
	// ScheduleUnapproved means that the change was not approved by its time.
	ScheduleUnapproved FlagScheduleStatus = "unapproved"
	// ScheduleStale means that the flag was changed or deleted before the time of the change.
	ScheduleStale FlagScheduleStatus = "stale"
	// ScheduleFailed means that Waft could not or must not make the change.
	ScheduleFailed FlagScheduleStatus = "failed"
)

// Open reports whether the change may still be made.
func (s FlagScheduleStatus) Open() bool {
	return s == SchedulePendingApproval || s == ScheduleScheduled
}

const (
	// MaxScheduleAhead is the longest time before a scheduled change.
	MaxScheduleAhead = 366 * 24 * time.Hour
	// MaxScheduleDelay is the longest delay with which a scheduled change is made.
	MaxScheduleDelay = time.Hour
	// MaxOpenSchedules is the maximum number of open scheduled changes of one flag.
	MaxOpenSchedules = 20
	// KeptSchedules is the number of scheduled changes that are kept for each flag.
	KeptSchedules = 200
)

// FlagSchedule is a change of a flag that Waft makes at a later time.
type FlagSchedule struct {
	ID, ProjectID, FlagID int64
	FlagKey               string
	// FlagVersion is the version of the flag that the change was scheduled for. The change is stale for any other version.
	FlagVersion int64
	At          time.Time
	Status      FlagScheduleStatus
	// Body is the whole content of the flag after the change.
	Body FlagSave `gorm:"type:jsonb;serializer:json"`
	// Summary describes the change in one phrase.
	Summary string
	// Error is the reason why the change was not made, "" for any other status.
	Error string
	// ApprovalID is the approval of the change, nil if it does not need approval.
	ApprovalID *int64
	// AuthorType, AuthorID and AuthorName identify the actor in whose name the change is made.
	AuthorType                      ActorType
	AuthorID, AuthorName, RequestID string
	WorkflowID                      string
	CreatedAt                       time.Time
	// EndedAt is the time when the status became final.
	EndedAt *time.Time

	ProjectSlug string `gorm:"->"`
	// IsOutdated reports whether the flag has another version by now, or is deleted.
	IsOutdated bool `gorm:"->"`
}

func (FlagSchedule) TableName() string { return "flag_schedules" }

// Author returns the actor in whose name the change is made. Its role is not set.
func (s FlagSchedule) Author() Actor {
	a := Actor{Type: s.AuthorType, ID: s.AuthorID, Name: s.AuthorName, RequestID: s.RequestID, ScheduleID: s.ID}
	if s.ApprovalID != nil {
		a.ApprovalID = *s.ApprovalID
	}
	return a
}

// NewFlagSchedule is a change of a flag to schedule.
type NewFlagSchedule struct {
	At   time.Time `json:"at"`
	Body FlagSave  `json:"body"`
}

// Validate checks the content of the flag. CheckTime checks the time.
func (n NewFlagSchedule) Validate() error {
	var p Problems
	if n.At.IsZero() {
		p.Add("at", "is required")
	}
	p.addWithin("body.", n.Body.Validate())
	return p.Err()
}

// CheckTime returns an error unless the time of the change is in the future and at most MaxScheduleAhead away.
func (n NewFlagSchedule) CheckTime(now time.Time) error {
	var p Problems
	switch {
	case !n.At.After(now):
		p.Add("at", "must be in the future")
	case n.At.After(now.Add(MaxScheduleAhead)):
		p.Add("at", "must be at most one year from now")
	}
	return p.Err()
}

// WithinBody returns err with the fields of the flag's content as fields of a scheduled change.
func WithinBody(err error) error { return within("body.", err) }

// FlagScheduleStart is the payload of OutboxFlagScheduleStart and OutboxFlagScheduleEnded.
type FlagScheduleStart struct {
	ScheduleID int64     `json:"scheduleId"`
	ProjectID  int64     `json:"projectId"`
	FlagID     int64     `json:"flagId"`
	WorkflowID string    `json:"workflowId"`
	Project    string    `json:"project"`
	Summary    string    `json:"summary"`
	At         time.Time `json:"at"`
}

// Start returns the input of the workflow that waits for the time of the change.
func (s FlagSchedule) Start() FlagScheduleStart {
	return FlagScheduleStart{
		ScheduleID: s.ID, ProjectID: s.ProjectID, FlagID: s.FlagID, WorkflowID: s.WorkflowID, Project: s.ProjectSlug,
		Summary: s.Summary, At: s.At,
	}
}

// FlagScheduleStep is the input of one check of a scheduled change by its workflow.
type FlagScheduleStep struct {
	FlagScheduleStart
	// Cancelled cancels the change.
	Cancelled bool `json:"cancelled,omitempty"`
}

// ScheduleOutcome is the outcome of an attempt to make a scheduled change. Status is ScheduleApplied, or a status of a
// change that was not made, with the reason.
type ScheduleOutcome struct {
	Status FlagScheduleStatus
	Reason string
}
