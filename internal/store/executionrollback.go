package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// RollBackExecution is the manual rollback of an open rollout, as far as the scope says.
// It is one transaction and does not involve the rollout's workflow, which the outbox
// tells afterwards: reverting a bad release must depend on Postgres alone.
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
			err = revertManually(tx, project, actor, e, reason)
		}
		return err
	})
	if err != nil {
		return models.RolloutExecution{}, err
	}
	return s.Execution(ctx, projectID, id)
}

// revertManually ends a rollout as rolled back without its workflow. The change has the
// number that the workflow's next one will have, so the fence refuses that one and the
// workflow adopts the row; the outbox message makes it do so at once.
func revertManually(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, reason string) error {
	now := tx.NowFunc()
	c := models.ExecutionChange{
		ProjectID: e.ProjectID, ExecutionID: e.ID, Seq: e.Version + 1, Status: models.ExecutionRolledBack,
		StageIndex: e.StageIndex, Reason: reason, Percentage: e.Percentage, StageStartedAt: e.StageStartedAt,
		Progress: e.Progress, EndedAt: &now, RunID: e.RunID, Revert: true, Actor: actor,
	}
	c.Event = manualEvent(tx, e, actor, models.EventRolledBack, reason)
	if _, err := applyChange(tx, project, e, c); err != nil {
		return err
	}
	return enqueue(tx, e.ProjectID, models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID})
}

func manualEvent(tx *gorm.DB, e models.RolloutExecution, actor models.Actor, kind models.RolloutEventKind, reason string) *models.RolloutEvent {
	return &models.RolloutEvent{
		ExecutionID: e.ID, ProjectID: e.ProjectID, At: tx.NowFunc(), Event: kind, Actor: actor.Shown(), FromStage: e.StageIndex,
		ToStage: e.StageIndex, Percentage: e.Percentage, Reason: reason,
	}
}

// unlinkFlag removes one linked flag from the release; the rollout goes on and begins
// its stage again.
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

// dropLinks removes all linked flags of a release except those in kept.
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

// revertBranch reverts every open rollout of the branch that e's release is on, and
// every other enabled release there that is newer than the last one for everybody. It
// goes from the newest to the oldest, so that no successor repeats a release that is
// reverted next.
func revertBranch(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, reason string) error {
	r, err := releaseOf(tx, e)
	if err != nil {
		return err
	}
	active, err := all[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ? AND releases.deleted_at IS NULL", r.ProjectID, r.BranchID).
		Where("rollout_executions.id IS NOT NULL OR releases.is_enabled AND releases.kind = ? AND releases.rollout_percentage < ?",
			models.KindUpdate, everybody).
		// A successor replaces a reverted release; reverting it would undo that.
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

// revertActive reverts one release of a branch.
func revertActive(tx *gorm.DB, project *models.Project, actor models.Actor, e models.RolloutExecution, r models.Release, reason string) error {
	if r.RolloutExecutionID != nil {
		own, err := executionByID(tx.Clauses(forUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		return revertManually(tx, project, actor, own, reason)
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
