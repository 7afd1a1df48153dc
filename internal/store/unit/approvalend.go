package unit

import (
	"bytes"
	"context"

	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/models"
)

// systemApprovals is the actor of what follows from decisions and from time.
var systemApprovals = models.SystemActor("approvals")

// maxApprovalError bounds the reason for which a call is stale, in bytes.
const maxApprovalError = 2000

// endActions are the audit actions of the ends that follow from decisions and from time.
var endActions = map[models.ApprovalStatus]string{
	models.ApprovalExpired: "approval.expired", models.ApprovalStale: "approval.stale", models.ApprovalCarriedOut: "approval.carried_out",
}

// EndApproval ends an approval that no person decides about any more, with the reason: a pending one expires, an approved one is
// carried out, is stale, or expires while what it needs is unavailable. One whose status is not from stays as it is. The result is
// the approval as it stands then.
func (s *Units) EndApproval(
	ctx context.Context, projectID, id int64, from, status models.ApprovalStatus, reason string,
) (a models.Approval, err error) {
	err = s.Edit(ctx, projectID, systemApprovals, func(c *Change) error {
		if a, err = lockedApproval(c.Tx, projectID, id); err != nil {
			return err
		}
		if a.Status != from {
			return nil
		}
		details := map[string]any{}
		if reason != "" {
			details["reason"] = models.StorableText(reason, maxApprovalError)
		}
		c.endApproval(&a, status, reason)
		c.auditApproval(endActions[status], a, details)
		return nil
	})
	return a, err
}

// FailApproval counts a failure of an approved call. The approval ends as failed after a final failure, after MaxCallFailures, and when
// the call has failed for CallFailingTime. The result is the approval as it stands then.
func (s *Units) FailApproval(ctx context.Context, projectID, id int64, f models.CallFailure) (a models.Approval, err error) {
	err = s.Edit(ctx, projectID, systemApprovals, func(c *Change) error {
		if a, err = lockedApproval(c.Tx, projectID, id); err != nil || a.Status != models.ApprovalApproved {
			return err
		}
		a.Failures++
		if a.FailingSince == nil {
			a.FailingSince = new(c.Now())
		}
		c.Update(&a, "Failures", "FailingSince")
		if f.Final || a.Failures >= models.MaxCallFailures || c.Now().Sub(*a.FailingSince) >= models.CallFailingTime {
			c.endApproval(&a, models.ApprovalFailed, f.Reason)
			c.auditApproval("approval.failed", a, map[string]any{"error": f.Reason, "failures": a.Failures})
		}
		return nil
	})
	return a, err
}

func (c *Change) endApproval(a *models.Approval, status models.ApprovalStatus, reason string) {
	a.Status, a.Error, a.EndedAt = status, models.StorableText(reason, maxApprovalError), new(c.Now())
	c.Update(a, "Status", "Error", "EndedAt")
	c.Notify(models.NotifyApproval, a.ID)
}

// checkApproved passes a call that enough people have approved as it is.
func (c *Change) checkApproved(needed *models.ApprovalNeeded) error {
	a, err := approvalByID(c.Tx, c.Project.ID, c.Actor.ApprovalID)
	if err != nil {
		return err
	}
	if !bytes.Equal(a.Basis, needed.Basis) {
		return models.Errorf(models.CodeInvalidTransition, "what was approved has changed since; it would now %s", needed.Summary)
	}
	if difference := offer.Difference(a.Receives, needed.Receives); difference != "" {
		return models.Errorf(models.CodeInvalidTransition, "what devices would receive has changed since it was approved: %s", difference)
	}
	given, err := approvalsThatCount(c.Tx, a)
	if err == nil && given < needed.Required {
		err = models.Errorf(models.CodeInvalidTransition, "it takes %d approvals by people who may give them now, and has %d", needed.Required, given)
	}
	return err
}

// carryOut marks the approval of the actor's call as carried out, in the transaction of the
// call: when it commits, the call is done, and no second one passes.
func (c *Change) carryOut() {
	if c.Actor.ApprovalID == 0 || !c.asked {
		return
	}
	c.Do(func() error {
		a, err := lockedApproval(c.Tx, c.Project.ID, c.Actor.ApprovalID)
		if err != nil {
			return err
		}
		if a.Status != models.ApprovalApproved {
			return models.Errorf(models.CodeInvalidTransition, "approval %d is not to be carried out: its status is %s", a.ID, a.Status)
		}
		c.endApproval(&a, models.ApprovalCarriedOut, "")
		by := c.Actor
		c.Actor = systemApprovals
		c.Actor.RequestID = by.RequestID
		c.auditApproval("approval.carried_out", a, map[string]any{})
		c.Actor = by
		return nil
	})
}
