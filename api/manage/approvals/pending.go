package approvals

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// PendingApproval is the response to a call that waits for approvals.
type PendingApproval struct {
	Approval Approval `json:"approval" doc:"Approval that the call waits for. The call has not changed anything yet."`
}

func (PendingApproval) Example() any { return PendingApproval{Approval{}.Example().(Approval)} }

// pendingAnswer wraps a PendingApproval as an error, because huma then sends it as the response.
type pendingAnswer struct {
	PendingApproval
	cause error
}

func (p *pendingAnswer) Error() string { return p.cause.Error() }

// GetStatus returns the status that huma sends.
func (p *pendingAnswer) GetStatus() int { return http.StatusAccepted }

// AnswerTo returns the response to an operation's error: a problem, or 202 if the call waits for approvals.
func AnswerTo(ctx context.Context, err error) error {
	var pending *operations.Pending
	if errors.As(err, &pending) {
		return &pendingAnswer{PendingApproval{approvalRecord(pending.Approval)}, err}
	}
	var unasked *models.ApprovalNeeded
	if errors.As(err, &unasked) {
		seen := rest.CallOf(ctx)
		err = fmt.Errorf("%s %s needs approval but its operation cannot wait for one: %s", seen.Method, seen.Path, unasked.Summary)
	}
	return rest.ProblemOf(ctx, err)
}
