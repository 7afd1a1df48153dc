package unit

import (
	"context"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// DecideApproval records a person's verdict on a pending approval. When enough people have approved, the call is
// approved and its workflow applies it. A single rejection ends the approval. Requesters cannot approve their own call,
// but can withdraw it by rejecting it.
func (s *Units) DecideApproval(
	ctx context.Context, projectID int64, actor models.Actor, id int64, n models.NewDecision,
) (models.Approval, error) {
	return Apply(ctx, s.Edit, projectID, actor, n, func(c *Change) (a models.Approval, err error) {
		if a, err = lockedApproval(c.Tx, projectID, id); err != nil {
			return a, err
		}
		if err := checkDecides(a, actor, n.Verdict); err != nil {
			return a, err
		}
		if a.Status != models.ApprovalPending {
			return a, models.Errorf(models.CodeInvalidTransition, "approval %d is not pending: its status is %s", id, a.Status)
		}
		if !c.Now().Before(a.ExpiresAt) {
			return a, models.Errorf(models.CodeInvalidTransition, "approval %d is not pending: its status is %s", id, models.ApprovalExpired)
		}
		if slices.ContainsFunc(a.Decisions, func(d models.ApprovalDecision) bool { return d.By(actor) }) {
			return a, models.Errorf(models.CodeAlreadyExists, "you have already approved this; someone else must approve it too")
		}
		d := models.ApprovalDecision{
			ApprovalID: id, ProjectID: projectID, Verdict: n.Verdict, ActorType: actor.Type, ActorID: actor.ID, ActorName: actor.Name,
			Comment: n.Comment, CreatedAt: c.Now(),
		}
		c.Create(&d)
		a.Decisions = append(a.Decisions, d)
		if n.Verdict == models.VerdictReject {
			c.endApproval(&a, models.ApprovalRejected, "")
			c.auditApproval("approval.rejected", a, map[string]any{"comment": n.Comment, "withdrawn": a.By(actor)})
			c.Enqueue(models.OutboxApprovalDecided, ApprovalStartOf(a))
			return a, nil
		}
		return a, c.countApproval(&a, n.Comment)
	})
}

// checkDecides returns an error if the actor may not give the verdict.
func checkDecides(a models.Approval, actor models.Actor, verdict models.Verdict) error {
	own := a.By(actor)
	switch {
	case own && verdict == models.VerdictReject:
		return nil
	case own:
		return models.Errorf(models.CodeForbidden, "you cannot approve your own request; to withdraw it, reject it")
	case actor.Type != models.ActorUser:
		return models.Errorf(models.CodeForbidden, "only people can decide on approvals; sign in")
	case verdict == models.VerdictApprove && a.KeyMadeBy != nil && strconv.FormatInt(*a.KeyMadeBy, 10) == actor.ID:
		return models.Errorf(models.CodeForbidden,
			"you created the API key or the trusted publisher that requests this; someone else must approve it")
	}
	return nil
}

// countApproval counts the approvals given. If there are enough, it has the call applied.
func (c *Change) countApproval(a *models.Approval, comment string) error {
	required, err := requiredNow(c.Tx, *a)
	if err != nil {
		return err
	}
	given, err := approvalsThatCount(c.Tx, *a)
	if err != nil {
		return err
	}
	a.RequiredApprovals = required
	if given >= required {
		a.Status = models.ApprovalApproved
		c.Enqueue(models.OutboxApprovalDecided, ApprovalStartOf(*a))
	}
	c.Update(a, "Status", "RequiredApprovals")
	c.auditApproval("approval.approved", *a, map[string]any{"comment": comment, "approvals": given})
	return nil
}

// WithdrawDecision deletes a person's approval of a call that is still pending.
func (s *Units) WithdrawDecision(ctx context.Context, projectID int64, actor models.Actor, id int64) (a models.Approval, err error) {
	err = s.Edit(ctx, projectID, actor, func(c *Change) error {
		if a, err = lockedApproval(c.Tx, projectID, id); err != nil {
			return err
		}
		if a.Status != models.ApprovalPending {
			return models.Errorf(models.CodeInvalidTransition, "approval %d is not pending: its status is %s", id, a.Status)
		}
		at := slices.IndexFunc(a.Decisions, func(d models.ApprovalDecision) bool { return d.By(actor) })
		if at < 0 {
			return models.Errorf(models.CodeInvalidTransition, "you have not approved call %d, so you cannot withdraw your approval", id)
		}
		c.Exec("DELETE FROM approval_decisions WHERE id = ?", a.Decisions[at].ID)
		a.Decisions = slices.Delete(a.Decisions, at, at+1)
		c.auditApproval("approval.withdrawn", a, map[string]any{"approvals": len(a.Decisions)})
		return nil
	})
	return a, err
}

// RecountApprovals applies changed settings of a channel to the calls that wait for approvals because of the channel.
// Calls that now have enough approvals are applied.
func (c *Change) RecountApprovals(channel string) {
	var waiting []models.Approval
	c.Do(func() (err error) {
		waiting, err = pg.All[models.Approval](SelectApprovals(c.Tx).Clauses(pg.ForUpdate).
			Where("approvals.project_id = ? AND status = ? AND channels @> jsonb_build_array(?::text)", c.Project.ID, models.ApprovalPending, channel).
			Order("approvals.id"))
		return err
	})
	for _, a := range waiting {
		c.Do(func() error { return c.recount(a) })
	}
}

// recount applies the channels' current settings to one call.
func (c *Change) recount(a models.Approval) error {
	required, err := requiredNow(c.Tx, a)
	if err != nil || required == a.RequiredApprovals {
		return err
	}
	given, err := approvalsThatCount(c.Tx, a)
	if err != nil {
		return err
	}
	before := a.RequiredApprovals
	a.RequiredApprovals = required
	if given >= required && c.Now().Before(a.ExpiresAt) {
		a.Status = models.ApprovalApproved
		c.Enqueue(models.OutboxApprovalDecided, ApprovalStartOf(a))
	}
	c.Update(&a, "Status", "RequiredApprovals")
	c.auditApproval("approval.updated", a, map[string]any{
		"approvals": given, "changed": map[string]any{"requiredApprovals": map[string]any{"before": before, "after": required}},
	})
	return nil
}

// requiredNow returns how many approvals the channels of a call currently require. The minimum is one.
func requiredNow(tx *gorm.DB, a models.Approval) (required int, err error) {
	err = tx.Raw("SELECT greatest(1, max(required_approvals)) FROM channels WHERE project_id = ? AND is_protected AND name IN ?",
		a.ProjectID, a.Channels).Row().Scan(&required)
	return required, err
}

// approvalsThatCount returns the number of approvals by people who may still approve.
func approvalsThatCount(tx *gorm.DB, a models.Approval) (count int, err error) {
	err = tx.Raw(`SELECT count(*) FROM approval_decisions d JOIN users u ON u.id = d.actor_id::bigint
		WHERE d.approval_id = ? AND d.verdict = ? AND d.actor_type = ? AND (u.is_owner OR EXISTS (
			SELECT FROM members m WHERE m.project_id = d.project_id AND m.user_id = u.id AND m.role IN ?))`,
		a.ID, models.VerdictApprove, models.ActorUser, []models.Role{models.RoleEditor, models.RoleAdmin}).Row().Scan(&count)
	return count, err
}
