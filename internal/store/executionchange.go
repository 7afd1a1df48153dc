package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// ApplyExecutionChange applies one step of a rollout with its consequences: the
// release's share or revert, the timeline, the audit log, the end of older rollouts.
//
// A step that is applied already changes nothing and is no error. A step that does not
// follow the row's version, or follows a final state, is invalid_transition. A step
// after ExecutionChange.ExpiresAt is expired. A step that is based on health or linked
// flags from before a person reverted a flag is skipped: the result is the row as it
// was, with its LinkedFlags. A release that a person disabled or deleted stays so.
func (s *Store) ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (e models.RolloutExecution, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		project, err := lockProject(tx, c.ProjectID)
		if err != nil {
			return err
		}
		before, err := executionByID(tx.Clauses(forUpdate), c.ProjectID, c.ExecutionID)
		if err != nil {
			return err
		}
		if before.Version == c.Seq {
			e = before
			return nil
		}
		if err := checkFollows(before, c); err != nil {
			return err
		}
		if err := checkInTime(tx, c); err != nil {
			return err
		}
		if stale, err := outdated(tx, &before, c); err != nil || stale {
			e = before
			return err
		}
		e, err = applyChange(tx, &project, before, c)
		return err
	})
	return e, err
}

// applyChange writes a change that follows the execution before.
func applyChange(tx *gorm.DB, project *models.Project, before models.RolloutExecution, c models.ExecutionChange) (models.RolloutExecution, error) {
	e := changedExecution(before, c, tx.NowFunc())
	if e.EndedAt == nil && !e.Status.Open() {
		now := tx.NowFunc()
		e.EndedAt = &now
	}
	if err := saveExecution(tx, e); err != nil {
		return e, err
	}
	if err := recordEvent(tx, e, c); err != nil {
		return e, err
	}
	if err := notify(tx, models.NotifyExecution, e.ID); err != nil {
		return e, err
	}
	if e.Status.Open() && c.Event != nil {
		if err := promptWatcher(tx, e.ID); err != nil {
			return e, err
		}
	}
	served, err := applyToRelease(tx, project, e, c)
	if err != nil {
		return e, err
	}
	if served || before.Status.Open() != e.Status.Open() {
		return e, bumpSnapshot(tx, c.ProjectID)
	}
	return e, nil
}

// checkFollows is the fence: only a change that was made for the row's present version
// passes.
func checkFollows(e models.RolloutExecution, c models.ExecutionChange) error {
	if e.Version != c.Seq-1 {
		return models.Errorf(models.CodeInvalidTransition,
			"change %d of rollout execution %d does not follow on change %d, which is its last one", c.Seq, e.ID, e.Version)
	}
	if !e.Status.Open() {
		return models.Errorf(models.CodeInvalidTransition, "rollout execution %d is %s and cannot change any more", e.ID, e.Status)
	}
	return nil
}

// checkInTime refuses a step that comes after its sender has stopped waiting. It uses
// the clock of Postgres while the execution's row is locked: once one attempt at the
// step is refused, no concurrent attempt can succeed.
func checkInTime(tx *gorm.DB, c models.ExecutionChange) error {
	if c.ExpiresAt == nil {
		return nil
	}
	var late bool
	if err := tx.Raw("SELECT clock_timestamp() > ?", *c.ExpiresAt).Scan(&late).Error; err != nil {
		return err
	}
	if late {
		return models.Errorf(models.CodeExpired, "change %d of rollout execution %d came after its sender had stopped waiting", c.Seq, c.ExecutionID)
	}
	return nil
}

// changedExecution is the row after the change at now.
func changedExecution(e models.RolloutExecution, c models.ExecutionChange, now time.Time) models.RolloutExecution {
	if c.Health != nil {
		e.Health = c.Health
	}
	if c.StageIndex != e.StageIndex {
		c.Progress.Before = rollout.CarriedOver(e)
	}
	if c.Status == models.ExecutionRunning && !c.Progress.Scheduled {
		c.Progress.Clock = c.Progress.Clock.Started(now) // the share is in force from now on
	}
	e.Version = c.Seq
	e.Status = c.Status
	e.StageIndex = c.StageIndex
	e.WaitingFor = c.WaitingFor
	e.Reason = c.Reason
	e.Percentage = c.Percentage
	e.StageStartedAt = c.StageStartedAt
	e.CountsSince = countsSince(e, c)
	e.Progress = c.Progress
	e.PausedAt = c.PausedAt
	e.EndedAt = c.EndedAt
	e.RunID = c.RunID
	return e
}

func saveExecution(tx *gorm.DB, e models.RolloutExecution) error {
	return tx.Model(&e).
		Select("Version", "Status", "StageIndex", "WaitingFor", "Reason", "Percentage",
			"StageStartedAt", "CountsSince", "Progress", "PausedAt", "EndedAt", "Health", "RunID").
		Updates(&e).Error
}

// eventActions are the audit actions of timeline events. A held rollout changed
// nothing, and the start has been in the log since the execution was created, with the
// actor who asked for it.
var eventActions = map[models.RolloutEventKind]string{
	models.EventStageAdvanced: "rollout.stage_advanced",
	models.EventPaused:        "rollout.paused",
	models.EventResumed:       "rollout.resumed",
	models.EventCompleted:     "rollout.completed",
	models.EventCancelled:     "rollout.cancelled",
	models.EventRolledBack:    "rollout.rolled_back",
}

// recordEvent appends the change's event, if it has one, to the timeline, with the health
// of the row, and to the audit log.
func recordEvent(tx *gorm.DB, e models.RolloutExecution, c models.ExecutionChange) error {
	if c.Event == nil {
		return nil
	}
	event := *c.Event
	event.ID, event.ExecutionID, event.ProjectID, event.Health = 0, e.ID, e.ProjectID, e.Health
	if event.At.IsZero() {
		event.At = tx.NowFunc()
	}
	if err := tx.Create(&event).Error; err != nil {
		return err
	}
	action, ok := eventActions[event.Event]
	if !ok {
		return nil
	}
	details := map[string]any{
		"updateId": e.UpdateID, "updateUuid": e.UpdateUUID, "policyName": e.PolicyName, "fromStage": event.FromStage,
		"toStage": event.ToStage, "percentage": event.Percentage, "reason": event.Reason, "reverted": c.Revert,
	}
	return audit(tx, e.ProjectID, c.Actor, action, entityExecution, e.ID, details)
}

// applyToRelease gives the release the share of the change, or reverts it, and reports
// whether that changes what devices are served.
func applyToRelease(tx *gorm.DB, project *models.Project, e models.RolloutExecution, c models.ExecutionChange) (served bool, err error) {
	before, err := releaseOf(tx, e)
	if err != nil {
		return false, err
	}
	r := before
	if c.Revert {
		r.IsEnabled = false
	}
	r.RolloutPercentage = c.Percentage
	changes := releaseDiff(before, r)
	if r.DeletedAt == nil && len(changes) > 0 {
		served = true
		if err := saveRelease(tx, before, &r); err != nil {
			return false, err
		}
		if err := audit(tx, r.ProjectID, c.Actor, actionUpdatePatched, entityUpdate, r.ID, revertDetails(changes, e)); err != nil {
			return false, err
		}
	}
	if c.DropFlags && len(r.LinkedFlags) > 0 {
		served = true
		if err := dropLinks(tx, c.Actor, e, r, nil, c.Reason); err != nil {
			return false, err
		}
	}
	if !c.Revert {
		return served, nil
	}
	published, err := publishSuccessor(tx, project, r, e, c.Actor)
	return served || published, err
}

// revertDetails adds the rollout and its reason to what changed of a release.
func revertDetails(changes diff, e models.RolloutExecution) map[string]any {
	changes["rolloutExecutionId"] = e.ID
	changes["reason"] = e.Reason
	return changes
}

// releaseOf reads the release of an execution, even a deleted one.
func releaseOf(tx *gorm.DB, e models.RolloutExecution) (models.Release, error) {
	return one[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.id = ?", e.ProjectID, e.UpdateID), "update %d", e.UpdateID)
}
