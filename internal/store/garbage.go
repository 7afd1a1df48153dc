package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// GarbageCandidates returns the update ids, in lower case, of deleted releases whose
// builds the cleanup deletes unless devices still run them.
func (s *Store) GarbageCandidates(ctx context.Context, projectID int64) (updates []string, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		p, err := oneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return err
		}
		updates = []string{}
		if p.BuildRetentionDays == nil {
			return nil
		}
		return tx.Table("(?) AS candidates", tx.Raw(namesOfReleases+" WHERE releases.build_id IN (?)", outlivedBuilds(tx, p).Table("builds").Select("id"))).
			Order("name").Pluck("name", &updates).Error
	})
	return updates, err
}

// Garbage returns what CollectGarbage would delete now.
func (s *Store) Garbage(ctx context.Context, projectID int64, idle []string) (g models.Garbage, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		p, err := oneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return err
		}
		g = models.Garbage{}
		if g.Builds, err = garbageBuilds(tx, p, idle); err != nil {
			return err
		}
		gone := "SELECT project_id, md5, " + storedBytes + " AS bytes FROM blobs " + unneededBlobs
		if err := countBlobs(tx.Raw("WITH gone AS ("+gone+") "+countGone, projectID, buildIDs(g.Builds), projectID), &g); err != nil {
			return err
		}
		return tx.Table("blob_removals").Where("project_id = ?", projectID).Count(&g.Pending).Error
	})
	return g, err
}

// CollectGarbage deletes the builds past the project's retention that nothing else
// needs, and moves the contents that no build needs then to blob_removals. idle are
// those of the GarbageCandidates that no device ran lately; builds of others stay.
// RemoveBlobs and RemovePatches delete the contents and their patches afterwards.
func (s *Store) CollectGarbage(ctx context.Context, projectID int64, actor models.Actor, idle []string) (g models.Garbage, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		p, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		g = models.Garbage{}
		if g.Builds, err = garbageBuilds(tx, p, idle); err != nil {
			return err
		}
		for _, b := range g.Builds {
			details := buildDetails(b)
			details["reason"] = "cleanup"
			if err := removeBuild(tx, actor, b, details); err != nil {
				return err
			}
		}
		if err := giveUpBlobs(tx, projectID, &g); err != nil {
			return err
		}
		if len(g.Builds) == 0 && g.Blobs == 0 {
			return nil
		}
		if len(g.Builds) > 0 { // whose files are no longer served
			if err := bumpSnapshot(tx, projectID); err != nil {
				return err
			}
		}
		details := map[string]any{"builds": len(g.Builds), "blobs": g.Blobs, "bytes": g.Bytes}
		return audit(tx, projectID, actor, actionGarbage, entityProject, projectID, details)
	})
	return g, err
}

// outlivedBuilds narrows builds to those of p that are older than its retention and
// that no live release needs, nor one that was deleted too recently to know that no
// device runs it. Devices may run an embedded update as long as its binary is installed,
// unknown to Waft: it stays while there are releases of its runtime version, and while
// its binary may not have been published yet.
func outlivedBuilds(tx *gorm.DB, p models.Project) *gorm.DB {
	now := tx.NowFunc()
	lately := now.Add(-models.SeenWithin)
	return tx.
		Where("project_id = ? AND created_at < ?", p.ID, now.Add(-time.Duration(*p.BuildRetentionDays)*24*time.Hour)).
		Where(`NOT EXISTS (SELECT FROM releases WHERE releases.build_id = builds.id AND
			(releases.deleted_at IS NULL OR releases.deleted_at > ?))`, lately).
		Where(`(embedded_update_id IS NULL OR created_at < ? AND NOT EXISTS (SELECT FROM releases r
			WHERE r.project_id = builds.project_id AND r.platform = builds.platform
				AND r.runtime_version = builds.runtime_version AND r.deleted_at IS NULL))`, lately)
}

// garbageBuilds returns the outlivedBuilds of p whose releases are all idle, oldest first.
func garbageBuilds(tx *gorm.DB, p models.Project, idle []string) ([]models.Build, error) {
	if p.BuildRetentionDays == nil {
		return []models.Build{}, nil
	}
	return all[models.Build](outlivedBuilds(tx, p).
		Where(`NOT EXISTS (`+namesOfReleases+` WHERE releases.build_id = builds.id
			AND names.name NOT IN (SELECT unnest(?::text[])))`, arrayOf(idle)).
		Order("id").Limit(models.MaxGarbageBuilds))
}

// namesOfReleases are all update UUIDs, in lower case, that devices know releases by.
const namesOfReleases = `SELECT names.name FROM releases CROSS JOIN LATERAL (
	SELECT releases.update_uuid::text AS name
	UNION ALL SELECT a.update_uuid::text FROM release_aliases a WHERE a.release_id = releases.id) AS names`

func buildIDs(builds []models.Build) []int64 {
	ids := []int64{0} // a list in SQL cannot be empty
	for _, b := range builds {
		ids = append(ids, b.ID)
	}
	return ids
}

// heldBlobs are the MD5 sums that uploads of the project count on.
const heldBlobs = `SELECT jsonb_array_elements_text(md5s) FROM blob_holds WHERE project_id = ? AND expires_at > now()`

// unneededBlobs narrows blobs to those of a project that no build but the given
// ones has and that no upload counts on.
const unneededBlobs = `WHERE blobs.project_id = ?
	AND NOT EXISTS (SELECT FROM build_assets a WHERE a.project_id = blobs.project_id AND a.md5 = blobs.md5 AND a.build_id NOT IN ?)
	AND blobs.md5 NOT IN (` + heldBlobs + `)`

// storedBytes is what a content takes in the asset store with its variants.
const storedBytes = "size_bytes + coalesce(gzip_bytes, 0) + coalesce(brotli_bytes, 0)"

// countGone counts the contents in gone, and what they take with the patches that go
// with them.
const countGone = `SELECT count(*) AS blobs, coalesce(sum(bytes), 0) + (
		SELECT coalesce(sum(p.size_bytes), 0) FROM patches p WHERE p.status = 'offered' AND (
			(p.project_id, p.target_md5) IN (SELECT project_id, md5 FROM gone) OR
			(p.project_id, p.base_md5) IN (SELECT project_id, md5 FROM gone))) AS bytes
	FROM gone`

// countBlobs reads the row of countGone.
func countBlobs(row *gorm.DB, g *models.Garbage) error {
	var gone struct{ Blobs, Bytes int64 }
	if err := row.Scan(&gone).Error; err != nil {
		return err
	}
	g.Blobs, g.Bytes = gone.Blobs, gone.Bytes
	return nil
}

// giveUpBlobs moves the contents that no build needs from blobs to blob_removals, and
// adds what failed uploads may have left in the asset store. Each step is one statement,
// which sees an upload by its hold or by its build.
func giveUpBlobs(tx *gorm.DB, projectID int64, g *models.Garbage) error {
	// The statement sees the patches that the foreign keys take with the contents.
	err := countBlobs(tx.Raw(`WITH gone AS (DELETE FROM blobs `+unneededBlobs+` RETURNING project_id, md5, `+storedBytes+` AS bytes),
		noted AS (INSERT INTO blob_removals SELECT project_id, md5 FROM gone ON CONFLICT DO NOTHING)
		`+countGone, projectID, []int64{0}, projectID), g)
	if err != nil {
		return err
	}
	err = tx.Exec(`WITH failed AS (DELETE FROM blob_holds WHERE project_id = ? AND expires_at <= now() RETURNING md5s),
		left_over AS (SELECT DISTINCT jsonb_array_elements_text(md5s) AS md5 FROM failed)
		INSERT INTO blob_removals SELECT ?, md5 FROM left_over
		WHERE md5 NOT IN (SELECT md5 FROM blobs WHERE project_id = ?) AND md5 NOT IN (`+heldBlobs+`)
		ON CONFLICT DO NOTHING`, projectID, projectID, projectID, projectID).Error
	if err != nil {
		return err
	}
	return tx.Table("blob_removals").Where("project_id = ?", projectID).Count(&g.Pending).Error
}
