package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Rollback reverts what the channel's branch delivers for one platform and runtime version:
// it publishes the release to go back to once more, or an order to return to the embedded
// update, for every device. It disables what is newer than that, and ends rollouts of it
// as rolled back in the same transaction; the outbox tells their workflows.
func (s *Store) Rollback(
	ctx context.Context, projectID int64, actor models.Actor, n models.Rollback,
) (models.Release, error) {
	return apply(ctx, s.change, projectID, actor, n, func(c *change) (r models.Release, err error) {
		channel, err := channelNamed(c.tx, projectID, n.Channel)
		if err != nil {
			return r, err
		}
		goal, err := rollbackGoal(c.tx, channel, n)
		if err != nil {
			return r, err
		}
		reverted, err := releasesAfter(c.tx, channel, n, goal)
		if err != nil {
			return r, err
		}
		r = target{channel.BranchID, channel.BranchName, &channel.Name}.release(projectID, n.Platform, n.RuntimeVersion, uuid.New())
		r.RolledBackUpdateIDs = releaseIDs(reverted)
		r.Kind = models.KindRollbackToEmbedded
		if goal != nil {
			r.Kind = models.KindUpdate
			r.Repeat(goal)
		}
		c.disable(reverted)
		c.insertRelease(&r)
		c.auditDisabled(actor, reverted, fmt.Sprintf("rolled back with release %d", r.ID))
		c.audit("update.rollback", "update", r.ID, rollbackDetails(r))
		return r, c.endRollouts(reverted, r)
	})
}

// rollbackGoal returns the release to go back to, nil for the embedded update.
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
	details["rolledBackUpdateIds"], details["republishedFromId"] = r.RolledBackUpdateIDs, r.RepublishedFromID
	details["restampedUpdates"] = r.Restamped
	return details
}

func releaseIDs(releases []models.Release) []int64 {
	return each(releases, func(r models.Release) int64 { return r.ID })
}

// disable disables releases: no device is served them.
func (c *change) disable(releases []models.Release) {
	if len(releases) > 0 {
		c.exec("UPDATE releases SET is_enabled = false, updated_at = ? WHERE id IN ? AND is_enabled", c.now(), releaseIDs(releases))
	}
}

// auditDisabled records that releases, which were as given, are disabled now.
func (c *change) auditDisabled(actor models.Actor, releases []models.Release, reason string) {
	var entries []models.AuditEntry
	for _, before := range releases {
		if before.IsEnabled { // of the others only the rollout is rolled back
			details := map[string]any{"reason": reason, "isEnabled": map[string]any{"before": true, "after": false}}
			entries = append(entries, c.entry(actor, "update.patched", "update", before.ID, details))
		}
	}
	for batch := range slices.Chunk(entries, auditBatch) {
		c.write(batch...)
	}
}

// endRollouts ends the open rollouts of releases that by reverts.
func (c *change) endRollouts(reverted []models.Release, by models.Release) error {
	for _, r := range reverted {
		if r.RolloutExecutionID == nil {
			continue
		}
		e, err := executionByID(c.tx.Clauses(forUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		c.writeStep(e, c.manualEnd(e, fmt.Sprintf("rolled back manually with release %d", by.ID)))
		c.enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID, ByReleaseID: by.ID})
	}
	return nil
}
