package store

import (
	"errors"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// publishSuccessor publishes the successor of the reverted release bad to the devices that
// could have received bad, and to no others: with the greatest share that bad reached,
// under bad's salt. It publishes nothing when no device could have received bad, or when a
// newer release reaches every device: then no device is served bad, and an older release
// would be a downgrade.
func (c *change) publishSuccessor(bad models.Release, e models.RolloutExecution) (published bool, err error) {
	if bad.ReachedPercentage == 0 {
		return false, nil
	}
	if _, covered, err := newestForEverybody(c.tx, bad, ">"); err != nil || covered {
		return false, err
	}
	older, found, err := newestForEverybody(c.tx, bad, "<")
	if err != nil {
		return false, err
	}
	r := models.Successor(&bad, nil)
	if found {
		r = models.Successor(&bad, &older)
	}
	c.insertRelease(&r)
	details := rollbackDetails(r)
	details["rolloutExecutionId"], details["reason"] = e.ID, e.Reason
	c.audit("update.rollback", "update", r.ID, details)
	return true, nil
}

// What releases of a branch are ordered by, as models.NewestFirst has it.
const (
	placeOfRelease = "(coalesce(releases.place_at, releases.created_at), releases.created_at)"
	newestFirst    = "coalesce(releases.place_at, releases.created_at) DESC, releases.created_at DESC"
	oldestFirst    = "coalesce(releases.place_at, releases.created_at), releases.created_at"
)

// newestForEverybody finds the newest live, enabled release at 100 % on r's branch, for its
// platform and runtime version, of those on one side (< or >) of r's place.
func newestForEverybody(tx *gorm.DB, r models.Release, side string) (found models.Release, ok bool, err error) {
	err = selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", r.Platform, r.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.rollout_percentage = ?", everybody).
		Where(placeOfRelease+" "+side+" (?, ?)", r.Place(), r.CreatedAt).
		Order(newestFirst).
		Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return found, false, nil
	}
	return found, err == nil, err
}

// behindRelease holds for releases whose content is older than the given place: they
// repeat a release from before it, or order a return to the embedded update.
const behindRelease = `releases.kind = 'rollback_to_embedded' OR EXISTS (
	SELECT FROM releases AS original WHERE original.id = releases.republished_from_id
	AND (coalesce(original.place_at, original.created_at), original.created_at) < (?, ?))`

// supersede tells every open execution of an older release of the same branch, platform
// and runtime version that r now reaches every device. Releases that r reverts are rolled
// back, not superseded.
func (c *change) supersede(r models.Release) {
	c.do(func() error {
		var workflowIDs []string
		err := c.tx.Table("rollout_executions").
			Joins("JOIN releases ON releases.id = rollout_executions.update_id").
			Where("rollout_executions.project_id = ? AND rollout_executions.status IN ?", r.ProjectID, openStatuses).
			Where("releases.branch_id = ? AND releases.platform = ? AND releases.runtime_version = ?", r.BranchID, r.Platform, r.RuntimeVersion).
			Where(placeOfRelease+" < (?, ?)", r.Place(), r.CreatedAt).
			Where("releases.id NOT IN ?", append([]int64{0}, r.RolledBackUpdateIDs...)).
			Order("rollout_executions.id").
			Pluck("rollout_executions.workflow_id", &workflowIDs).Error
		if err != nil {
			return err
		}
		for _, id := range workflowIDs {
			c.enqueue(models.OutboxRolloutSuperseded, models.RolloutSuperseded{WorkflowID: id, ByReleaseID: r.ID})
		}
		return c.retireSuccessors(r)
	})
}

// retireSuccessors disables the releases that keep some devices on older content than r,
// which now reaches every other device: successors of newer releases that were reverted
// while r was still rolling out. When r is a rollback itself it disables none.
func (c *change) retireSuccessors(r models.Release) error {
	if len(r.RolledBackUpdateIDs) > 0 {
		return nil
	}
	retired, err := all[models.Release](selectReleases(c.tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", r.Platform, r.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.rollout_percentage < ?", everybody).
		Where(placeOfRelease+" > (?, ?)", r.Place(), r.CreatedAt).
		Where("releases.share_salt <> 'release:' || releases.group_id"). // that of the release it replaces
		Where("rollout_executions.id IS NULL").
		Where(behindRelease, r.Place(), r.CreatedAt).
		Order("releases.id"))
	if err != nil {
		return err
	}
	c.disable(retired)
	c.auditDisabled(models.SystemActor("rollout"), retired,
		fmt.Sprintf("release %d, which is newer than what this one repeats, reaches every device", r.ID))
	return nil
}
