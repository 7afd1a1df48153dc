package unit

import (
	"bytes"
	"context"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/models"
)

// systemApprovals is the actor of changes that follow from decisions or from the passage of time.
var systemApprovals = models.SystemActor("approvals")

// maxApprovalError is the maximum length in bytes of the reason why an approval is out of date.
const maxApprovalError = 2000

// endActions maps the ends that follow from decisions or from the passage of time to their audit actions.
var endActions = map[models.ApprovalStatus]string{
	models.ApprovalExpired: "approval.expired", models.ApprovalStale: "approval.stale", models.ApprovalCarriedOut: "approval.carried_out",
}

// EndApproval ends an approval without a further decision by a person, and stores the reason. A pending approval
// expires. An approved call is applied, is out of date, or expires because something that it needs is unavailable. If
// the status is not from, the approval stays as it is. EndApproval returns the resulting approval.
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

// FailApproval counts a failure of an approved call. The approval ends as failed after a final failure, after
// MaxCallFailures failures, or when the call has been failing for CallFailingTime. FailApproval returns the resulting
// approval.
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
	c.endScheduleOf(*a)
}

// checkApproved returns an error unless the call still matches what was approved and has enough approvals.
func (c *Change) checkApproved(needed *models.ApprovalNeeded, basis any) error {
	a, err := approvalByID(c.Tx, c.Project.ID, c.Actor.ApprovalID)
	if err != nil {
		return err
	}
	same, err := hasBasis(a, needed, basis)
	if err != nil {
		return err
	}
	if !same {
		return models.Errorf(models.CodeInvalidTransition, "the call no longer does what was approved; it would now %s", needed.Summary)
	}
	if difference := offer.Difference(a.Receives, needed.Receives); difference != "" {
		return models.Errorf(models.CodeInvalidTransition, "the call was approved with other effects on devices: %s", difference)
	}
	given, err := approvalsThatCount(c.Tx, a)
	if err == nil && given < needed.Required {
		err = models.Errorf(models.CodeInvalidTransition, "%s required from people who may still approve; %d %s",
			count.Of(needed.Required, "approval")+count.Choose(needed.Required, " is", " are"), given, count.Choose(given, "counts", "count"))
	}
	return err
}

// hasBasis reports whether an approval was given for the facts of a call. Approvals of the first versions have a hash of the
// facts with the summary, in the words of that version.
func hasBasis(a models.Approval, needed *models.ApprovalNeeded, basis any) (bool, error) {
	if bytes.Equal(a.Basis, needed.Basis) {
		return true, nil
	}
	for _, summary := range []string{a.Summary, needed.Summary} {
		worded, err := hashOf(summary, basis)
		if err != nil || bytes.Equal(a.Basis, worded) {
			return err == nil, err
		}
	}
	return false, nil
}

// carryOut marks the approval of the actor's call as applied, in the transaction of the call itself. When the
// transaction commits, the call has taken effect and cannot be applied a second time.
func (c *Change) carryOut() {
	if c.Actor.ApprovalID == 0 || c.Actor.ScheduleID != 0 || !c.asked {
		return
	}
	c.Do(func() error {
		a, err := lockedApproval(c.Tx, c.Project.ID, c.Actor.ApprovalID)
		if err != nil {
			return err
		}
		if a.Status != models.ApprovalApproved {
			return models.Errorf(models.CodeInvalidTransition, "approval %d cannot be applied: its status is %s", a.ID, a.Status)
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
