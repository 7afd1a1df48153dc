package releasestore

import (
	"context"
	"reflect"
	"slices"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// RollBackExecution rolls back an open rollout manually, to the extent of the scope. It does so in one transaction
// without the rollout's workflow, which an outbox message informs afterwards: rolling back a bad release must depend on
// Postgres alone.
func (s *Releases) RollBackExecution(
	ctx context.Context, projectID int64, actor models.Actor, id int64, r models.ExecutionRollback,
) (models.RolloutExecution, error) {
	_, err := unit.Apply(ctx, s.units.ChangeServed, projectID, actor, r, func(c *unit.Change) (models.RolloutExecution, error) {
		e, err := executionByID(c.Tx.Clauses(pg.ForUpdate), projectID, id)
		if err != nil {
			return e, err
		}
		if !e.Status.Open() {
			return e, models.Errorf(models.CodeInvalidTransition, "cannot roll back the rollout: its status is %s", e.Status)
		}
		reason := r.Reason
		if reason == "" {
			reason = rolledBack[r.Scope] + " by " + actor.Shown()
		}
		switch r.Scope {
		case models.RollbackFlag:
			err = unlinkFlag(c, e, *r.FlagID, reason)
		case models.RollbackChannel:
			err = revertBranch(c, e, reason)
		case models.RollbackRelease:
			err = revertManually(c, e, reason)
			if err == nil && r.AllPlatforms {
				err = revertPartners(c, e, reason)
			}
		}
		if err != nil {
			return e, err
		}
		c.ExemptFromApproval(executionReach(e)) // devices get what they had before
		return e, nil
	})
	if err != nil {
		return models.RolloutExecution{}, err
	}
	return s.Execution(ctx, projectID, id)
}

// rolledBack has the reason of a rollback whose caller gives none.
var rolledBack = map[models.ExecutionRollbackScope]string{
	models.RollbackFlag:    "linked flag reverted",
	models.RollbackRelease: "rolled back",
	models.RollbackChannel: "whole channel rolled back",
}

// revertManually ends a rollout and rolls back its release.
func revertManually(c *unit.Change, e models.RolloutExecution, reason string) error {
	_, err := applyStep(c, e, manualEnd(c, e, reason))
	if err == nil {
		c.Enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID})
	}
	return err
}

// manualEnd returns the step that ends a rollout as rolled back without its workflow. The step has the number of the
// workflow's next step, so the fence refuses that step and the workflow takes over the row. An outbox message makes the
// workflow do so immediately.
func manualEnd(c *unit.Change, e models.RolloutExecution, reason string) models.ExecutionChange {
	return models.ExecutionChange{
		Seq: e.Version + 1, Status: models.ExecutionRolledBack, StageIndex: e.StageIndex, Reason: reason,
		Percentage: e.Percentage, StageStartedAt: e.StageStartedAt, Progress: e.Progress, RunID: e.RunID, Revert: true,
		Event: new(manualEvent(c, e, models.EventRolledBack, reason)),
	}
}

func manualEvent(c *unit.Change, e models.RolloutExecution, kind models.RolloutEventKind, reason string) models.RolloutEvent {
	return models.RolloutEvent{
		Event: kind, Actor: c.Actor.Shown(), FromStage: e.StageIndex, ToStage: e.StageIndex, Percentage: e.Percentage, Reason: reason,
	}
}

// unlinkFlag removes one linked flag from the release. The rollout restarts its current stage.
func unlinkFlag(c *unit.Change, e models.RolloutExecution, flagID int64, reason string) error {
	r, err := releaseOf(c.Tx, e)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(r.LinkedFlags), func(l models.LinkedFlag) bool { return l.FlagID == flagID })
	if len(kept) == len(r.LinkedFlags) {
		var p models.Problems
		p.Add("flagId", "release %d does not link flag %d", r.ID, flagID)
		return p.Err()
	}
	dropLinks(c, e, r, kept, reason)
	tellRelinked(c, e, r.LinkedFlags, kept, reason)
	return nil
}

// dropLinks removes all linked flags of a release except the ones listed in kept.
func dropLinks(c *unit.Change, e models.RolloutExecution, r models.Release, kept []models.LinkedFlag, reason string) {
	details := map[string]any{
		"linkedFlags":        map[string]any{"before": linkDetails(r.LinkedFlags), "after": linkDetails(kept)},
		"rolloutExecutionId": e.ID, "reason": reason,
	}
	r.LinkedFlags, r.UpdatedAt = kept, c.Now()
	saveLinks(c, r)
	c.Update(&r, "UpdatedAt")
	c.Audit("update.patched", "update", r.ID, details)
}

// tellRelinked informs a release's rollout that a person changed the release's linked flags. If the release lost a
// flag, earlier reports do not apply to what devices run now, so the stage restarts with new counts. This transaction
// records the restart in the row, so that the row refuses decisions that the workflow makes before it receives the
// outbox message.
func tellRelinked(c *unit.Change, e models.RolloutExecution, before, after []models.LinkedFlag, reason string) {
	lost := slices.ContainsFunc(before, func(l models.LinkedFlag) bool {
		return !slices.ContainsFunc(after, func(m models.LinkedFlag) bool { return reflect.DeepEqual(l, m) })
	})
	if lost {
		now := c.Now()
		e.CountsSince, e.StageStartedAt = &now, now
		e.Progress = e.Progress.Recounted(e.Status, now)
		c.Update(&e, "CountsSince", "StageStartedAt", "Progress")
		recordEvent(c, e, e, manualEvent(c, e, models.EventFlagsReverted, reason), false)
	}
	c.Notify(models.NotifyExecution, e.ID)
	promptWatcher(c, e.ID)
	c.Enqueue(models.OutboxRolloutRelinked,
		models.RolloutRelinked{WorkflowID: e.WorkflowID, LinkedFlags: len(after), CountsSince: e.CountsSince})
}

// revertBranch rolls back every open rollout on the branch of e's release, and every other enabled release there that
// is newer than the last one for every device. It goes from the newest to the oldest, so that a successor never repeats
// a release that is rolled back next.
func revertBranch(c *unit.Change, e models.RolloutExecution, reason string) error {
	r, err := releaseOf(c.Tx, e)
	if err != nil {
		return err
	}
	active, err := pg.All[models.Release](SelectReleases(c.Tx).
		Where("releases.project_id = ? AND releases.branch_id = ? AND releases.deleted_at IS NULL", r.ProjectID, r.BranchID).
		Where("rollout_executions.id IS NOT NULL OR releases.is_enabled AND releases.kind = ? AND releases.rollout_percentage < ?",
			models.KindUpdate, everybody).
		// A successor replaces a release that was rolled back; rolling back the successor would undo that.
		Where("rollout_executions.id IS NOT NULL OR releases.share_salt = 'release:' || releases.group_id").
		Order(NewestFirst))
	for _, a := range active {
		if err == nil {
			err = revertActive(c, e, a, reason)
		}
	}
	return err
}

// revertPartners rolls back the other platforms of the group of e's release, on its branch. It leaves out releases that
// are disabled already and do not roll out.
func revertPartners(c *unit.Change, e models.RolloutExecution, reason string) error {
	r, err := releaseOf(c.Tx, e)
	if err != nil {
		return err
	}
	group, err := groupOf(c.Tx, r)
	for _, partner := range group {
		if err == nil && partner.ID != r.ID && (partner.IsEnabled || partner.RolloutExecutionID != nil) {
			err = revertActive(c, e, partner, reason)
		}
	}
	return err
}

// revertActive rolls back one release of a branch.
func revertActive(c *unit.Change, e models.RolloutExecution, r models.Release, reason string) error {
	if r.RolloutExecutionID != nil {
		own, err := executionByID(c.Tx.Clauses(pg.ForUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		return revertManually(c, own, reason)
	}
	if _, covered, err := newestForEverybody(c.Tx, r, ">"); err != nil || covered {
		return err // older than the release that every device gets
	}
	before := r
	r.IsEnabled = false
	e.Reason = reason
	patchByRollout(c, before, &r, e)
	_, err := publishSuccessor(c, r, e)
	return err
}
