package unit

import (
	"context"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// DecideApproval records a person's verdict on a pending approval. With enough approvals it is
// approved, and its workflow carries the call out. One rejection ends it. The author may reject
// its own call, which withdraws it, and nobody approves a call of theirs.
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
		if slices.ContainsFunc(a.Decisions, func(d models.ApprovalDecision) bool { return d.ActorType == actor.Type && d.ActorID == actor.ID }) {
			return a, models.Errorf(models.CodeAlreadyExists, "you have approved this already; it waits for others")
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

// checkDecides refuses who may not decide.
func checkDecides(a models.Approval, actor models.Actor, verdict models.Verdict) error {
	own := a.By(actor)
	switch {
	case own && verdict == models.VerdictReject:
		return nil
	case own:
		return models.Errorf(models.CodeForbidden, "nobody approves a call of their own; you may withdraw it by rejecting it")
	case actor.Type != models.ActorUser:
		return models.Errorf(models.CodeForbidden, "only people decide about approvals: sign in")
	case verdict == models.VerdictApprove && a.KeyMadeBy != nil && strconv.FormatInt(*a.KeyMadeBy, 10) == actor.ID:
		return models.Errorf(models.CodeForbidden, "you made the API key that asks for this, so somebody else must approve it")
	}
	return nil
}

// countApproval has the call carried out when enough people have approved.
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

// requiredNow is how many approvals the channels of a call ask for now, at least one.
func requiredNow(tx *gorm.DB, a models.Approval) (required int, err error) {
	err = tx.Raw("SELECT greatest(1, max(required_approvals)) FROM channels WHERE project_id = ? AND is_protected AND name IN ?",
		a.ProjectID, a.Channels).Row().Scan(&required)
	return required, err
}

// approvalsThatCount counts the approvals of people who may still give them.
func approvalsThatCount(tx *gorm.DB, a models.Approval) (count int, err error) {
	err = tx.Raw(`SELECT count(*) FROM approval_decisions d JOIN users u ON u.id = d.actor_id::bigint
		WHERE d.approval_id = ? AND d.verdict = ? AND d.actor_type = ? AND (u.is_owner OR EXISTS (
			SELECT FROM members m WHERE m.project_id = d.project_id AND m.user_id = u.id AND m.role IN ?))`,
		a.ID, models.VerdictApprove, models.ActorUser, []models.Role{models.RoleEditor, models.RoleAdmin}).Row().Scan(&count)
	return count, err
}
