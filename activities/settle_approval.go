package activities

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/waft-ota/waft/models"
)

// ApprovalStore keeps calls that wait for approvals.
type ApprovalStore interface {
	Approval(ctx context.Context, projectID, id int64) (models.Approval, error)
	// EndApproval moves an approval from one status to a final one, unless it has another, and returns how it stands.
	EndApproval(ctx context.Context, projectID, id int64, from, to models.ApprovalStatus, reason string) (models.Approval, error)
	// FailApproval counts a failure of an approved call, and ends the approval as failed when the call is not to be tried again. It
	// returns how the approval stands.
	FailApproval(ctx context.Context, projectID, id int64, f models.CallFailure) (models.Approval, error)
}

// Operations makes approved calls as their authors.
type Operations interface {
	// CarryOut makes an approved call. The call's own transaction gives the approval its final
	// status, so a second call changes nothing. An error means that Postgres or Temporal is unavailable, or that the worker stops;
	// then the call is to be made again.
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
	switch {
	case err != nil && ctx.Err() == nil && !time.Now().Before(approval.ExpiresAt):
		return a.end(ctx, approval, models.ApprovalExpired, "what the call needs was unavailable until the call expired")
	case err != nil:
		return "", err
	case outcome.Failure != nil:
		return a.fail(ctx, approval, *outcome.Failure)
	case outcome.Done:
		return a.end(ctx, approval, models.ApprovalCarriedOut, "")
	}
	return a.end(ctx, approval, models.ApprovalStale, outcome.Refusal)
}

// fail counts a failure of an approved call. Its error has the call tried again.
func (a *Activities) fail(ctx context.Context, approval models.Approval, f models.CallFailure) (models.ApprovalStatus, error) {
	failed, err := a.Approvals.FailApproval(ctx, approval.ProjectID, approval.ID, f)
	if err != nil {
		return "", classify(err)
	}
	if activity.IsActivity(ctx) {
		activity.GetLogger(ctx).Error("an approved call failed", "approval", approval.ID, "failures", failed.Failures, "detail", f.Detail)
	}
	if failed.Status == models.ApprovalApproved {
		return "", fmt.Errorf("failure %d of approval %d: %s", failed.Failures, approval.ID, f.Detail)
	}
	return failed.Status, nil
}

func (a *Activities) end(
	ctx context.Context, approval models.Approval, status models.ApprovalStatus, reason string,
) (models.ApprovalStatus, error) {
	ended, err := a.Approvals.EndApproval(ctx, approval.ProjectID, approval.ID, approval.Status, status, reason)
	return ended.Status, classify(err)
}
