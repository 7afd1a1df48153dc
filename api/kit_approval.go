package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/waft-ota/waft/models"
)

// PendingApproval is the answer to a call that waits for approvals.
type PendingApproval struct {
	Approval Approval `json:"approval" doc:"The call that waits. Nothing has changed yet."`
}

func (PendingApproval) example() any { return PendingApproval{Approval{}.example().(Approval)} }

// pendingAnswer is a PendingApproval that huma answers in place of an error.
type pendingAnswer struct {
	PendingApproval
	cause error
}

func (p *pendingAnswer) Error() string { return p.cause.Error() }

// GetStatus is called by huma.
func (p *pendingAnswer) GetStatus() int { return http.StatusAccepted }

// answerTo is the answer to the error of an operation: a problem, or 202 when the call waits for
// approvals, which it requests then.
func (h *ApprovalsHandlers) answerTo(ctx context.Context, err error) error {
	var needed *models.ApprovalNeeded
	if !errors.As(err, &needed) {
		return problemOf(ctx, err)
	}
	seen := callOf(ctx)
	if seen.body == nil {
		return problemOf(ctx, fmt.Errorf("api: %s %s is not a route that asks: %w", seen.method, seen.path, err))
	}
	call := models.StoredCall{Method: seen.method, Path: seen.path, Body: seen.body.Bytes()}
	if seen.query != "" {
		call.Path += "?" + seen.query
	}
	a, failed := h.Approvals.RequestApproval(ctx, projectOf(ctx), actorOf(ctx), call, needed)
	if failed != nil {
		return problemOf(ctx, failed)
	}
	return &pendingAnswer{PendingApproval{approvalRecord(a)}, err}
}
