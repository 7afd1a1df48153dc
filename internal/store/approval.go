package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// RequestApproval makes the actor's call wait for approvals, and starts the workflow that waits.
// The same call that the actor has made before, and that is pending, is not stored again.
func (s *Units) RequestApproval(
	ctx context.Context, projectID int64, actor models.Actor, call models.StoredCall, needed *models.ApprovalNeeded,
) (a models.Approval, err error) {
	err = s.inProject(ctx, projectID, actor, func(c *change) error {
		hash, err := callHash(call, needed)
		if err != nil {
			return err
		}
		same, err := allWith(c.tx, selectApprovals(c.tx).Where("approvals.project_id = ? AND status = ?", projectID, models.ApprovalPending).
			Where("author_type = ? AND author_id = ? AND call_hash = ?", actor.Type, actor.ID, hash), loadDecisions)
		if err != nil {
			return err
		}
		if len(same) > 0 {
			a = same[0]
			return nil
		}
		now, id := c.now(), c.nextID()
		a = models.Approval{
			ID: id, ProjectID: projectID, Status: models.ApprovalPending, Action: needed.Action, Summary: needed.Summary,
			Channels: needed.Channels, RequiredApprovals: needed.Required, Basis: needed.Basis, StoredCall: call, CallHash: hash,
			AuthorType: actor.Type, AuthorID: actor.ID, AuthorName: actor.Name, RequestID: actor.RequestID,
			WorkflowID: fmt.Sprintf("approval/%s/%d", c.project.Slug, id), CreatedAt: now, ExpiresAt: now.Add(s.approvalLife),
			ProjectSlug: c.project.Slug, Decisions: []models.ApprovalDecision{},
		}
		if a.Body == nil {
			a.Body = []byte{}
		}
		if a.KeyMadeBy, err = keyMaker(c.tx, projectID, actor); err != nil {
			return err
		}
		c.makeRoom(models.QuotaApprovals)
		c.create(&a)
		c.enqueue(models.OutboxApprovalStart, startOf(a))
		c.auditApproval("approval.requested", a, map[string]any{"expiresAt": a.ExpiresAt, "method": a.Method, "path": a.Path})
		return nil
	})
	return a, err
}

// callHash identifies a call with the facts of its request.
func callHash(call models.StoredCall, needed *models.ApprovalNeeded) ([]byte, error) {
	raw, err := json.Marshal([]any{call.Method, call.Path, call.Body, needed.Basis})
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	return sum[:], nil
}

func startOf(a models.Approval) models.ApprovalStart {
	return models.ApprovalStart{
		ApprovalID: a.ID, ProjectID: a.ProjectID, WorkflowID: a.WorkflowID, Project: a.ProjectSlug,
		Action: a.Action, Summary: a.Summary, ExpiresAt: a.ExpiresAt,
	}
}

// auditApproval records what happened to an approval.
func (c *change) auditApproval(action string, a models.Approval, details map[string]any) {
	details["action"], details["summary"], details["channels"] = a.Action, a.Summary, a.Channels
	details["requestedBy"], details["requiredApprovals"] = a.AuthorName, a.RequiredApprovals
	c.audit(action, "approval", a.ID, details)
}

// ListApprovals returns a page of the project's approvals with the status, or any with "", newest first.
func (s *Units) ListApprovals(
	ctx context.Context, projectID int64, status models.ApprovalStatus, page models.Page,
) ([]models.Approval, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) ([]models.Approval, error) {
		q := whereSet(selectApprovals(tx), "approvals.status", string(status))
		return allWith(tx, pageOf(q, "approvals", projectID, page), loadDecisions)
	})
}

// Approval returns one approval with its decisions.
func (s *Units) Approval(ctx context.Context, projectID, id int64) (models.Approval, error) {
	return reading(ctx, s.db.read, func(tx *gorm.DB) (models.Approval, error) {
		return approvalByID(tx, projectID, id)
	})
}

// selectApprovals reads approvals with the slugs of their projects.
func selectApprovals(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Approval{}).
		Select("approvals.*, (SELECT slug FROM projects WHERE projects.id = approvals.project_id) AS project_slug")
}

func approvalByID(tx *gorm.DB, projectID, id int64) (models.Approval, error) {
	return oneWith(tx, selectApprovals(tx).Where("approvals.project_id = ? AND approvals.id = ?", projectID, id), loadDecisions, "approval %d", id)
}

// loadDecisions fills in the decisions, with one query.
func loadDecisions(tx *gorm.DB, approvals []models.Approval) error {
	at, ids := indexed(approvals, func(a *models.Approval) int64 { return a.ID })
	for i := range approvals {
		approvals[i].Decisions = []models.ApprovalDecision{}
	}
	decisions, err := all[models.ApprovalDecision](tx.Where("approval_id IN ?", ids).Order("id"))
	for _, d := range decisions {
		a := at[d.ApprovalID]
		a.Decisions = append(a.Decisions, d)
	}
	return err
}

// keyMaker returns the user who made the actor's key, nil for a person and for the root key.
func keyMaker(tx *gorm.DB, projectID int64, actor models.Actor) (maker *int64, err error) {
	if actor.Type != models.ActorAPIKey || actor.ID == models.RootKeyID {
		return nil, nil
	}
	keys, err := all[models.APIKey](tx.Where("project_id = ? AND id::text = ?", projectID, actor.ID))
	if err == nil && len(keys) > 0 {
		maker = keys[0].MadeBy
	}
	return maker, err
}
