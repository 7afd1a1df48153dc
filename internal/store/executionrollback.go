package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// RollBackExecution takes an open rollout back by hand, as far as the scope says.
// All of it happens in one transaction and without the rollout's workflow, which is
// told afterwards: a bad release must not wait for anything but Postgres.
func (s *Store) RollBackExecution(ctx context.Context, projectID int64, actor models.Actor, id int64, r models.ExecutionRollback) (e models.RolloutExecution, err error) {
	if err := r.Validate(); err != nil {
		return models.RolloutExecution{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, project *models.Project) error {
		if e, err = executionByID(tx.Clauses(forUpdate), projectID, id); err != nil {
			return err
		}
		if !e.Status.Open() {
			return models.Errorf(models.CodeInvalidTransition, "cannot roll back a rollout that is %s", e.Status)
		}
		reason := r.Reason
		if reason == "" {
			reason = fmt.Sprintf("rolled back (%s) by %s", r.Scope, actor.Shown())
		}
		switch r.Scope {
		case models.RollbackFlag:
			err = unlinkFlag(tx, actor, e, *r.FlagID, reason)
		case models.RollbackChannel:
			err = revertBranch(tx, project, actor, e, reason)
		case models.RollbackRelease:
			err = revertByHand(tx, project, actor, e, reason)
		}
		return err
	})
	if err != nil {
		return models.RolloutExecution{}, err
	}
	return s.Execution(ctx, projectID, id)
}

// revertByHand ends a rollout as rolled back, past its workflow. The change has the
// number that the workflow's next one will have, so that one is not applied, and the
// workflow takes the row as it finds it; the message is so that this happens at once.
func revertByHand(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, reason string) error {
	now := tx.NowFunc()
	c := models.ExecutionChange{
		ProjectID: e.ProjectID, ExecutionID: e.ID, Seq: e.Version + 1, Status: models.ExecutionRolledBack,
		StageIndex: e.StageIndex, Reason: reason, Percentage: e.Percentage, StageStartedAt: e.StageStartedAt,
		EndedAt: &now, Health: e.Health, RunID: e.RunID, Revert: true, Actor: actor,
	}
	c.Event = eventByHand(tx, e, actor, models.EventRolledBack, reason)
	if _, err := applyChange(tx, project, e, c); err != nil {
		return err
	}
	return enqueue(tx, e.ProjectID, models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID})
}

func eventByHand(tx *gorm.DB, e models.RolloutExecution, actor models.Actor, kind models.RolloutEventKind, reason string) *models.RolloutEvent {
	return &models.RolloutEvent{
		ExecutionID: e.ID, ProjectID: e.ProjectID, At: tx.NowFunc(), Event: kind, Actor: actor.Shown(), FromStage: e.StageIndex,
		ToStage: e.StageIndex, Percentage: e.Percentage, Reason: reason, Health: e.Health,
	}
}

// unlinkFlag takes one linked flag from the release; the rollout goes on, with the
// stage that it is in from the beginning.
func unlinkFlag(tx *gorm.DB, actor models.Actor, e models.RolloutExecution, flagID int64, reason string) error {
	r, err := releaseOf(tx, e)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(r.LinkedFlags), func(l models.LinkedFlag) bool { return l.FlagID == flagID })
	if len(kept) == len(r.LinkedFlags) {
		var p models.Problems
		p.Add("flagId", "update %d does not link the flag %d", r.ID, flagID)
		return p.Err()
	}
	if err := dropLinks(tx, actor, e, r, kept, reason); err != nil {
		return err
	}
	return relinked(tx, actor, e, r.LinkedFlags, kept, reason)
}

// dropLinks leaves a release with the flags that are kept.
func dropLinks(tx *gorm.DB, actor models.Actor, e models.RolloutExecution, r models.Release, kept []models.LinkedFlag, reason string) error {
	details := map[string]any{
		"linkedFlags":        map[string]any{"before": linkDetails(r.LinkedFlags), "after": linkDetails(kept)},
		"rolloutExecutionId": e.ID, "reason": reason,
	}
	r.LinkedFlags = kept
	if err := saveLinks(tx, r); err != nil {
		return err
	}
	if err := tx.Model(&models.Release{}).Where("id = ?", r.ID).Update("updated_at", tx.NowFunc()).Error; err != nil {
		return err
	}
	return audit(tx, r.ProjectID, actor, actionUpdatePatched, entityUpdate, r.ID, details)
}

// revertBranch takes back every open rollout of the branch that e's release is on,
// and every other enabled release there that is newer than the last one for
// everybody, newest first, so that no revert goes back to what the next one takes.
func revertBranch(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, reason string) error {
	r, err := releaseOf(tx, e)
	if err != nil {
		return err
	}
	active, err := all[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ? AND releases.deleted_at IS NULL", r.ProjectID, r.BranchID).
		Where("rollout_executions.id IS NOT NULL OR releases.is_enabled AND releases.kind = ? AND releases.rollout_percentage < ?",
			models.KindUpdate, everybody).
		// A successor stands in for what was reverted; to revert it would undo that.
		Where("rollout_executions.id IS NOT NULL OR releases.share_salt = 'release:' || releases.group_id").
		Order(newestFirst))
	if err != nil {
		return err
	}
	for _, a := range active {
		if err := revertActive(tx, project, actor, e, a, reason); err != nil {
			return err
		}
	}
	return nil
}

// revertActive takes one release of a branch back.
func revertActive(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, r models.Release, reason string) error {
	if r.RolloutExecutionID != nil {
		own, err := executionByID(tx.Clauses(forUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		return revertByHand(tx, project, actor, own, reason)
	}
	if _, covered, err := newestForEverybody(tx, r, ">"); err != nil || covered {
		return err // older than what everybody has
	}
	before := r
	r.IsEnabled = false
	if err := saveRelease(tx, before, &r); err != nil {
		return err
	}
	if err := audit(tx, r.ProjectID, actor, actionUpdatePatched, entityUpdate, r.ID, revertDetails(releaseDiff(before, r), e)); err != nil {
		return err
	}
	_, err := publishSuccessor(tx, project, r, e, actor)
	return err
}
