package activities

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/waft-ota/waft/models"
)

// ApprovalStore stores calls that wait for approvals.
type ApprovalStore interface {
	Approval(ctx context.Context, projectID, id int64) (models.Approval, error)
	// EndApproval moves an approval from the status from to the final status to, unless its status has changed, and
	// returns the resulting approval.
	EndApproval(ctx context.Context, projectID, id int64, from, to models.ApprovalStatus, reason string) (models.Approval, error)
	// FailApproval counts a failure of an approved call. If the call must not be tried again, it ends the approval as
	// failed. It returns the resulting approval.
	FailApproval(ctx context.Context, projectID, id int64, f models.CallFailure) (models.Approval, error)
}

// Operations applies approved calls as their requesters.
type Operations interface {
	// CarryOut applies an approved call. The call's own transaction sets the approval's final status, so a second call
	// has no effect. An error means that Postgres or Temporal is unavailable, or that the worker is stopping; then the
	// call must be applied again.
	CarryOut(ctx context.Context, a models.Approval) (models.CallOutcome, error)
}

// SettleApproval ends an approval that is decided or whose time is up, and returns its status. It may be repeated: a
// call that was applied is not applied again.
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
		return a.end(ctx, approval, models.ApprovalExpired, "a service that the call needs was unavailable until the call expired")
	case err != nil:
		return "", err
	case outcome.Failure != nil:
		return a.fail(ctx, approval, *outcome.Failure)
	case outcome.Done:
		return a.end(ctx, approval, models.ApprovalCarriedOut, "")
	}
	return a.end(ctx, approval, models.ApprovalStale, outcome.Refusal)
}

// fail counts a failure of an approved call. It returns an error if the call must be tried again.
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
