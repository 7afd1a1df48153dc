package unit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// RequestApproval makes the actor's operation wait for approvals and starts the workflow that waits. If the actor has
// already requested the same operation and the approval is pending, RequestApproval returns the pending approval.
func (s *Units) RequestApproval(
	ctx context.Context, projectID int64, actor models.Actor, op models.StoredOperation, needed *models.ApprovalNeeded,
) (a models.Approval, err error) {
	err = s.Edit(ctx, projectID, actor, func(c *Change) error {
		if err := c.ReadProject(); err != nil {
			return err
		}
		c.Alone(Records(models.QuotaApprovals)) // if two identical calls run at the same time, the second one finds the first
		hash, found, err := c.waiting(op, needed)
		if err != nil {
			return err
		}
		if found != nil {
			a = *found
			return nil
		}
		now, id := c.Now(), c.NextID()
		a = models.Approval{
			ID: id, ProjectID: projectID, Status: models.ApprovalPending, StoredOperation: op, Summary: needed.Summary,
			Channels: needed.Channels, RequiredApprovals: needed.Required, Basis: needed.Basis, CallHash: hash, Receives: needed.Receives,
			AuthorType: actor.Type, AuthorID: actor.ID, AuthorName: actor.Name, RequestID: actor.RequestID,
			WorkflowID: fmt.Sprintf("approval/%s/%d", c.Project.Slug, id), CreatedAt: now, ExpiresAt: now.Add(s.approvalLife),
			ProjectSlug: c.Project.Slug, Decisions: []models.ApprovalDecision{},
		}
		if a.Receives == nil {
			a.Receives = []models.OfferChange{} // a call about flags
		}
		if a.KeyMadeBy, err = KeyMaker(c.Tx, projectID, actor); err != nil {
			return err
		}
		if s := needed.Schedule; s != nil && s.At.Before(a.ExpiresAt) {
			a.ExpiresAt = s.At
		}
		c.MakeRoom(models.QuotaApprovals)
		c.Create(&a)
		c.Enqueue(models.OutboxApprovalStart, ApprovalStartOf(a))
		c.auditApproval("approval.requested", a, map[string]any{"expiresAt": a.ExpiresAt})
		if needed.Schedule == nil {
			return nil
		}
		waiting := *needed.Schedule // the transaction may run again
		waiting.Status, waiting.ApprovalID = models.SchedulePendingApproval, &a.ID
		return c.AddFlagSchedule(&waiting)
	})
	return a, err
}

// waiting returns the pending approval of the same call by the same actor, or nil. For nil, hash is the call's new hash.
func (c *Change) waiting(op models.StoredOperation, needed *models.ApprovalNeeded) (hash []byte, found *models.Approval, err error) {
	if hash, err = hashOf(op.Action, op.InputVersion, op.Input, needed.Basis); err != nil {
		return nil, nil, err
	}
	// The hash of a call for which a pending approval is out of date, because devices would now receive something else.
	other, err := hashOf(hash, needed.Receives)
	if err != nil {
		return nil, nil, err
	}
	same, err := pg.AllWith(c.Tx, SelectApprovals(c.Tx).Where("approvals.project_id = ? AND status = ?", c.Project.ID, models.ApprovalPending).
		Where("author_type = ? AND author_id = ? AND call_hash IN ?", c.Actor.Type, c.Actor.ID, [][]byte{hash, other}), loadDecisions)
	for _, a := range same {
		if offer.Difference(a.Receives, needed.Receives) == "" {
			return nil, &a, err
		}
	}
	if len(same) > 0 {
		hash = other
	}
	return hash, nil, err
}

// hashOf returns a hash that identifies an operation, or an effect, by its facts.
func hashOf(facts ...any) ([]byte, error) {
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, fmt.Errorf("the facts of an approval: %w", err)
	}
	sum := sha256.Sum256(raw)
	return sum[:], nil
}

// ApprovalStartOf returns the input of the approval's workflow.
func ApprovalStartOf(a models.Approval) models.ApprovalStart {
	return models.ApprovalStart{
		ApprovalID: a.ID, ProjectID: a.ProjectID, WorkflowID: a.WorkflowID, Project: a.ProjectSlug,
		Action: a.Action, Summary: a.Summary, ExpiresAt: a.ExpiresAt,
	}
}

// auditApproval records an event of an approval in the audit log.
func (c *Change) auditApproval(action string, a models.Approval, details map[string]any) {
	details["action"], details["summary"], details["channels"] = a.Action, a.Summary, a.Channels
	details["requestedBy"], details["requiredApprovals"] = a.AuthorName, a.RequiredApprovals
	c.Audit(action, "approval", a.ID, details)
}

var approvalList = pg.List{
	Table: "approvals", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("approvals.created_at"), "endedAt": pg.ByMaybeTime("approvals.ended_at"),
		"expiresAt": pg.ByTime("approvals.expires_at"), "requestedBy": pg.ByText("approvals.author_name"),
		"status": pg.ByText("approvals.status"), "summary": pg.ByText("left(approvals.summary, 100)"),
	},
	Matches: "search_words(project_id, '{}', summary, author_name) @@ search_query(?, ?)",
	Texts:   []string{"approvals.summary"},
}

// ListApprovals returns a page of the project's approvals with the given status, newest first. With status "" it
// returns all.
func (s *Units) ListApprovals(
	ctx context.Context, projectID int64, status models.ApprovalStatus, page models.Page,
) ([]models.Approval, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Approval, error) {
		q := pg.WhereSet(SelectApprovals(tx), "approvals.status", string(status))
		return pg.RowsWith(tx, q, approvalList, projectID, page, loadDecisions)
	})
}

// Approval returns one approval with its decisions.
func (s *Units) Approval(ctx context.Context, projectID, id int64) (models.Approval, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Approval, error) {
		return approvalByID(tx, projectID, id)
	})
}

// SelectApprovals reads approvals with the slugs of their projects.
func SelectApprovals(tx *gorm.DB) *gorm.DB {
	return tx.Model(&models.Approval{}).
		Select("approvals.*, (SELECT slug FROM projects WHERE projects.id = approvals.project_id) AS project_slug")
}

func approvalByID(tx *gorm.DB, projectID, id int64) (models.Approval, error) {
	return pg.OneWith(tx, SelectApprovals(tx).Where("approvals.project_id = ? AND approvals.id = ?", projectID, id),
		loadDecisions, "approval %d", id)
}

// lockedApproval returns an approval like approvalByID and locks its row, so that the transaction can change it.
func lockedApproval(tx *gorm.DB, projectID, id int64) (models.Approval, error) {
	err := tx.Exec("SELECT FROM approvals WHERE project_id = ? AND id = ? FOR UPDATE", projectID, id).Error
	if err != nil {
		return models.Approval{}, err
	}
	return approvalByID(tx, projectID, id)
}

// loadDecisions fills in the decisions of the approvals with one query.
func loadDecisions(tx *gorm.DB, approvals []models.Approval) error {
	at, ids := pg.Indexed(approvals, func(a *models.Approval) int64 { return a.ID })
	for i := range approvals {
		approvals[i].Decisions = []models.ApprovalDecision{}
	}
	decisions, err := pg.All[models.ApprovalDecision](tx.Where("approval_id IN ?", ids).Order("id"))
	for _, d := range decisions {
		a := at[d.ApprovalID]
		a.Decisions = append(a.Decisions, d)
	}
	return err
}

// KeyMaker returns the ID of the user who created the actor's API key. It is nil for a person and for the root key.
func KeyMaker(tx *gorm.DB, projectID int64, actor models.Actor) (maker *int64, err error) {
	if actor.Type != models.ActorAPIKey || actor.ID == models.RootKeyID {
		return nil, nil
	}
	keys, err := pg.All[models.APIKey](tx.Where("project_id = ? AND id::text = ?", projectID, actor.ID))
	if err == nil && len(keys) > 0 {
		maker = keys[0].MadeBy
	}
	return maker, err
}
