package store

import (
	"reflect"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// relinked tells the rollout of a release that a person changed the release's linked
// flags. Where the release lost one, devices run something else from now on, and earlier
// reports say nothing about it: the stage begins again with new counts. The row says so
// in this transaction. The outbox message tells the workflow before it decides something
// that the row would refuse.
func relinked(tx *gorm.DB, actor models.Actor, e models.RolloutExecution, before, after []models.LinkedFlag, reason string) error {
	if lostLink(before, after) {
		now := tx.NowFunc()
		e.CountsSince, e.StageStartedAt = &now, now
		e.Progress = e.Progress.Recounted(e.Status, now)
		if err := tx.Model(&e).Select("CountsSince", "StageStartedAt", "Progress").Updates(&e).Error; err != nil {
			return err
		}
		change := models.ExecutionChange{Actor: actor, Event: manualEvent(tx, e, actor, models.EventFlagsReverted, reason)}
		if err := recordEvent(tx, e, change); err != nil {
			return err
		}
	}
	if err := notify(tx, models.NotifyExecution, e.ID); err != nil {
		return err
	}
	if err := promptWatcher(tx, e.ID); err != nil {
		return err
	}
	return enqueue(tx, e.ProjectID, models.OutboxRolloutRelinked,
		models.RolloutRelinked{WorkflowID: e.WorkflowID, LinkedFlags: len(after), CountsSince: e.CountsSince})
}

// relinkedByPatch calls relinked when the release is rolling out and a patch changed its
// linked flags.
func relinkedByPatch(tx *gorm.DB, actor models.Actor, before, after models.Release) error {
	if before.RolloutExecutionID == nil || reflect.DeepEqual(before.LinkedFlags, after.LinkedFlags) {
		return nil
	}
	e, err := executionByID(tx.Clauses(forUpdate), before.ProjectID, *before.RolloutExecutionID)
	if err != nil {
		return err
	}
	return relinked(tx, actor, e, before.LinkedFlags, after.LinkedFlags, "linked flags changed by "+actor.Shown())
}

// pauseDisabled enqueues the pause of the open rollout of a release that was disabled,
// if there is one: a stage in which no device is served proves nothing.
func pauseDisabled(tx *gorm.DB, actor models.Actor, r models.Release) error {
	if r.RolloutExecutionID == nil {
		return nil
	}
	e, err := executionByID(tx, r.ProjectID, *r.RolloutExecutionID)
	if err != nil {
		return err
	}
	return enqueue(tx, r.ProjectID, models.OutboxRolloutDisabled, models.RolloutDisabled{
		WorkflowID: e.WorkflowID, ProjectID: r.ProjectID, ReleaseID: r.ID, Actor: actor,
	})
}

// lostLink reports whether a link is gone or changed.
func lostLink(before, after []models.LinkedFlag) bool {
	return slices.ContainsFunc(before, func(l models.LinkedFlag) bool {
		return !slices.ContainsFunc(after, func(m models.LinkedFlag) bool { return reflect.DeepEqual(l, m) })
	})
}

// outdated reports whether a change is based on health that no longer counts, or reverts
// linked flags that the release does not have. Then it fills in e.LinkedFlags.
func outdated(tx *gorm.DB, e *models.RolloutExecution, c models.ExecutionChange) (bool, error) {
	recounted := e.CountsSince != nil && (c.CountsSince == nil || c.CountsSince.Before(*e.CountsSince))
	if !recounted && !c.DropFlags {
		return false, nil
	}
	r, err := releaseOf(tx, *e)
	if err != nil {
		return false, err
	}
	e.LinkedFlags = r.LinkedFlags
	return recounted || len(r.LinkedFlags) == 0, nil
}

// countsSince is when the health of an execution begins to count after a change: a
// release that loses its flags begins its stage again. The workflow's time has
// nanoseconds, which Postgres would round; rounded up, it would refuse the workflow's
// next change.
func countsSince(e models.RolloutExecution, c models.ExecutionChange) *time.Time {
	if !c.DropFlags {
		return e.CountsSince
	}
	since := c.StageStartedAt.Truncate(time.Microsecond)
	return &since
}
