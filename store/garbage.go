package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// GarbageCandidates are the update UUIDs, in lower case, of deleted releases whose
// builds could be garbage unless devices still run them.
func (s *Store) GarbageCandidates(ctx context.Context, projectID int64) (updates []string, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		p, err := oneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return err
		}
		builds, err := garbageBuilds(tx, p, nil)
		if err != nil {
			return err
		}
		updates = []string{}
		return tx.Table("releases").Where("build_id IN ?", buildIDs(builds)).Order("id").Pluck("update_uuid::text", &updates).Error
	})
	return updates, err
}

// Garbage returns what CollectGarbage would take now.
func (s *Store) Garbage(ctx context.Context, projectID int64, seen []string) (g models.Garbage, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		p, err := oneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return err
		}
		g = models.Garbage{}
		if g.Builds, err = garbageBuilds(tx, p, seen); err != nil {
			return err
		}
		var blobs struct{ Blobs, Bytes int64 }
		err = tx.Raw("SELECT count(*) AS blobs, coalesce(sum(size_bytes), 0) AS bytes FROM blobs "+unneededBlobs,
			projectID, buildIDs(g.Builds), projectID).Scan(&blobs).Error
		if err != nil {
			return err
		}
		g.Blobs, g.Bytes = blobs.Blobs, blobs.Bytes
		return tx.Table("blob_removals").Where("project_id = ?", projectID).Count(&g.Pending).Error
	})
	return g, err
}

// CollectGarbage deletes the builds that the project's retention and nothing else
// says to keep no longer, and gives up the contents that no build needs then. seen
// are update UUIDs, in lower case, that devices ran lately. The contents themselves
// go with RemoveBlobs, after this transaction has proven that nobody needs them.
func (s *Store) CollectGarbage(ctx context.Context, projectID int64, actor models.Actor, seen []string) (g models.Garbage, err error) {
	// Contents are removed next, so what proves them unneeded must be committed.
	ctx = outside(ctx)
	err = s.write(ctx, func(tx *gorm.DB) error {
		p, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		g = models.Garbage{}
		if g.Builds, err = garbageBuilds(tx, p, seen); err != nil {
			return err
		}
		for _, b := range g.Builds {
			details := buildDetails(b)
			details["reason"] = "garbage collection"
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
		details := map[string]any{"builds": len(g.Builds), "blobs": g.Blobs, "bytes": g.Bytes}
		return audit(tx, projectID, actor, actionGarbage, entityProject, projectID, details)
	})
	return g, err
}

// garbageBuilds are the builds of p, oldest first, that are older than its
// retention, and that neither a live release needs, nor one that was deleted too
// lately to say that no device runs it, nor one of those seen.
func garbageBuilds(tx *gorm.DB, p models.Project, seen []string) ([]models.Build, error) {
	if p.BuildRetentionDays == nil {
		return []models.Build{}, nil
	}
	now := tx.NowFunc()
	return all[models.Build](tx.
		Where("project_id = ? AND created_at < ?", p.ID, now.Add(-time.Duration(*p.BuildRetentionDays)*24*time.Hour)).
		Where(`NOT EXISTS (SELECT FROM releases WHERE releases.build_id = builds.id AND
			(releases.deleted_at IS NULL OR releases.deleted_at > ? OR releases.update_uuid::text IN ?))`,
			now.Add(-models.SeenWithin), append([]string{""}, seen...)).
		Order("id").Limit(models.MaxGarbageBuilds))
}

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

// giveUpBlobs moves the contents that nobody needs from blobs to blob_removals,
// and adds what uploads that failed may have left in the asset store. Each step is
// one statement: it sees an upload either by its hold or by its build.
func giveUpBlobs(tx *gorm.DB, projectID int64, g *models.Garbage) error {
	var gone struct{ Blobs, Bytes int64 }
	err := tx.Raw(`WITH gone AS (DELETE FROM blobs `+unneededBlobs+` RETURNING project_id, md5, size_bytes),
		noted AS (INSERT INTO blob_removals SELECT project_id, md5 FROM gone ON CONFLICT DO NOTHING)
		SELECT count(*) AS blobs, coalesce(sum(size_bytes), 0) AS bytes FROM gone`,
		projectID, []int64{0}, projectID).Scan(&gone).Error
	if err != nil {
		return err
	}
	g.Blobs, g.Bytes = gone.Blobs, gone.Bytes
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
