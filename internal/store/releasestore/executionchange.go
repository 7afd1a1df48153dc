package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// ApplyExecutionChange applies one step of a rollout with its consequences: the release's
// share or revert, the timeline, the audit log, the end of older rollouts.
//
// A step that is applied already changes nothing and is no error. A step that does not
// follow the row's version, or follows a final state, is invalid_transition. A step after
// ExecutionChange.ExpiresAt is expired. A step that is based on health or linked flags
// from before a manual rollback of a flag is skipped: the result is the row as it was,
// with its LinkedFlags. A release that a person disabled or deleted stays so.
func (s *Releases) ApplyExecutionChange(ctx context.Context, step models.ExecutionChange) (e models.RolloutExecution, err error) {
	err = s.units.Edit(ctx, step.ProjectID, step.Actor, func(c *unit.Change) error {
		if err := c.LockProject(); err != nil {
			return err
		}
		if e, err = executionByID(c.Tx.Clauses(pg.ForUpdate), step.ProjectID, step.ExecutionID); err != nil || e.Version == step.Seq {
			return err
		}
		if err := checkFollows(e, step); err != nil {
			return err
		}
		if err := checkInTime(c.Tx, step); err != nil {
			return err
		}
		if stale, err := outdated(c.Tx, &e, step); err != nil || stale {
			return err
		}
		askForStep(c, e, step)
		if e.Version == 0 {
			step = rollout.BegunAs(e, step)
		}
		e, err = applyStep(c, e, step)
		return err
	})
	return e, err
}

// applyStep writes a step that follows the execution before.
func applyStep(c *unit.Change, before models.RolloutExecution, step models.ExecutionChange) (models.RolloutExecution, error) {
	e := writeStep(c, before, step)
	if e.Status.Open() && step.Event != nil {
		promptWatcher(c, e.ID)
	}
	served, err := applyToRelease(c, e, step)
	if err == nil && (served || before.Status.Open() != e.Status.Open()) {
		c.BumpSnapshot()
	}
	return e, err
}

// checkFollows is the fence: only a step that was made for the row's present version passes.
func checkFollows(e models.RolloutExecution, step models.ExecutionChange) error {
	if e.Version != step.Seq-1 {
		return models.Errorf(models.CodeInvalidTransition,
			"change %d of rollout execution %d does not follow on change %d, which is its last one", step.Seq, e.ID, e.Version)
	}
	if !e.Status.Open() {
		return models.Errorf(models.CodeInvalidTransition, "rollout execution %d is %s and cannot change any more", e.ID, e.Status)
	}
	return nil
}

// checkInTime refuses a step that comes after its sender has stopped waiting. It uses the
// clock of Postgres while the execution's row is locked: after one attempt at the step is
// refused, no concurrent attempt can succeed.
func checkInTime(tx *gorm.DB, step models.ExecutionChange) error {
	if step.ExpiresAt == nil {
		return nil
	}
	var late bool
	err := tx.Raw("SELECT clock_timestamp() > ?", *step.ExpiresAt).Scan(&late).Error
	if err == nil && late {
		err = models.Errorf(models.CodeExpired, "change %d of rollout execution %d came after its sender had stopped waiting",
			step.Seq, step.ExecutionID)
	}
	return err
}

// outdated reports whether a step is based on health that no longer counts, or reverts
// linked flags that the release does not have. Then it fills in e.LinkedFlags.
func outdated(tx *gorm.DB, e *models.RolloutExecution, step models.ExecutionChange) (bool, error) {
	recounted := e.CountsSince != nil && (step.CountsSince == nil || step.CountsSince.Before(*e.CountsSince))
	if !recounted && !step.DropFlags {
		return false, nil
	}
	r, err := releaseOf(tx, *e)
	if err != nil {
		return false, err
	}
	e.LinkedFlags = r.LinkedFlags
	return recounted || len(r.LinkedFlags) == 0, nil
}

// writeStep writes the row after the step, and its event.
func writeStep(c *unit.Change, before models.RolloutExecution, step models.ExecutionChange) models.RolloutExecution {
	e := rollout.Applied(before, step, c.Now())
	c.Update(&e, rollout.AppliedFields...)
	if step.Event != nil {
		recordEvent(c, before, e, *step.Event, step.Revert)
	}
	c.Notify(models.NotifyExecution, e.ID)
	return e
}

// eventActions are the audit actions of timeline events. The start has an entry since the
// execution was created, with the person who requested it.
var eventActions = map[models.RolloutEventKind]string{
	models.EventStageAdvanced: "rollout.stage_advanced",
	models.EventPaused:        "rollout.paused",
	models.EventResumed:       "rollout.resumed",
	models.EventCompleted:     "rollout.completed",
	models.EventCancelled:     "rollout.cancelled",
	models.EventRolledBack:    "rollout.rolled_back",
}

// actionOf is the audit action of an event, "" for none. Of holds it is the beginning of one that
// wants a person's attention: for a threshold or for networks.
func actionOf(before, e models.RolloutExecution, event models.RolloutEvent) string {
	if event.Event != models.EventHeld {
		return eventActions[event.Event]
	}
	if e.WaitingFor != before.WaitingFor && (e.WaitingFor == models.WaitThreshold || e.WaitingFor == models.WaitNetworks) {
		return "rollout.held"
	}
	return ""
}

// recordEvent appends an event, with the row's health, to the timeline and to the audit log.
func recordEvent(c *unit.Change, before, e models.RolloutExecution, event models.RolloutEvent, reverted bool) {
	event.ID, event.ExecutionID, event.ProjectID, event.Health = 0, e.ID, e.ProjectID, e.Health
	if event.At.IsZero() {
		event.At = c.Now()
	}
	c.Create(&event)
	if action := actionOf(before, e, event); action != "" {
		c.Audit(action, "rollout_execution", e.ID, map[string]any{
			"updateId": e.UpdateID, "updateUuid": e.UpdateUUID, "policyName": e.PolicyName, "fromStage": event.FromStage,
			"toStage": event.ToStage, "percentage": event.Percentage, "reason": event.Reason, "reverted": reverted,
		})
	}
}

// applyToRelease gives the release the share of the step, or reverts it, and reports
// whether that changes what devices are served.
func applyToRelease(c *unit.Change, e models.RolloutExecution, step models.ExecutionChange) (served bool, err error) {
	r, err := releaseOf(c.Tx, e)
	if err != nil {
		return false, err
	}
	before := r
	if step.Revert {
		r.IsEnabled = false
	}
	r.RolloutPercentage = step.Percentage
	if r.DeletedAt == nil && len(unit.MapDiff(releaseFields(before), releaseFields(r))) > 0 {
		served = true
		patchByRollout(c, before, &r, e)
	}
	if step.DropFlags && len(r.LinkedFlags) > 0 {
		served = true
		dropLinks(c, e, r, nil, step.Reason)
	}
	if !step.Revert {
		return served, nil
	}
	published, err := publishSuccessor(c, r, e)
	return served || published, err
}

// patchByRollout writes what a rollout changes of a release.
func patchByRollout(c *unit.Change, before models.Release, r *models.Release, e models.RolloutExecution) {
	changes := unit.MapDiff(releaseFields(before), releaseFields(*r))
	changes["rolloutExecutionId"], changes["reason"] = e.ID, e.Reason
	saveRelease(c, before, r)
	c.Audit("update.patched", "update", r.ID, changes)
}

// releaseOf reads the release of an execution, even a deleted one.
func releaseOf(tx *gorm.DB, e models.RolloutExecution) (models.Release, error) {
	return pg.One[models.Release](SelectReleases(tx).
		Where("releases.project_id = ? AND releases.id = ?", e.ProjectID, e.UpdateID), "update %d", e.UpdateID)
}
