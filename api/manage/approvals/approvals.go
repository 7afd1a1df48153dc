package approvals

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Approvals reads and decides calls that wait for approvals.
type Approvals interface {
	ListApprovals(ctx context.Context, projectID int64, status models.ApprovalStatus, page models.Page) ([]models.Approval, error)
	Approval(ctx context.Context, projectID, id int64) (models.Approval, error)
	// WithdrawDecision fails with invalid_transition unless the approval is pending and the actor has approved it.
	WithdrawDecision(ctx context.Context, projectID int64, actor models.Actor, id int64) (models.Approval, error)
	// DecideApproval fails with invalid_transition unless the approval is pending.
	DecideApproval(ctx context.Context, projectID int64, actor models.Actor, id int64, n models.NewDecision) (models.Approval, error)
}

// Endings notifies of approvals that end.
type Endings interface {
	// WatchApproval returns a channel that receives a value immediately and another one when the approval ends, until
	// ctx is done.
	WatchApproval(ctx context.Context, id int64) <-chan struct{}
}

var (
	listApprovalsDoc = rest.Doc(tagApprovals, "listApprovals", "List approvals",
		"Calls that wait, or waited, for approval because they change what devices of a protected channel get.")
	getApprovalDoc = rest.Doc(tagApprovals, "getApproval", "Get an approval",
		"The response includes the input of the call and all decisions.")
	approveApprovalDoc = rest.Repeatable(rest.Doc(tagApprovals, "approve", "Approve a call",
		"You cannot approve your own call, or a call by an API key that you created. With the last required approval, Waft runs "+
			"the call for its requester against the current state, and the response contains the outcome. If the call no "+
			"longer applies, the response is 409 and the status of the approval is `stale`.", http.StatusConflict))
	withdrawApprovalDoc = rest.Doc(tagApprovals, "withdrawApproval", "Withdraw your approval",
		"Withdraws your approval of a call that is still pending. The call keeps waiting.", http.StatusConflict)
	rejectApprovalDoc = rest.Doc(tagApprovals, "rejectApproval", "Reject a call",
		"Ends the wait without applying the call. The requester withdraws a call by rejecting it.", http.StatusConflict)
)

// withdraw withdraws the caller's approval of a call.
func (h *Handlers) withdraw(ctx context.Context, in *rest.IDInput) (*rest.Output[Approval], error) {
	a, err := h.Approvals.WithdrawDecision(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return &rest.Output[Approval]{Body: approvalRecord(a)}, nil
}

type listApprovalsInput struct {
	rest.ListQuery
	Status models.ApprovalStatus `query:"status" enum:"pending,approved,carried_out,stale,failed,rejected,expired" doc:"Only approvals with this status."`
}

func (h *Handlers) listApprovals(ctx context.Context, in *listApprovalsInput) (*rest.List[ApprovalSummary], error) {
	return rest.Listed(ctx, in.ListQuery, approvalSummary, func(p models.Page) ([]models.Approval, error) {
		return h.Approvals.ListApprovals(ctx, rest.ProjectOf(ctx), in.Status, p)
	})
}

// Verdict is the body of an approval or a rejection.
type Verdict struct {
	Comment string `json:"comment,omitempty" maxLength:"1024" doc:"Comment for other members and the audit log."`
}

// Resolve checks the rules that the schema cannot express.
func (v Verdict) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.NewDecision{Comment: v.Comment}.Validate())
}

func (Verdict) Example() any { return Verdict{Comment: "tested on staging"} }

// decide returns the handler that approves or rejects a call.
func (h *Handlers) decide(verdict models.Verdict) rest.Handler[rest.IDBodyInput[*Verdict], rest.Output[Approval]] {
	return func(ctx context.Context, in *rest.IDBodyInput[*Verdict]) (*rest.Output[Approval], error) {
		n := models.NewDecision{Verdict: verdict}
		if in.Body != nil {
			n.Comment = in.Body.Comment
		}
		a, err := h.Approvals.DecideApproval(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, n)
		if err != nil {
			return nil, err
		}
		if a, err = h.outcome(ctx, a); err != nil {
			return nil, err
		}
		switch a.Status {
		case models.ApprovalStale:
			return nil, models.Errorf(models.CodeInvalidTransition,
				"the call no longer applies, so it was not applied; approval %d is out of date: %s",
				a.ID, a.Error)
		case models.ApprovalFailed:
			return nil, models.Errorf(models.CodeInvalidTransition, "the call was not applied; approval %d has failed: %s; send the call again",
				a.ID, a.Error)
		default:
		}
		return &rest.Output[Approval]{Body: approvalRecord(a)}, nil
	}
}

// outcomeTime is how long the response to the last approval waits for the call to be applied.
const outcomeTime = 10 * time.Second

// outcome waits until an approved call has been applied. After outcomeTime it returns the approval as it is.
func (h *Handlers) outcome(ctx context.Context, a models.Approval) (models.Approval, error) {
	if a.Status != models.ApprovalApproved {
		return a, nil
	}
	patient, cancel := context.WithTimeout(ctx, outcomeTime)
	defer cancel()
	ended := h.Endings.WatchApproval(patient, a.ID)
	for a.Status == models.ApprovalApproved {
		select {
		case <-patient.Done():
			return a, context.Cause(ctx) // nil if only outcomeTime has passed
		case <-ended:
		}
		now, err := h.Approvals.Approval(ctx, rest.ProjectOf(ctx), a.ID)
		if err != nil {
			h.Log.WarnContext(ctx, "the outcome of an approved call cannot be read yet", "approval", a.ID, "error", err)
			continue
		}
		a = now
	}
	return a, nil
}

// Party identifies the key or user that made a call or a decision.
type Party struct {
	Type models.ActorType `json:"type" enum:"api_key,user"`
	ID   string           `json:"id" doc:"ID of the user or of the API key; root for the root key."`
	Name string           `json:"name" doc:"Email address of the user, or name of the key."`
}

// ApprovalGiven is one person's approval, or the rejection.
type ApprovalGiven struct {
	By      Party     `json:"by"`
	Comment string    `json:"comment"`
	At      rest.Time `json:"at"`
}

// ApprovalSummary is a call that waits, or waited, for approvals.
type ApprovalSummary struct {
	ID                int64                      `json:"id"`
	Status            models.ApprovalStatus      `json:"status" enum:"pending,approved,carried_out,stale,failed,rejected,expired" doc:"Status of the approval: approved while Waft applies the call, stale if the call no longer applied, failed if it could not be applied."`
	Action            string                     `json:"action" doc:"Operation that waits." example:"update.publish"`
	Summary           string                     `json:"summary" doc:"Description of the call, with the facts needed to decide on it."`
	Reason            string                     `json:"reason" doc:"Reason that the requester gave for the change; empty if none was given."`
	Channels          []string                   `json:"channels" doc:"Protected channels whose devices the call affects."`
	RequestedBy       Party                      `json:"requestedBy"`
	Approvals         []ApprovalGiven            `json:"approvals" doc:"Approvals given so far, oldest first."`
	Rejection         rest.OrNull[ApprovalGiven] `json:"rejection" doc:"Rejection by a member, or withdrawal by the requester; otherwise null."`
	RequiredApprovals int                        `json:"requiredApprovals" doc:"Number of people who must approve."`
	Error             *string                    `json:"error" nullable:"true" doc:"Reason why the approval is stale or failed; otherwise null."`
	WorkflowID        string                     `json:"workflowId" doc:"ID of the waiting Temporal workflow."`
	RequestID         string                     `json:"requestId" doc:"X-Request-Id of the call."`
	CreatedAt         rest.Time                  `json:"createdAt"`
	ExpiresAt         rest.Time                  `json:"expiresAt"`
	EndedAt           *rest.Time                 `json:"endedAt" nullable:"true" doc:"Time at which the status became final; null until then."`
}

func (a ApprovalSummary) RecordID() int64 { return a.ID }

func approvalSummary(a models.Approval) ApprovalSummary {
	s := ApprovalSummary{
		ID: a.ID, Status: a.Status, Action: a.Action, Summary: a.Summary, Reason: a.Reason(), Channels: a.Channels,
		RequestedBy: Party{a.AuthorType, a.AuthorID, a.AuthorName}, Approvals: []ApprovalGiven{}, RequiredApprovals: a.RequiredApprovals,
		WorkflowID: a.WorkflowID, RequestID: a.RequestID,
		CreatedAt: rest.Time{Time: a.CreatedAt}, ExpiresAt: rest.Time{Time: a.ExpiresAt}, EndedAt: rest.TimeOrNull(a.EndedAt),
	}
	if s.Channels == nil {
		s.Channels = []string{}
	}
	if a.Error != "" {
		s.Error = &a.Error
	}
	for _, d := range a.Decisions {
		given := ApprovalGiven{By: Party{d.ActorType, d.ActorID, d.ActorName}, Comment: d.Comment, At: rest.Time{Time: d.CreatedAt}}
		if d.Verdict == models.VerdictReject {
			s.Rejection = rest.Present(given)
		} else {
			s.Approvals = append(s.Approvals, given)
		}
	}
	return s
}

var exampleApproval = ApprovalSummary{
	ID: 61, Status: models.ApprovalPending, Action: "update.publish",
	Summary:  `publish build 12 (ios, runtime version 1.2.0) to channel "production" (branch "production"), for 100% of the devices`,
	Channels: []string{"production"}, RequestedBy: Party{models.ActorAPIKey, strconv.Itoa(2), "ci"}, Approvals: []ApprovalGiven{},
	RequiredApprovals: 1, WorkflowID: "approval/demo/61", RequestID: rest.ExampleUUID,
	CreatedAt: rest.ExampleTime, ExpiresAt: rest.ExampleTime,
}

func (ApprovalSummary) Example() any { return exampleApproval }

// Approval is an approval with the input of its call.
type Approval struct {
	ApprovalSummary
	Receives []OfferChange `json:"receives" doc:"Changes that the call makes for devices: one list for each channel, platform and runtime version whose releases change. Empty for calls about flags and for rollout commands. Waft compares them again before it applies the call."`
	Input    rest.Object   `json:"input" doc:"Input of the call: the fields of its body and the names in its path."`

	WorkflowURL *string `json:"workflowUrl" nullable:"true" doc:"URL of the workflow in Temporal's web UI. Only getApproval returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null."`
}

func approvalRecord(a models.Approval) Approval {
	return Approval{ApprovalSummary: approvalSummary(a), Receives: rest.Rendered(a.Receives, offerChange), Input: rest.Object(a.Input)}
}

func (h *Handlers) getApproval(ctx context.Context, in *rest.IDInput) (*rest.Output[Approval], error) {
	a, err := h.Approvals.Approval(ctx, rest.ProjectOf(ctx), in.ID)
	record := approvalRecord(a)
	record.WorkflowURL = h.TemporalUI.Link(ctx, a.WorkflowID, "")
	return &rest.Output[Approval]{Body: record}, err
}

func (Approval) Example() any {
	return Approval{
		ApprovalSummary: exampleApproval, Receives: []OfferChange{exampleOfferChange}, Input: rest.Object(`{"buildId":12,"channel":"production"}`),
	}
}
