package releasestore

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// everybody is the rollout percentage that includes every device.
const everybody = 100

var releaseList = pg.List{
	Table: "releases", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"branchName": pg.ByText("branches.name"), "channel": pg.ByText("coalesce(releases.channel, '')"),
		"createdAt": pg.ByTime("releases.created_at"), "isEnabled": pg.ByBool("releases.is_enabled"),
		"platform": pg.ByText("releases.platform"), "releaseMessage": pg.ByText("left(releases.release_message, 100)"),
		"rolloutPercentage": pg.ByNumber("releases.rollout_percentage"), "runtimeVersion": pg.ByText("releases.runtime_version"),
		"sizeBytes": pg.ByNumber("releases.size_bytes"), "updatedAt": pg.ByTime("releases.updated_at"),
	},
	Matches: `search_words(releases.project_id, ARRAY['#' || releases.id::text, '=' || releases.update_uuid::text,
		'~' || releases.git_commit_hash], releases.release_message, releases.runtime_version, releases.git_branch) @@ search_query(?, ?)`,
	Texts: []string{"releases.release_message", "releases.runtime_version", "releases.git_branch"},
}

// ListReleases returns a page of the project's live releases, newest first.
func (s *Releases) ListReleases(
	ctx context.Context, projectID int64, f models.ReleaseFilter, page models.Page,
) ([]models.Release, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Release, error) {
		q := selectShown(tx).Where("releases.deleted_at IS NULL")
		if f.Branch != "" {
			b, err := branchNamed(tx, projectID, f.Branch)
			if models.CodeOf(err) == models.CodeNotFound {
				return []models.Release{}, nil // as with other filters that do not match
			}
			if err != nil {
				return nil, err
			}
			q = q.Where("releases.branch_id = ?", b.ID)
		}
		q = pg.WhereSet(q, "releases.channel", f.Channel)
		q = pg.WhereSet(q, "releases.platform", string(f.Platform))
		q = pg.WhereSet(q, "releases.runtime_version", f.RuntimeVersion)
		q = pg.WhereSet(q, "releases.kind", string(f.Kind))
		if f.GroupID != nil {
			q = q.Where("releases.group_id = ?", *f.GroupID)
		}
		if f.IsEnabled != nil {
			q = q.Where("releases.is_enabled = ?", *f.IsEnabled)
		}
		if f.OtherFilesThan != 0 {
			narrowed, found, err := withOtherFiles(tx, q, projectID, f.OtherFilesThan)
			if err != nil || !found {
				return []models.Release{}, err
			}
			q = narrowed
		}
		if f.FlagID != 0 {
			q = linking(q, projectID, f, page)
		}
		return pg.Rows[models.Release](q, releaseList, projectID, page)
	})
}

// linking narrows q to the releases that link the flag of a filter. For a plain page, it reads only the releases on the page.
// Postgres plans a join as if it read all of them.
func linking(q *gorm.DB, projectID int64, f models.ReleaseFilter, page models.Page) *gorm.DB {
	if page.Order() != "" || page.Counts() || f != (models.ReleaseFilter{FlagID: f.FlagID}) {
		return q.Joins("JOIN release_flags ON release_flags.project_id = releases.project_id AND release_flags.release_id = releases.id "+
			"AND release_flags.flag_id = ?", f.FlagID)
	}
	before := int64(math.MaxInt64)
	if page.Before > 0 {
		before = page.Before
	}
	return q.Where(`releases.id = ANY (ARRAY(
		SELECT l.release_id FROM release_flags AS l CROSS JOIN LATERAL
			(SELECT FROM releases WHERE releases.id = l.release_id AND deleted_at IS NULL OFFSET 0) AS live
		WHERE l.flag_id = ? AND l.project_id = ? AND l.release_id < ? ORDER BY l.release_id DESC LIMIT ?))`,
		f.FlagID, projectID, before, pg.LimitOf(page.Limit))
}

// Release returns one live release.
func (s *Releases) Release(ctx context.Context, projectID, id int64) (models.Release, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Release, error) {
		return shownRelease(tx, projectID, id)
	})
}

// UpdateRelease changes the set fields of a live release. The rollout percentage cannot be set while a rollout is open.
func (s *Releases) UpdateRelease(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.ReleasePatch,
) (models.Release, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, patch, func(c *unit.Change) (models.Release, error) {
		before, err := shownRelease(c.Tx, projectID, id)
		if err != nil {
			return before, err
		}
		c.Match(id, before)
		if patch.RolloutPercentage != nil {
			if err := checkNotRollingOut(before); err != nil {
				return before, err
			}
		}
		r := patchRelease(before, patch)
		changes := unit.MapDiff(releaseFields(before), releaseFields(r))
		if err := patchLinks(c, &r, patch.LinkedFlags, changes); err != nil {
			return r, err
		}
		if len(changes) == 0 {
			return r, unit.ErrUnchanged
		}
		saveRelease(c, before, &r)
		if err := tellRollout(c, before, r); err != nil {
			return r, err
		}
		askForRelease(c, before, r, changes)
		if patch.Reason != "" {
			changes["reason"] = patch.Reason
		}
		if before.IsEnabled && !r.IsEnabled {
			r.Disabling = disablingBy(c, patch.Reason)
		} else if r.IsEnabled {
			r.Disabling = nil
		}
		c.Audit("update.patched", "update", id, changes)
		return r, nil
	})
}

// askForRelease requires approval for a change of a release, unless the change only disables it or lowers its rollout
// percentage.
func askForRelease(c *unit.Change, before, after models.Release, changes unit.Diff) {
	less := true
	for field := range changes {
		switch field {
		case "isEnabled":
			less = less && !after.IsEnabled
		case "rolloutPercentage":
			less = less && after.RolloutPercentage < before.RolloutPercentage
		default:
			less = false
		}
	}
	on := unit.ChannelsOfBranches(before.BranchID)
	e := unit.Effect{
		On: on, Basis: []any{before.ID, changes, contentFacts(after)},
		Summary: fmt.Sprintf("change %s: %s", releaseName(before), unit.ChangesSummary(changes)),
	}
	if less {
		c.RequireApprovalOfNew(e) // fewer devices get the release; the others get an older one
		return
	}
	c.RequireApproval(e)
}

// tellRollout informs the open rollout of a release, if there is one, that a person changed the release's linked flags
// or disabled the release. Disabling it pauses the rollout, because a stage in which the release is not served proves
// nothing.
func tellRollout(c *unit.Change, before, after models.Release) error {
	relinked := !reflect.DeepEqual(before.LinkedFlags, after.LinkedFlags)
	disabled := before.IsEnabled && !after.IsEnabled
	if before.RolloutExecutionID == nil || !relinked && !disabled {
		return nil
	}
	e, err := executionByID(c.Tx.Clauses(pg.ForUpdate), before.ProjectID, *before.RolloutExecutionID)
	if err != nil {
		return err
	}
	if relinked {
		tellRelinked(c, e, before.LinkedFlags, after.LinkedFlags, "linked flags changed by "+c.Actor.Shown())
	}
	if disabled {
		c.Enqueue(models.OutboxRolloutDisabled, models.RolloutDisabled{
			WorkflowID: e.WorkflowID, ProjectID: e.ProjectID, ReleaseID: after.ID, ReleaseMessage: after.ReleaseMessage,
			Actor: c.Actor,
		})
	}
	return nil
}

func patchRelease(r models.Release, patch models.ReleasePatch) models.Release {
	models.Assign(&r.IsEnabled, patch.IsEnabled)
	models.Assign(&r.IsCritical, patch.IsCritical)
	models.Assign(&r.RolloutPercentage, patch.RolloutPercentage)
	models.Assign(&r.ReleaseMessage, patch.ReleaseMessage)
	return r
}

// releaseFields returns the fields of a release that a patch can change.
func releaseFields(r models.Release) map[string]any {
	return map[string]any{
		"isEnabled": r.IsEnabled, "isCritical": r.IsCritical, "rolloutPercentage": r.RolloutPercentage,
		"releaseMessage": r.ReleaseMessage,
	}
}

// saveRelease writes the fields of a release that may change and keeps the greatest percentage that it has reached. If
// it now reaches every device, saveRelease ends older rollouts.
func saveRelease(c *unit.Change, before models.Release, r *models.Release) {
	if r.IsEnabled {
		r.ReachedPercentage = max(r.ReachedPercentage, r.RolloutPercentage)
	}
	r.UpdatedAt = c.Now()
	c.Update(r, "IsEnabled", "IsCritical", "RolloutPercentage", "ReachedPercentage", "ReleaseMessage", "UpdatedAt")
	if reachesEverybody(*r) && !reachesEverybody(before) {
		supersedeOlder(c, *r)
	}
}

// reachesEverybody reports whether devices are served r or something newer.
func reachesEverybody(r models.Release) bool {
	return r.DeletedAt == nil && r.IsEnabled && r.RolloutPercentage == everybody
}

// DeleteRelease deletes a release: it is not served to devices again. The row remains.
func (s *Releases) DeleteRelease(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		r, err := liveRelease(c.Tx, projectID, id)
		if err != nil {
			return err
		}
		c.Match(id, r)
		if err := checkNotRollingOut(r); err != nil {
			return err
		}
		r.DeletedAt = new(c.Now())
		c.Update(&r, "DeletedAt")
		c.RequireApprovalOfNew(unit.Effect{
			On: unit.ChannelsOfBranches(r.BranchID), Basis: r.ID, Summary: "delete " + releaseName(r),
		})
		c.Audit("update.deleted", "update", id, releaseDetails(r))
		return nil
	})
}

func checkNotRollingOut(r models.Release) error {
	if r.RolloutExecutionID == nil {
		return nil
	}
	return models.Errorf(models.CodeRolloutInProgress, "%s is being rolled out by rollout %d; cancel that rollout first",
		r.Phrase(), *r.RolloutExecutionID)
}

func liveRelease(tx *gorm.DB, projectID, id int64) (models.Release, error) {
	return pg.One[models.Release](SelectReleases(tx).
		Where("releases.project_id = ? AND releases.id = ? AND releases.deleted_at IS NULL", projectID, id), "release %d", id)
}

// shownRelease returns a live release with its disabling.
func shownRelease(tx *gorm.DB, projectID, id int64) (models.Release, error) {
	return pg.One[models.Release](selectShown(tx).
		Where("releases.project_id = ? AND releases.id = ? AND releases.deleted_at IS NULL", projectID, id), "release %d", id)
}

// SelectReleases returns a query for releases with the names of their branches and the IDs of their open rollouts.
func SelectReleases(tx *gorm.DB) *gorm.DB { return selectReleases(tx, "") }

// selectShown returns the query of SelectReleases, with the disabling of each disabled release.
func selectShown(tx *gorm.DB) *gorm.DB { return selectReleases(tx, disablingColumn) }

func selectReleases(tx *gorm.DB, more string) *gorm.DB {
	return tx.Model(&models.Release{}).
		Select("releases.*, branches.name AS branch_name, rollout_executions.id AS rollout_execution_id, "+
			"(SELECT release_message FROM releases AS origin WHERE origin.id = releases.republished_from_id) AS republished_from_message, "+
			unit.LinkedFlagsColumn+more).
		Joins("JOIN branches ON branches.id = releases.branch_id").
		Joins("LEFT JOIN rollout_executions ON rollout_executions.update_id = releases.id AND rollout_executions.status IN ?", OpenStatuses)
}

// releaseDetails returns the audit log's representation of a new or deleted release.
func releaseDetails(r models.Release) map[string]any {
	details := releaseFields(r)
	details["updateUuid"], details["groupId"], details["buildId"] = r.UpdateUUID, r.GroupID, r.BuildID
	details["branchName"], details["channel"] = r.BranchName, r.Channel
	details["platform"], details["runtimeVersion"], details["kind"] = r.Platform, r.RuntimeVersion, r.Kind
	details["linkedFlags"] = linkDetails(r.LinkedFlags)
	return details
}
