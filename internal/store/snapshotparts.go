package store

import (
	"strconv"
	"unique"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// deletedInSnapshot is how many deleted releases a snapshot holds: devices may
// still have them stored and must be told to leave them.
const deletedInSnapshot = 50

// keyed narrows q to the records whose column, of the given type, is one of keys; with
// nil it keeps all. The keys are one array parameter, whose length the planner knows,
// unlike that of a list in JSON.
func keyed(q *gorm.DB, column, typ string, keys []string) *gorm.DB {
	if keys == nil {
		return q
	}
	return q.Where(column+" = ANY (?::"+typ+"[])", arrayOf(keys))
}

func snapshotBranches(tx *gorm.DB, projectID int64) ([]models.Branch, error) {
	return all[models.Branch](tx.Where("project_id = ? AND deleted_at IS NULL", projectID).Order("id"))
}

func snapshotChannels(tx *gorm.DB, projectID int64) ([]models.Channel, error) {
	return all[models.Channel](selectChannels(tx).Where("channels.project_id = ?", projectID).Order("channels.id"))
}

// snapshotOverrides are by user id. keys are user ids.
func snapshotOverrides(tx *gorm.DB, projectID int64, keys []string) (map[string]int64, error) {
	rows, err := all[struct {
		UserID   string
		BranchID int64
	}](keyed(tx.Table("user_overrides").Select("user_id", "branch_id").Where("project_id = ?", projectID), "user_id", "text", keys))
	overrides := make(map[string]int64, len(rows))
	for _, o := range rows {
		overrides[o.UserID] = o.BranchID
	}
	return overrides, err
}

// snapshotReleases are all live releases and the newest deleted ones, by
// NewestFirst. keys are ids; with them, these releases alone, however old when they
// are deleted.
func snapshotReleases(tx *gorm.DB, projectID int64, keys []string) ([]*models.Release, error) {
	q := tx.Model(&models.Release{}).Omit("git_commit_hash", "git_branch").
		Select("releases.*, branches.name AS branch_name, "+linkedFlagsColumn).
		Joins("JOIN branches ON branches.id = releases.branch_id").
		Where("releases.project_id = ?", projectID).Order(newestFirst)
	if keys == nil {
		deleted := tx.Table("releases").Select("id").Where("project_id = ? AND deleted_at IS NOT NULL", projectID).
			Order("id DESC").Limit(deletedInSnapshot)
		q = q.Where("(releases.deleted_at IS NULL OR releases.id IN (?))", deleted)
	}
	releases, err := all[*models.Release](keyed(q, "releases.id", "bigint", keys))
	for _, r := range releases {
		slim(r)
	}
	return releases, err
}

// slim keeps a release small in memory: it drops what no device is told, and shares the
// texts that many releases have.
func slim(r *models.Release) {
	r.GitCommitHash, r.GitBranch = "", ""
	r.Platform, r.Kind = interned(r.Platform), interned(r.Kind)
	r.RuntimeVersion, r.BranchName, r.ReleaseMessage = interned(r.RuntimeVersion), interned(r.BranchName), interned(r.ReleaseMessage)
	if r.Channel != nil {
		*r.Channel = interned(*r.Channel)
	}
}

// interned returns the one copy of a text that all holders share.
func interned[T comparable](text T) T { return unique.Make(text).Value() }

// snapshotBuilds are the builds of the releases that can be an answer, with their
// files: those that are in before from there.
func snapshotBuilds(tx *gorm.DB, releases []*models.Release, before map[int64]*models.Build) (map[int64]*models.Build, error) {
	builds, missing := map[int64]*models.Build{}, []string{}
	for _, r := range models.Answers(releases) {
		if r.BuildID == nil || builds[*r.BuildID] != nil {
			continue
		}
		b := before[*r.BuildID]
		if b == nil {
			b = &models.Build{ID: *r.BuildID}
			missing = append(missing, strconv.FormatInt(b.ID, 10))
		}
		builds[b.ID] = b
	}
	if len(missing) == 0 {
		return builds, nil
	}
	rows, err := all[models.Build](keyed(tx.Select("id", "project_id", "uuid", "platform", "runtime_version", "client_config"),
		"id", "bigint", missing))
	if err != nil {
		return nil, err
	}
	for i := range rows {
		*builds[rows[i].ID] = rows[i]
	}
	assets, err := all[models.BuildAsset](keyed(tx, "build_id", "bigint", missing).Order("build_id, path COLLATE \"C\""))
	for _, a := range assets {
		b := builds[a.BuildID]
		b.Assets = append(b.Assets, a)
	}
	return builds, err
}

// snapshotBlobs are the files that a build has. keys are MD5s. The first build that
// has a file says its content type, a launch asset before any other.
func snapshotBlobs(tx *gorm.DB, projectID int64, keys []string) ([]models.Blob, error) {
	q := tx.Table("blobs").Select("blobs.*, first.content_type").
		Joins(`CROSS JOIN LATERAL (SELECT content_type FROM build_assets a WHERE a.project_id = blobs.project_id AND a.md5 = blobs.md5
			ORDER BY a.is_launch_asset DESC, a.build_id LIMIT 1) first`).
		Where("blobs.project_id = ?", projectID)
	return all[models.Blob](keyed(q, "blobs.md5", "text", keys))
}

// snapshotAliases are in the order of their commit times. keys are update UUIDs.
func snapshotAliases(tx *gorm.DB, projectID int64, keys []string) ([]models.ReleaseAlias, error) {
	return all[models.ReleaseAlias](keyed(tx.Where("project_id = ?", projectID), "update_uuid", "uuid", keys).Order("created_at"))
}

// openWorkflows maps releases with an open execution to its workflow.
func openWorkflows(tx *gorm.DB, projectID int64) (map[int64]string, error) {
	var open []struct {
		UpdateID   int64
		WorkflowID string
	}
	err := tx.Table("rollout_executions").Select("update_id, workflow_id").
		Where("project_id = ? AND status IN ?", projectID, openStatuses).Find(&open).Error
	workflows := make(map[int64]string, len(open))
	for _, e := range open {
		workflows[e.UpdateID] = e.WorkflowID
	}
	return workflows, err
}
