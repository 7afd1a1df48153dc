package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// ApplyExecutionChange applies one step of a rollout with all its consequences: the new percentage or rollback of the
// release, the timeline, the audit log, the end of older rollouts.
//
// A step that was already applied is ignored without an error. A step that does not follow the row's version, or that
// follows a final state, is refused as invalid_transition. A step after ExecutionChange.ExpiresAt is refused as
// expired. A step based on health or linked flags from before a manual rollback of a flag is skipped: the result is the
// unchanged row with its LinkedFlags. A release that a person disabled or deleted stays that way.
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

// applyStep writes a step that follows the rollout's state in before.
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

// checkFollows enforces the fence: it refuses a step that was not decided for the row's present version.
func checkFollows(e models.RolloutExecution, step models.ExecutionChange) error {
	if e.Version != step.Seq-1 {
		return models.Errorf(models.CodeInvalidTransition,
			"step %d of rollout %d does not follow step %d, its latest step", step.Seq, e.ID, e.Version)
	}
	if !e.Status.Open() {
		return models.Errorf(models.CodeInvalidTransition, "rollout %d is %s and cannot change any more", e.ID, e.Status)
	}
	return nil
}

// checkInTime refuses a step that arrives after its sender has stopped waiting. It uses the clock of Postgres while the
// rollout's row is locked. Therefore, once one attempt at the step is refused, concurrent attempts cannot succeed
// either.
func checkInTime(tx *gorm.DB, step models.ExecutionChange) error {
	if step.ExpiresAt == nil {
		return nil
	}
	var late bool
	err := tx.Raw("SELECT clock_timestamp() > ?", *step.ExpiresAt).Scan(&late).Error
	if err == nil && late {
		err = models.Errorf(models.CodeExpired, "step %d of rollout %d arrived after its sender had stopped waiting",
			step.Seq, step.ExecutionID)
	}
	return err
}

// outdated reports whether a step is based on health that no longer counts, or reverts linked flags that the release no
// longer has. If so, it fills in e.LinkedFlags.
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

// writeStep writes the rollout's row after the step, and the step's event.
func writeStep(c *unit.Change, before models.RolloutExecution, step models.ExecutionChange) models.RolloutExecution {
	e := rollout.Applied(before, step, c.Now())
	c.Update(&e, rollout.AppliedFields...)
	if step.Event != nil {
		recordEvent(c, before, e, *step.Event, step.Revert)
	}
	c.Notify(models.NotifyExecution, e.ID)
	return e
}

// eventActions maps timeline events to audit actions. The start of a rollout is not listed, because it is audited when
// the rollout is created, with the person who requested it.
var eventActions = map[models.RolloutEventKind]string{
	models.EventStageAdvanced: "rollout.stage_advanced",
	models.EventPaused:        "rollout.paused",
	models.EventResumed:       "rollout.resumed",
	models.EventCompleted:     "rollout.completed",
	models.EventCancelled:     "rollout.cancelled",
	models.EventRolledBack:    "rollout.rolled_back",
}

// actionOf returns the audit action for an event, or "". A hold is audited only when it starts and needs a person's
// attention: when it waits for a threshold or for networks.
func actionOf(before, e models.RolloutExecution, event models.RolloutEvent) string {
	if event.Event != models.EventHeld {
		return eventActions[event.Event]
	}
	if e.WaitingFor != before.WaitingFor && (e.WaitingFor == models.WaitThreshold || e.WaitingFor == models.WaitNetworks) {
		return "rollout.held"
	}
	return ""
}

// recordEvent adds an event, with the row's health, to the timeline and the audit log.
func recordEvent(c *unit.Change, before, e models.RolloutExecution, event models.RolloutEvent, reverted bool) {
	event.ID, event.ExecutionID, event.ProjectID, event.Health = 0, e.ID, e.ProjectID, e.Health
	if event.At.IsZero() {
		event.At = c.Now()
	}
	c.Create(&event)
	if action := actionOf(before, e, event); action != "" {
		c.Audit(action, "rollout_execution", e.ID, map[string]any{
			"updateId": e.UpdateID, "updateUuid": e.UpdateUUID, "releaseMessage": e.ReleaseMessage, "policyName": e.PolicyName,
			"fromStage": event.FromStage, "toStage": event.ToStage, "percentage": event.Percentage, "reason": event.Reason, "reverted": reverted,
		})
	}
}

// applyToRelease sets the step's rollout percentage on the release, or rolls the release back. It reports whether that
// changes what devices are served.
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

// patchByRollout writes a rollout's changes to its release.
func patchByRollout(c *unit.Change, before models.Release, r *models.Release, e models.RolloutExecution) {
	changes := unit.MapDiff(releaseFields(before), releaseFields(*r))
	changes["rolloutExecutionId"], changes["reason"] = e.ID, e.Reason
	saveRelease(c, before, r)
	c.Audit("update.patched", "update", r.ID, changes)
}

// releaseOf returns the release of a rollout, even if it is deleted.
func releaseOf(tx *gorm.DB, e models.RolloutExecution) (models.Release, error) {
	return pg.One[models.Release](SelectReleases(tx).
		Where("releases.project_id = ? AND releases.id = ?", e.ProjectID, e.UpdateID), "release %d", e.UpdateID)
}
