package models

import (
	"encoding/json"
	"time"
)

// ApprovalNeeded says that a call waits for approvals. Nothing has changed.
type ApprovalNeeded struct {
	// Summary says in a sentence what the call does, with the facts that a person judges by.
	Summary string
	// Basis is a SHA-256 of those facts.
	Basis []byte
	// Channels are the protected channels whose devices are affected.
	Channels []string
	// Required is how many people must approve.
	Required int
	// Receives is what the call makes of the lists of releases that the channels offer.
	Receives []OfferChange
}

func (n *ApprovalNeeded) Error() string { return n.Unwrap().Error() }

// Unwrap returns the error of a caller that cannot wait.
func (n *ApprovalNeeded) Unwrap() error {
	return Errorf(CodeApprovalPending, "to %s takes approval first, by people: %d", n.Summary, n.Required)
}

// ApprovalLife is how long a call waits for approvals unless the installation says otherwise.
const ApprovalLife = 72 * time.Hour

// ApprovalStatus is where a call stands that waits, or waited, for approvals.
type ApprovalStatus string

const (
	ApprovalPending ApprovalStatus = "pending"
	// ApprovalApproved is a call that is being carried out.
	ApprovalApproved   ApprovalStatus = "approved"
	ApprovalCarriedOut ApprovalStatus = "carried_out"
	// ApprovalStale is an approved call that no longer applies.
	ApprovalStale    ApprovalStatus = "stale"
	ApprovalRejected ApprovalStatus = "rejected"
	// ApprovalFailed is an approved call whose execution failed.
	ApprovalFailed  ApprovalStatus = "failed"
	ApprovalExpired ApprovalStatus = "expired"
)

// Open reports whether the call may still be carried out.
func (s ApprovalStatus) Open() bool { return s == ApprovalPending || s == ApprovalApproved }

// StoredOperation is a change that can be made later; see package operations.
type StoredOperation struct {
	// Action names the operation, such as "update.publish".
	Action string
	// InputVersion is the version of the form that Input has.
	InputVersion int
	// Input is what the operation is given, as JSON.
	Input json.RawMessage
}

// Approval is a call that waits, or waited, for approvals.
type Approval struct {
	ID, ProjectID int64
	Status        ApprovalStatus
	StoredOperation
	// Summary, Channels and RequiredApprovals are those of ApprovalNeeded. The number
	// follows the settings of the channels while the call is pending.
	Summary           string
	Channels          []string `gorm:"type:jsonb;serializer:json"`
	RequiredApprovals int
	Basis             []byte
	// Receives is that of ApprovalNeeded.
	Receives []OfferChange `gorm:"type:jsonb;serializer:json"`
	// CallHash is a SHA-256 of the operation, its input and the basis.
	CallHash []byte
	// The author is who made the call, in the request RequestID.
	AuthorType                      ActorType
	AuthorID, AuthorName, RequestID string
	// KeyMadeBy is the user who made the key of the author, nil for a person and the root key.
	KeyMadeBy *int64
	// Error says why the call is stale or failed, "" for any other.
	Error string
	// Failures is how often the execution of the call has failed, FailingSince the time of the first failure.
	Failures             int
	FailingSince         *time.Time
	WorkflowID           string
	CreatedAt, ExpiresAt time.Time
	// EndedAt is when the status became final.
	EndedAt *time.Time

	ProjectSlug string `gorm:"->"`
	// Decisions are oldest first.
	Decisions []ApprovalDecision `gorm:"-"`
}

func (Approval) TableName() string { return "approvals" }

// Author is the actor that the call is carried out as. Its role is not that of the time of the call.
func (a Approval) Author() Actor {
	return Actor{Type: a.AuthorType, ID: a.AuthorID, Name: a.AuthorName, RequestID: a.RequestID, ApprovalID: a.ID}
}

// By reports whether the actor is the author.
func (a Approval) By(actor Actor) bool { return a.AuthorType == actor.Type && a.AuthorID == actor.ID }

// Verdict is what a person decides about a call.
type Verdict string

const (
	VerdictApprove Verdict = "approve"
	VerdictReject  Verdict = "reject"
)

// ApprovalDecision is the verdict of a person, or of the author's key that withdraws its call.
type ApprovalDecision struct {
	ID, ApprovalID, ProjectID int64
	Verdict                   Verdict
	ActorType                 ActorType
	ActorID, ActorName        string
	Comment                   string
	CreatedAt                 time.Time
}

func (ApprovalDecision) TableName() string { return "approval_decisions" }

// By reports whether the actor made the decision.
func (d ApprovalDecision) By(actor Actor) bool {
	return d.ActorType == actor.Type && d.ActorID == actor.ID
}

// NewDecision is a verdict to record.
type NewDecision struct {
	Verdict Verdict
	Comment string
}

// Validate bounds the comment.
func (n NewDecision) Validate() error {
	var p Problems
	checkText(&p, "comment", n.Comment, maxReasonBytes)
	return p.Err()
}

// ApprovalStart is the payload of OutboxApprovalStart and OutboxApprovalDecided.
type ApprovalStart struct {
	ApprovalID int64     `json:"approvalId"`
	ProjectID  int64     `json:"projectId"`
	WorkflowID string    `json:"workflowId"`
	Project    string    `json:"project"`
	Action     string    `json:"action"`
	Summary    string    `json:"summary"`
	ExpiresAt  time.Time `json:"expiresAt"`
}

// CallOutcome is how an approved call ended.
type CallOutcome struct {
	// Done says that it was carried out, Refusal why it no longer applies.
	Done    bool
	Refusal string
	// Failure is a defect that kept the call from being carried out, nil for none.
	Failure *CallFailure
}

// CallFailure is a failure of an approved call that is neither a refusal nor due to an engine that is unavailable.
type CallFailure struct {
	// Reason is for the people who wait for the call, Detail for the log.
	Reason, Detail string
	// Final says that the call is not to be tried again.
	Final bool
}

const (
	// MaxCallFailures is how often an approved call may fail, and CallFailingTime for how long.
	MaxCallFailures = 5
	CallFailingTime = 10 * time.Minute
)

// ApprovalStep is a look at an approval by its workflow.
type ApprovalStep struct {
	ApprovalStart
	// Cancelled ends the wait.
	Cancelled bool `json:"cancelled,omitempty"`
}
