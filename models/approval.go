package models

import (
	"cmp"
	"encoding/json"
	"time"
)

// ApprovalNeeded is the error of a call that must wait for approvals. The call has not changed anything.
type ApprovalNeeded struct {
	// Summary describes the effect of the call in one phrase, with the facts that an approver needs.
	Summary string
	// Basis is a SHA-256 of those facts. It does not depend on the wording of the summary.
	Basis []byte
	// Channels are the protected channels whose devices are affected.
	Channels []string
	// Required is the number of people who must approve.
	Required int
	// Receives are the changes that the call makes to the releases that the channels offer.
	Receives []OfferChange
	// Schedule is the scheduled change that the call creates and that waits with it, nil for any other call.
	Schedule *FlagSchedule
}

func (n *ApprovalNeeded) Error() string { return n.Unwrap().Error() }

// Unwrap returns the error for a caller that cannot wait.
func (n *ApprovalNeeded) Unwrap() error {
	return Errorf(CodeApprovalPending, "approval required (%[2]d) before Waft can %[1]s", n.Summary, n.Required)
}

// ApprovalLife is how long a call waits for approvals, unless the installation sets another time.
const ApprovalLife = 72 * time.Hour

// ApprovalStatus is the status of a call that waits, or waited, for approvals.
type ApprovalStatus string

const (
	ApprovalPending ApprovalStatus = "pending"
	// ApprovalApproved means that the call is being applied.
	ApprovalApproved   ApprovalStatus = "approved"
	ApprovalCarriedOut ApprovalStatus = "carried_out"
	// ApprovalStale means that the call was approved but is out of date: it no longer applies.
	ApprovalStale    ApprovalStatus = "stale"
	ApprovalRejected ApprovalStatus = "rejected"
	// ApprovalFailed means that the call was approved but failed.
	ApprovalFailed  ApprovalStatus = "failed"
	ApprovalExpired ApprovalStatus = "expired"
)

// Open reports whether the call may still be applied.
func (s ApprovalStatus) Open() bool { return s == ApprovalPending || s == ApprovalApproved }

// StoredOperation is a change that can be applied later; see package operations.
type StoredOperation struct {
	// Action names the operation, such as "update.publish".
	Action string
	// InputVersion is the version of the format of Input.
	InputVersion int
	// Input holds the parameters of the operation, as JSON.
	Input json.RawMessage
}

// Reason returns the reason that the requester gave for the change, or "".
func (o StoredOperation) Reason() string {
	var in struct {
		Reason, Note string
		Change       struct{ Reason string }
	}
	_ = json.Unmarshal(o.Input, &in) // an input of another version has no reason that is known
	return cmp.Or(in.Reason, in.Change.Reason, in.Note)
}

// Approval is a call that waits, or waited, for approvals.
type Approval struct {
	ID, ProjectID int64
	Status        ApprovalStatus
	StoredOperation
	// Summary, Channels and RequiredApprovals are copied from ApprovalNeeded. While the call is pending,
	// RequiredApprovals follows the settings of the channels.
	Summary           string
	Channels          []string `gorm:"type:jsonb;serializer:json"`
	RequiredApprovals int
	Basis             []byte
	// Receives is copied from ApprovalNeeded.
	Receives []OfferChange `gorm:"type:jsonb;serializer:json"`
	// CallHash is a SHA-256 of the operation, its input and the basis.
	CallHash []byte
	// AuthorType, AuthorID and AuthorName identify the requester, who made the call in the request RequestID.
	AuthorType                      ActorType
	AuthorID, AuthorName, RequestID string
	// KeyMadeBy is the user who created the requester's key, nil if the requester is a person or the root key.
	KeyMadeBy *int64
	// Error is the reason why the call is out of date or failed, "" for any other status.
	Error string
	// Failures is the number of times that applying the call failed; FailingSince is the time of the first failure.
	Failures             int
	FailingSince         *time.Time
	WorkflowID           string
	CreatedAt, ExpiresAt time.Time
	// EndedAt is the time when the status became final.
	EndedAt *time.Time

	ProjectSlug string `gorm:"->"`
	// Decisions are oldest first.
	Decisions []ApprovalDecision `gorm:"-"`
}

func (Approval) TableName() string { return "approvals" }

// Author returns the requester, as the actor that applies the call. Its role is not set.
func (a Approval) Author() Actor {
	return Actor{Type: a.AuthorType, ID: a.AuthorID, Name: a.AuthorName, RequestID: a.RequestID, ApprovalID: a.ID}
}

// By reports whether the actor is the requester.
func (a Approval) By(actor Actor) bool { return a.AuthorType == actor.Type && a.AuthorID == actor.ID }

// Verdict is a decision about a call.
type Verdict string

const (
	VerdictApprove Verdict = "approve"
	VerdictReject  Verdict = "reject"
)

// ApprovalDecision is the verdict of a person, or of the requester's key that withdraws its call.
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

// Validate checks the length of the comment.
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

// CallOutcome is the outcome of an approved call.
type CallOutcome struct {
	// Done is set if the call was applied. Refusal is the reason why it no longer applies.
	Done    bool
	Refusal string
	// Failure is the defect that kept the call from being applied, nil for none.
	Failure *CallFailure
}

// CallFailure is a failure of an approved call that is neither a refusal nor caused by an unavailable engine.
type CallFailure struct {
	// Reason is for the people who wait for the call, Detail for the log.
	Reason, Detail string
	// Final means that the call must not be tried again.
	Final bool
}

const (
	// MaxCallFailures is how often an approved call may fail; CallFailingTime is for how long it may keep failing.
	MaxCallFailures = 5
	CallFailingTime = 10 * time.Minute
)

// ApprovalStep is the input of one check of an approval by its workflow.
type ApprovalStep struct {
	ApprovalStart
	// Cancelled ends the wait.
	Cancelled bool `json:"cancelled,omitempty"`
}
