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

// PendingApproval is the answer to a call that waits for approvals.
type PendingApproval struct {
	Approval Approval `json:"approval" doc:"The call that waits. Nothing has changed yet."`
}

func (PendingApproval) Example() any { return PendingApproval{Approval{}.Example().(Approval)} }

// pendingAnswer is a PendingApproval that huma answers in place of an error.
type pendingAnswer struct {
	PendingApproval
	cause error
}

func (p *pendingAnswer) Error() string { return p.cause.Error() }

// GetStatus is called by huma.
func (p *pendingAnswer) GetStatus() int { return http.StatusAccepted }

// AnswerTo is the answer to the error of an operation: a problem, or 202 when the call waits for approvals.
func AnswerTo(ctx context.Context, err error) error {
	var pending *operations.Pending
	if errors.As(err, &pending) {
		return &pendingAnswer{PendingApproval{approvalRecord(pending.Approval)}, err}
	}
	var unasked *models.ApprovalNeeded
	if errors.As(err, &unasked) {
		seen := rest.CallOf(ctx)
		err = fmt.Errorf("%s %s is not made by an operation that can wait: %s", seen.Method, seen.Path, unasked.Summary)
	}
	return rest.ProblemOf(ctx, err)
}
