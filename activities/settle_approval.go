package activities

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// ApprovalStore keeps calls that wait for approvals.
type ApprovalStore interface {
	Approval(ctx context.Context, projectID, id int64) (models.Approval, error)
	// EndApproval gives an approval a final status, unless it has one, and returns how it stands.
	EndApproval(ctx context.Context, projectID, id int64, status models.ApprovalStatus, reason string) (models.Approval, error)
}

// Operations makes approved calls as their authors.
type Operations interface {
	// CarryOut makes an approved call. The call's own transaction gives the approval its final
	// status, so a second call changes nothing. An error is one that a retry may resolve.
	CarryOut(ctx context.Context, a models.Approval) (models.CallOutcome, error)
}

// SettleApproval ends an approval that is decided, or whose time is up, and returns its status. It
// may be repeated: what is carried out is not carried out again.
func (a *Activities) SettleApproval(ctx context.Context, step models.ApprovalStep) (models.ApprovalStatus, error) {
	defer beat(ctx)()
	approval, err := a.Approvals.Approval(ctx, step.ProjectID, step.ApprovalID)
	if err != nil {
		return "", classify(err)
	}
	switch {
	case approval.Status == models.ApprovalPending && step.Cancelled:
		return a.end(ctx, approval, models.ApprovalExpired, "the wait was cancelled in Temporal")
	case approval.Status == models.ApprovalPending && !time.Now().Before(approval.ExpiresAt):
		return a.end(ctx, approval, models.ApprovalExpired, "")
	case approval.Status != models.ApprovalApproved:
		return approval.Status, nil
	}
	outcome, err := a.Operations.CarryOut(ctx, approval)
	if err != nil {
		return "", err
	}
	if outcome.Done {
		return a.end(ctx, approval, models.ApprovalCarriedOut, "")
	}
	return a.end(ctx, approval, models.ApprovalStale, outcome.Refusal)
}

func (a *Activities) end(
	ctx context.Context, approval models.Approval, status models.ApprovalStatus, reason string,
) (models.ApprovalStatus, error) {
	ended, err := a.Approvals.EndApproval(ctx, approval.ProjectID, approval.ID, status, reason)
	return ended.Status, classify(err)
}
