package approvals

import (
	"context"
	"errors"
	"fmt"
	"net/http"

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

// AnswerTo is the answer to the error of an operation: a problem, or 202 when the call waits for
// approvals, which it requests then.
func (h *Handlers) AnswerTo(ctx context.Context, err error) error {
	var needed *models.ApprovalNeeded
	if !errors.As(err, &needed) {
		return rest.ProblemOf(ctx, err)
	}
	seen := rest.CallOf(ctx)
	if seen.Body == nil {
		return rest.ProblemOf(ctx, fmt.Errorf("api: %s %s is not a route that asks: %w", seen.Method, seen.Path, err))
	}
	call := models.StoredCall{Method: seen.Method, Path: seen.Path, Body: seen.Body.Bytes()}
	if seen.Query != "" {
		call.Path += "?" + seen.Query
	}
	a, failed := h.Approvals.RequestApproval(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), call, needed)
	if failed != nil {
		return rest.ProblemOf(ctx, failed)
	}
	return &pendingAnswer{PendingApproval{approvalRecord(a)}, err}
}
