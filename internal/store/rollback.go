package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Rollback reverts what the channel's branch delivers for one platform and runtime
// version: it publishes the release to go back to once more, or an order to return to
// the embedded update, for every device. It disables what is newer than that, and ends
// rollouts of it as rolled back in the same transaction; the outbox tells their
// workflows.
func (s *Store) Rollback(ctx context.Context, projectID int64, actor models.Actor, n models.Rollback) (r models.Release, err error) {
	if err := n.Validate(); err != nil {
		return models.Release{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, project *models.Project) error {
		c, err := channelNamed(tx, projectID, n.Channel)
		if err != nil {
			return err
		}
		goal, err := rollbackGoal(tx, c, n)
		if err != nil {
			return err
		}
		reverted, err := releasesAfter(tx, c, n, goal)
		if err != nil {
			return err
		}
		r = newRollback(c, n, goal, reverted)
		if err := disable(tx, reverted); err != nil {
			return err
		}
		if err := insertRelease(tx, project, &r); err != nil {
			return err
		}
		if err := auditDisabled(tx, actor, reverted, fmt.Sprintf("rolled back with release %d", r.ID)); err != nil {
			return err
		}
		details := rollbackDetails(r)
		if err := audit(tx, projectID, actor, actionUpdateRollback, entityUpdate, r.ID, details); err != nil {
			return err
		}
		return endRollouts(tx, actor, reverted, r)
	})
	return r, err
}

// rollbackGoal is the release to go back to, nil for the embedded update.
func rollbackGoal(tx *gorm.DB, c models.Channel, n models.Rollback) (*models.Release, error) {
	if n.ToUpdateID == nil {
		return nil, nil
	}
	goal, err := liveRelease(tx, c.ProjectID, *n.ToUpdateID)
	if err != nil {
		return nil, err
	}
	var p models.Problems
	const field = "rollbackToUpdateId"
	switch {
	case goal.Kind != models.KindUpdate:
		p.Add(field, "update %d is itself a rollback to the embedded update; leave the field out for that", goal.ID)
	case goal.BranchID != c.BranchID:
		p.Add(field, "update %d is on branch %q, and channel %q points to %q; republish it instead", goal.ID, goal.BranchName, c.Name, c.BranchName)
	case goal.Platform != n.Platform:
		p.Add(field, "update %d is for %s", goal.ID, goal.Platform)
	case goal.RuntimeVersion != n.RuntimeVersion:
		p.Add(field, "update %d is for runtime version %q", goal.ID, goal.RuntimeVersion)
	}
	return &goal, p.Err()
}

// releasesAfter returns the live releases that are newer than goal, or all without one,
// oldest first: the enabled ones and those of open rollouts.
func releasesAfter(tx *gorm.DB, c models.Channel, n models.Rollback, goal *models.Release) ([]models.Release, error) {
	q := selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", c.ProjectID, c.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", n.Platform, n.RuntimeVersion).
		Where("releases.deleted_at IS NULL AND (releases.is_enabled OR rollout_executions.id IS NOT NULL)")
	if goal != nil {
		q = q.Where(placeOfRelease+" > (?, ?)", goal.Place(), goal.CreatedAt)
	}
	return all[models.Release](q.Order(oldestFirst))
}

// rollbackDetails returns what the audit log records of a release that reverts others.
func rollbackDetails(r models.Release) map[string]any {
	details := releaseDetails(r)
	details["rolledBackUpdateIds"] = r.RolledBackUpdateIDs
	details["republishedFromId"] = r.RepublishedFromID
	details["restampedUpdates"] = r.Restamped
	return details
}

func newRollback(c models.Channel, n models.Rollback, goal *models.Release, reverted []models.Release) models.Release {
	r := models.Release{
		ProjectID:           c.ProjectID,
		UpdateUUID:          uuid.New(),
		GroupID:             uuid.New(),
		BranchID:            c.BranchID,
		BranchName:          c.BranchName,
		Channel:             &c.Name,
		Platform:            n.Platform,
		RuntimeVersion:      n.RuntimeVersion,
		IsEnabled:           true,
		RolloutPercentage:   everybody,
		Kind:                models.KindRollbackToEmbedded,
		RolledBackUpdateIDs: releaseIDs(reverted),
	}
	r.ShareSalt = models.ReleaseSalt(r.GroupID)
	if goal != nil {
		r.Kind = models.KindUpdate
		r.Repeat(goal)
	}
	return r
}

func releaseIDs(releases []models.Release) []int64 {
	return each(releases, func(r models.Release) int64 { return r.ID })
}

// disable disables releases: no device is served them.
func disable(tx *gorm.DB, releases []models.Release) error {
	if len(releases) == 0 {
		return nil
	}
	return tx.Model(&models.Release{}).Where("id IN ? AND is_enabled", releaseIDs(releases)).
		Updates(map[string]any{"is_enabled": false, "updated_at": tx.NowFunc()}).Error
}

// auditDisabled records that releases of one project, which were as given, are
// disabled now.
func auditDisabled(tx *gorm.DB, actor models.Actor, releases []models.Release, reason string) error {
	var entries []models.AuditEntry
	for _, before := range releases {
		if !before.IsEnabled {
			continue // only its rollout is rolled back
		}
		changes := diff{"reason": reason}
		note(changes, "isEnabled", true, false)
		entries = append(entries, auditEntry(tx, before.ProjectID, actor, actionUpdatePatched, entityUpdate, before.ID, changes))
	}
	for batch := range slices.Chunk(entries, auditBatch) {
		if err := writeEntries(tx, batch[0].ProjectID, batch...); err != nil {
			return err
		}
	}
	return nil
}

// endRollouts ends the open rollouts of releases that by reverts.
func endRollouts(tx *gorm.DB, actor models.Actor, reverted []models.Release, by models.Release) error {
	for _, r := range reverted {
		if r.RolloutExecutionID == nil {
			continue
		}
		e, err := executionByID(tx.Clauses(forUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		if err := endRollout(tx, actor, e, by); err != nil {
			return err
		}
	}
	return nil
}

// endRollout ends a rollout without its workflow. The workflow's next change fails at
// the fence and the workflow adopts the row; the outbox message makes it do so at once.
func endRollout(tx *gorm.DB, actor models.Actor, before models.RolloutExecution, by models.Release) error {
	now := tx.NowFunc()
	e := before
	e.Version++
	e.Status = models.ExecutionRolledBack
	e.WaitingFor = ""
	e.Reason = fmt.Sprintf("rolled back manually with release %d", by.ID)
	e.PausedAt = nil
	e.EndedAt = &now
	if err := saveExecution(tx, e); err != nil {
		return err
	}
	end := models.ExecutionChange{Actor: actor, Event: manualEvent(tx, e, actor, models.EventRolledBack, e.Reason), Revert: true}
	if err := recordEvent(tx, e, end); err != nil {
		return err
	}
	if err := notify(tx, models.NotifyExecution, e.ID); err != nil {
		return err
	}
	message := models.RolloutReverted{WorkflowID: e.WorkflowID, ByReleaseID: by.ID}
	return enqueue(tx, e.ProjectID, models.OutboxRolloutReverted, message)
}
