package store

import (
	"reflect"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// relinked tells the rollout of a release that people gave the release other linked
// flags than before. Where it lost one, devices run something else from now on, and
// what they reported until now says nothing of it: the stage begins again with fresh
// counts. The row says so in this transaction; the message is so that the workflow
// learns of it before it decides something that the row would refuse.
func relinked(tx *gorm.DB, actor models.Actor, e models.RolloutExecution, before, after []models.LinkedFlag, reason string) error {
	if lostLink(before, after) {
		now := tx.NowFunc()
		e.CountsSince, e.StageStartedAt = &now, now
		if err := tx.Model(&e).Select("CountsSince", "StageStartedAt").Updates(&e).Error; err != nil {
			return err
		}
		change := models.ExecutionChange{Actor: actor, Event: eventByHand(tx, e, actor, models.EventFlagsReverted, reason)}
		if err := recordEvent(tx, e, change); err != nil {
			return err
		}
	}
	if err := notify(tx, models.NotifyExecution, e.ID); err != nil {
		return err
	}
	return enqueue(tx, e.ProjectID, models.OutboxRolloutRelinked,
		models.RolloutRelinked{WorkflowID: e.WorkflowID, LinkedFlags: len(after), CountsSince: e.CountsSince})
}

// relinkedByPatch does so for a release that was changed from before to after, if it
// is being rolled out and links other flags now.
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

// pauseDisabled promises to pause the rollout of a release that was disabled, if there
// is one: a stage in which nobody is served proves nothing.
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

// lostLink reports whether a link is gone, or is another one now.
func lostLink(before, after []models.LinkedFlag) bool {
	return slices.ContainsFunc(before, func(l models.LinkedFlag) bool {
		return !slices.ContainsFunc(after, func(m models.LinkedFlag) bool { return reflect.DeepEqual(l, m) })
	})
}

// outdated reports whether a change rests on health that does not count any more, or
// takes back linked flags that the release does not have. It fills in e.LinkedFlags
// then.
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

// countsSince is since when the health of an execution counts after a change:
// without its flags the release begins its stage again. A time of the workflow has
// nanoseconds; rounded up it would refuse the workflow's next change.
func countsSince(e models.RolloutExecution, c models.ExecutionChange) *time.Time {
	if !c.DropFlags {
		return e.CountsSince
	}
	since := c.StageStartedAt.Truncate(time.Microsecond)
	return &since
}
