package releasestore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Rollback rolls back what the channel's branch delivers for the platforms and runtime versions of n. It publishes the
// goal of each part again for every device: an earlier release or, if none is given, the embedded update. It disables all
// releases newer than the goal and ends their rollouts as rolled back in the same transaction. Outbox messages inform
// the workflows. The published releases share a group; Rollback returns the release of the first part. It refuses a
// disabled goal with CodeGoalDisabled unless n allows it.
func (s *Releases) Rollback(
	ctx context.Context, projectID int64, actor models.Actor, n models.Rollback,
) (models.Release, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (r models.Release, err error) {
		channel, err := ChannelNamed(c.Tx, projectID, n.Channel)
		if err != nil {
			return r, err
		}
		goals, err := rollbackGoals(c, channel, n)
		if err != nil {
			return r, err
		}
		made := make([]models.Release, len(goals))
		groupID := uuid.New()
		for i, part := range n.Parts() {
			if made[i], err = rollBackPart(c, channel, part, goals[i], groupID, n.Reason); err != nil {
				return r, err
			}
		}
		askToRollBack(c, channel, goals, made)
		return made[0], nil
	})
}

// rollBackPart rolls back one platform and runtime version of a channel. A nil goal is the embedded update.
func rollBackPart(
	c *unit.Change, channel models.Channel, n models.RollbackPart, goal *models.Release, groupID uuid.UUID, reason string,
) (models.Release, error) {
	reverted, err := releasesAfter(c.Tx, channel, n, goal)
	if err != nil {
		return models.Release{}, err
	}
	to := target{channel.BranchID, channel.BranchName, &channel.Name}
	r := to.release(channel.ProjectID, n.Platform, n.RuntimeVersion, groupID)
	r.RolledBackUpdateIDs = releaseIDs(reverted)
	r.Kind = models.KindRollbackToEmbedded
	if goal != nil {
		r.Kind = models.KindUpdate
		r.Repeat(goal)
	}
	disableReleases(c, reverted)
	insertRelease(c, &r)
	auditDisabled(c, c.Actor, reverted, withReason("rolled back to "+shownGoal(goal), reason))
	details := rollbackDetails(r)
	if reason != "" {
		details["reason"] = reason
	}
	if goal != nil && !goal.IsEnabled {
		details["allowDisabled"] = true
	}
	c.Audit("update.rollback", "update", r.ID, details)
	return r, endRollouts(c, reverted, r.ID, withReason("rolled back manually to "+shownGoal(goal), reason))
}

// shownGoal returns a phrase for the release that a rollback returns to. A nil goal is the embedded update.
func shownGoal(goal *models.Release) string {
	if goal == nil {
		return "the embedded update"
	}
	return goal.Phrase()
}

// withReason appends the reason that a person gave, if any, to what Waft says about a change.
func withReason(text, reason string) string {
	if reason == "" {
		return text
	}
	return text + ": " + reason
}

// askToRollBack requires approval only if the channel has never offered a goal, or only to fewer devices.
func askToRollBack(c *unit.Change, channel models.Channel, goals []*models.Release, made []models.Release) {
	isEnabled := pg.Each(goals, func(goal *models.Release) bool { return goal != nil && goal.IsEnabled })
	e := unit.Effect{On: unit.ChannelsOfBranches(channel.BranchID), Basis: []any{pg.Each(made, contentFacts), isEnabled}}
	var names []string
	for i, goal := range goals {
		switch {
		case goal != nil && goal.IsEnabled:
			names = append(names, releaseName(*goal))
		case goal != nil:
			names = append(names, "the disabled "+releaseName(*goal))
		case len(goals) == 1:
			names = append(names, "the embedded update")
		default:
			names = append(names, fmt.Sprintf("the embedded update (%s, runtime version %s)", made[i].Platform.Shown(), made[i].RuntimeVersion))
		}
	}
	e.Summary = fmt.Sprintf("roll %s back to %s", placeOf(made[0]), strings.Join(names, " and "))
	c.RequireApprovalOfNew(e)
}

// rollbackGoals returns the releases to roll back to, one for each part of n, nil for the embedded update.
func rollbackGoals(c *unit.Change, channel models.Channel, n models.Rollback) ([]*models.Release, error) {
	parts := n.Parts()
	goals := make([]*models.Release, len(parts))
	for i, part := range parts {
		goal, err := rollbackGoal(c.Tx, channel, part, models.RollbackGoalField(i))
		if err != nil {
			return nil, err
		}
		goals[i] = goal
		if goal == nil {
			c.ReturnTo(nil, n.AllowDisabled)
			continue
		}
		c.ReturnTo(&models.RollbackGoal{
			UpdateID: goal.ID, ReleaseMessage: goal.ReleaseMessage, IsEnabled: goal.IsEnabled, Disabling: goal.Disabling,
		}, n.AllowDisabled)
	}
	return goals, c.Err
}

// rollbackGoal returns the release to roll back to, or nil for the embedded update. field is the path of its ID in the
// request.
func rollbackGoal(tx *gorm.DB, c models.Channel, n models.RollbackPart, field string) (*models.Release, error) {
	if n.ToUpdateID == nil {
		return nil, nil
	}
	goal, err := shownRelease(tx, c.ProjectID, *n.ToUpdateID)
	if err != nil {
		return nil, err
	}
	var p models.Problems
	switch {
	case goal.Kind != models.KindUpdate:
		p.Add(field, "%s is itself a rollback to the embedded update; to roll back to the embedded update, leave the field out",
			goal.Phrase())
	case goal.BranchID != c.BranchID:
		p.Add(field, "%s is on branch %q, but channel %q points to %q; republish the release instead",
			goal.Phrase(), goal.BranchName, c.Name, c.BranchName)
	case goal.Platform != n.Platform:
		p.Add(field, "%s is for %s", goal.Phrase(), goal.Platform.Shown())
	case goal.RuntimeVersion != n.RuntimeVersion:
		p.Add(field, "%s is for runtime version %q", goal.Phrase(), goal.RuntimeVersion)
	}
	return &goal, p.Err()
}

// releasesAfter returns the live releases that are newer than goal, or all if goal is nil, oldest first. Only enabled
// releases and releases with open rollouts are returned.
func releasesAfter(tx *gorm.DB, c models.Channel, n models.RollbackPart, goal *models.Release) ([]models.Release, error) {
	q := SelectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", c.ProjectID, c.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", n.Platform, n.RuntimeVersion).
		Where("releases.deleted_at IS NULL AND (releases.is_enabled OR rollout_executions.id IS NOT NULL)")
	if goal != nil {
		q = q.Where(placeOfRelease+" > (?, ?)", goal.Place(), goal.CreatedAt)
	}
	return pg.All[models.Release](q.Order(oldestFirst))
}

// rollbackDetails returns the audit log's representation of a release that rolls back others.
func rollbackDetails(r models.Release) map[string]any {
	details := releaseDetails(r)
	details["rolledBackUpdateIds"], details["republishedFromId"] = r.RolledBackUpdateIDs, r.RepublishedFromID
	details["restampedUpdates"] = r.Restamped
	return details
}

func releaseIDs(releases []models.Release) []int64 {
	return pg.Each(releases, func(r models.Release) int64 { return r.ID })
}

// disableReleases disables releases, so that they are not served any more.
func disableReleases(c *unit.Change, releases []models.Release) {
	if len(releases) > 0 {
		c.Exec("UPDATE releases SET is_enabled = false, updated_at = ? WHERE id IN ? AND is_enabled", c.Now(), releaseIDs(releases))
	}
}

// auditDisabled records that releases were disabled. releases describes them as they were before.
func auditDisabled(c *unit.Change, actor models.Actor, releases []models.Release, reason string) {
	var entries []models.AuditEntry
	for _, before := range releases {
		if before.IsEnabled { // for other releases, only the rollout is rolled back
			details := map[string]any{"reason": reason, "isEnabled": map[string]any{"before": true, "after": false}}
			entries = append(entries, c.Entry(actor, "update.patched", "update", before.ID, details))
		}
	}
	c.RecordAudit(entries...)
}

// endRollouts ends the open rollouts of the reverted releases. by is the ID of the release that rolls them back.
func endRollouts(c *unit.Change, reverted []models.Release, by int64, reason string) error {
	for _, r := range reverted {
		if r.RolloutExecutionID == nil {
			continue
		}
		e, err := executionByID(c.Tx.Clauses(pg.ForUpdate), r.ProjectID, *r.RolloutExecutionID)
		if err != nil {
			return err
		}
		writeStep(c, e, manualEnd(c, e, reason))
		c.Enqueue(models.OutboxRolloutReverted, models.RolloutReverted{WorkflowID: e.WorkflowID, ByReleaseID: by})
	}
	return nil
}

// publishSuccessor publishes the successor of the release bad, which was rolled back, only to the devices that could
// have received bad: with the greatest percentage that bad reached and with bad's salt. If devices could not have
// received bad, it does not publish anything. The same holds if a newer release reaches every device: then bad is not
// served, and an older release would be a downgrade. contentAfter chooses the content of the successor.
func publishSuccessor(c *unit.Change, bad models.Release, e models.RolloutExecution) (published bool, err error) {
	if bad.ReachedPercentage == 0 {
		return false, nil
	}
	if _, covered, err := newestForEverybody(c.Tx, bad, ">"); err != nil || covered {
		return false, err
	}
	older, found, err := contentAfter(c, bad)
	if err != nil {
		return false, err
	}
	content := &older
	if !found {
		content = nil
	}
	groupID, err := groupOfSuccessor(c, bad)
	if err != nil {
		return false, err
	}
	r := models.Successor(&bad, content, groupID)
	insertRelease(c, &r)
	details := rollbackDetails(r)
	details["rolloutExecutionId"], details["reason"] = e.ID, e.Reason
	c.Audit("update.rollback", "update", r.ID, details)
	return true, nil
}

// SQL expressions that order the releases of a branch, in the same way as models.NewestFirst.
const (
	placeOfRelease = "(coalesce(releases.place_at, releases.created_at), releases.created_at)"
	// NewestFirst orders releases by their places, newest first.
	NewestFirst = "coalesce(releases.place_at, releases.created_at) DESC, releases.created_at DESC"
	oldestFirst = "coalesce(releases.place_at, releases.created_at), releases.created_at"
)

// newestForEverybody returns the newest live, enabled release at 100% on r's branch, for r's platform and runtime
// version. It considers only releases on one side (< or >) of r's place.
func newestForEverybody(tx *gorm.DB, r models.Release, side string) (found models.Release, ok bool, err error) {
	err = SelectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", r.Platform, r.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.rollout_percentage = ?", everybody).
		Where(placeOfRelease+" "+side+" (?, ?)", r.Place(), r.CreatedAt).
		Order(NewestFirst).
		Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return found, false, nil
	}
	return found, err == nil, err
}

// behindRelease is a condition that selects releases whose content is older than the given place. They repeat a release
// from before that place, or roll back to the embedded update.
const behindRelease = `releases.kind = 'rollback_to_embedded' OR EXISTS (
	SELECT FROM releases AS original WHERE original.id = releases.republished_from_id
	AND (coalesce(original.place_at, original.created_at), original.created_at) < (?, ?))`

// supersedeOlder informs the open rollouts of older releases of the same branch, platform and runtime version that r now
// reaches every device. Releases that r rolls back are excluded: their rollouts end as rolled back, not superseded.
func supersedeOlder(c *unit.Change, r models.Release) {
	c.Do(func() error {
		var workflowIDs []string
		err := c.Tx.Table("rollout_executions").
			Joins("JOIN releases ON releases.id = rollout_executions.update_id").
			Where("rollout_executions.project_id = ? AND rollout_executions.status IN ?", r.ProjectID, OpenStatuses).
			Where("releases.branch_id = ? AND releases.platform = ? AND releases.runtime_version = ?", r.BranchID, r.Platform, r.RuntimeVersion).
			Where(placeOfRelease+" < (?, ?)", r.Place(), r.CreatedAt).
			Where("releases.id NOT IN ?", append([]int64{0}, r.RolledBackUpdateIDs...)).
			Order("rollout_executions.id").
			Pluck("rollout_executions.workflow_id", &workflowIDs).Error
		if err != nil {
			return err
		}
		for _, id := range workflowIDs {
			c.Enqueue(models.OutboxRolloutSuperseded, models.RolloutSuperseded{WorkflowID: id, ByReleaseID: r.ID, ReleaseMessage: r.ReleaseMessage})
		}
		return retireSuccessors(c, r)
	})
}

// retireSuccessors disables releases that keep some devices on older content than r, which now reaches every other
// device. They are successors of newer releases that were rolled back while r was still rolling out. If r is itself a
// rollback, no release is disabled.
func retireSuccessors(c *unit.Change, r models.Release) error {
	if len(r.RolledBackUpdateIDs) > 0 {
		return nil
	}
	retired, err := pg.All[models.Release](SelectReleases(c.Tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", r.Platform, r.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.rollout_percentage < ?", everybody).
		Where(placeOfRelease+" > (?, ?)", r.Place(), r.CreatedAt).
		Where("releases.share_salt <> 'release:' || releases.group_id"). // the salt of the release that it replaces
		Where("rollout_executions.id IS NULL").
		Where(behindRelease, r.Place(), r.CreatedAt).
		Order("releases.id"))
	if err != nil {
		return err
	}
	disableReleases(c, retired)
	auditDisabled(c, models.SystemActor("rollout"), retired,
		r.Phrase()+", which is newer than the content of this release, reaches every device")
	return nil
}
