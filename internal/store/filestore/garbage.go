package filestore

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// GarbageCandidates returns the update IDs, in lower case, of deleted releases whose builds cleanup will delete unless
// devices still run them.
func (s *Files) GarbageCandidates(ctx context.Context, projectID int64) ([]string, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]string, error) {
		updates := []string{}
		p, err := unit.OneProject(tx.Where("id = ?", projectID))
		if err != nil || p.BuildRetentionDays == nil {
			return updates, err
		}
		names := tx.Raw(namesOfReleases+" WHERE releases.build_id IN (?)", outlivedBuilds(tx, p).Table("builds").Select("id"))
		err = tx.Table("(?) AS candidates", names).Order("name").Pluck("name", &updates).Error
		return updates, err
	})
}

// Garbage returns what CollectGarbage would delete now.
func (s *Files) Garbage(ctx context.Context, projectID int64, idle []string) (models.Garbage, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (g models.Garbage, err error) {
		p, err := unit.OneProject(tx.Where("id = ?", projectID))
		if err != nil {
			return g, err
		}
		if g.Builds, err = garbageBuilds(tx, p, idle); err != nil {
			return g, err
		}
		builds := []int64{0} // a list in SQL cannot be empty
		for _, b := range g.Builds {
			builds = append(builds, b.ID)
		}
		gone := "SELECT project_id, md5, " + storedBytes + " AS bytes FROM blobs " + unneededBlobs
		if err := tx.Raw("WITH gone AS ("+gone+") "+countGone, projectID, builds, builds, projectID).Row().Scan(&g.Blobs, &g.Bytes); err != nil {
			return g, err
		}
		if err := countExpired(tx, projectID, &g); err != nil {
			return g, err
		}
		g.Pending, err = pendingRemovals(tx, projectID)
		return g, err
	})
}

// CollectGarbage deletes builds that are past the project's retention and no longer needed. In a second transaction, it
// moves the files that builds no longer need to blob_removals. idle lists the GarbageCandidates that devices have not
// run recently; builds of other candidates are kept. Afterwards, RemoveBlobs and RemovePatches delete the files and
// their patches.
func (s *Files) CollectGarbage(
	ctx context.Context, projectID int64, actor models.Actor, idle []string,
) (g models.Garbage, err error) {
	// A concurrent publish either uses a build in time or finds that it is deleted.
	err = s.units.ChangeServed(ctx, projectID, actor, func(c *unit.Change) error {
		if g.Builds, err = garbageBuilds(c.Tx, c.Project, idle); err != nil {
			return err
		}
		for _, b := range g.Builds {
			details := buildDetails(b)
			details["reason"] = "cleanup"
			removeBuild(c, b, details)
		}
		c.NoDeviceImpact() // releases do not need these builds
		return unit.Refusal(len(g.Builds) == 0, unit.ErrUnchanged)
	})
	if err != nil {
		return g, err
	}
	err = s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		g = models.Garbage{Builds: g.Builds}
		c.Alone(unit.Files)
		if err := giveUpBlobs(c, &g); err != nil {
			return err
		}
		if err := countExpired(c.Tx, projectID, &g); err != nil {
			return err
		}
		if len(g.Builds) > 0 || g.Blobs > 0 || g.Partials > 0 {
			details := map[string]any{"builds": len(g.Builds), "blobs": g.Blobs, "partialFiles": g.Partials, "bytes": g.Bytes}
			c.Audit("gc.run", "project", projectID, details)
		}
		if g.Blobs > 0 { // these files are no longer served
			c.BumpSnapshot()
			c.NoDeviceImpact() // releases do not need these files
		}
		return nil
	})
	return g, err
}

// outlivedBuilds narrows builds to the builds of p that are past its retention and not needed. A build is needed by a
// live release, and by a release deleted so recently that devices may still run it. Waft cannot see for how long a
// binary, and with it an embedded update, stays installed. Therefore the build of an embedded update is kept while its
// runtime version has releases, and while the binary may not have been published yet.
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
	return pg.All[models.Build](outlivedBuilds(tx, p).
		Where(`NOT EXISTS (`+namesOfReleases+` WHERE releases.build_id = builds.id
			AND names.name NOT IN (SELECT unnest(?::text[])))`, pg.ArrayOf(idle)).
		Order("id").Limit(models.MaxGarbageBuilds))
}

// namesOfReleases selects all update UUIDs, in lower case, by which devices know releases.
const namesOfReleases = `SELECT names.name FROM releases CROSS JOIN LATERAL (
	SELECT releases.update_uuid::text AS name
	UNION ALL SELECT a.update_uuid::text FROM release_aliases a WHERE a.release_id = releases.id) AS names`

// heldBlobs selects the MD5 sums that uploads of the project hold.
const heldBlobs = `SELECT jsonb_array_elements_text(md5s) FROM blob_holds WHERE project_id = ? AND expires_at > now()`

// unneededBlobs selects blobs that only the given builds use and that uploads do not hold.
const unneededBlobs = `WHERE blobs.project_id = ?
	AND NOT EXISTS (SELECT FROM build_assets a WHERE a.project_id = blobs.project_id AND a.md5 = blobs.md5 AND a.build_id NOT IN ?)
	AND NOT EXISTS (SELECT FROM source_maps m WHERE m.project_id = blobs.project_id AND m.md5 = blobs.md5 AND m.build_id NOT IN ?)
	AND NOT EXISTS (SELECT FROM blob_promises p WHERE p.project_id = blobs.project_id AND p.md5 = blobs.md5 AND p.until > now())
	AND blobs.md5 NOT IN (` + heldBlobs + `)`

// storedBytes is the size of a file in the asset bucket including its variants.
const storedBytes = "size_bytes + coalesce(gzip_bytes, 0) + coalesce(brotli_bytes, 0)"

// countGone counts the blobs in gone, and their bytes including the bytes of their patches.
const countGone = `SELECT count(*) AS blobs, coalesce(sum(bytes), 0) + (
		SELECT coalesce(sum(p.size_bytes), 0) FROM patches p WHERE p.status = 'offered' AND (
			(p.project_id, p.target_md5) IN (SELECT project_id, md5 FROM gone) OR
			(p.project_id, p.base_md5) IN (SELECT project_id, md5 FROM gone))) AS bytes
	FROM gone`

// giveUpBlobs moves the files that builds do not need from blobs to blob_removals. It also adds files that failed
// uploads may have left in the asset bucket. Each step is one statement, which sees a concurrent upload either by its
// hold or by its build.
func giveUpBlobs(c *unit.Change, g *models.Garbage) error {
	id := c.Project.ID
	// The count includes the patches that the foreign keys delete together with the blobs.
	err := c.Tx.Raw(`WITH gone AS (DELETE FROM blobs `+unneededBlobs+` RETURNING project_id, md5, `+storedBytes+` AS bytes),
		moved AS (INSERT INTO blob_removals SELECT project_id, md5 FROM gone ON CONFLICT DO NOTHING)
		`+countGone, id, []int64{0}, []int64{0}, id).Row().Scan(&g.Blobs, &g.Bytes)
	if err != nil {
		return err
	}
	c.Exec(`WITH failed AS (DELETE FROM blob_holds WHERE project_id = ? AND expires_at <= now() RETURNING md5s),
		left_over AS (SELECT DISTINCT jsonb_array_elements_text(md5s) AS md5 FROM failed)
		INSERT INTO blob_removals SELECT ?, md5 FROM left_over
		WHERE md5 NOT IN (SELECT md5 FROM blobs WHERE project_id = ?) AND md5 NOT IN (`+heldBlobs+`)
		ON CONFLICT DO NOTHING`, id, id, id, id)
	g.Pending, err = pendingRemovals(c.Tx, id)
	return err
}

// pendingRemovals counts the files that are waiting to be deleted from the asset bucket.
func pendingRemovals(tx *gorm.DB, projectID int64) (n int64, err error) {
	err = tx.Table("blob_removals").Where("project_id = ?", projectID).Count(&n).Error
	return n, err
}

// A batch of removals is small, because an upload may have to wait for it.
const (
	removalBatch    = 64
	removalTogether = 8
)

// RemoveBlobs calls remove for every file in the project's blob_removals until none is left or remove fails. It returns
// the number of removed files. remove must succeed for a file that no longer exists. Several processes may call
// RemoveBlobs at the same time; an upload that needs one of the files waits for the batch in progress.
func (s *Files) RemoveBlobs(
	ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error,
) (removed int64, err error) {
	return s.removeAll(ctx, projectID, "blob_removals", "md5", "true",
		func(ctx context.Context, r removal) error { return remove(ctx, r.MD5) })
}

// RemovePatches does the same as RemoveBlobs for patch_removals. BeginPatches waits for the batch in progress.
func (s *Files) RemovePatches(
	ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error,
) error {
	_, err := s.removeAll(ctx, projectID, "patch_removals", "target_md5, base_md5", "true",
		func(ctx context.Context, r removal) error { return remove(ctx, r.TargetMD5, r.BaseMD5) })
	return err
}

// RemovePartialFiles does the same as RemoveBlobs for the parts of files that have expired.
func (s *Files) RemovePartialFiles(ctx context.Context, projectID int64, remove func(ctx context.Context, id int64) error) error {
	_, err := s.removeAll(ctx, projectID, "partial_files", "id", "expires_at <= now()",
		func(ctx context.Context, r removal) error { return remove(ctx, r.ID) })
	return err
}

// removal is a row of blob_removals, patch_removals or partial_files.
type removal struct {
	Ctid      string
	ID        int64
	MD5       string `gorm:"column:md5"`
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
}

// removeAll removes the objects named by the due rows of a table, batch after batch. It locks the rows until the
// objects are removed, and skips rows that another process has locked.
func (s *Files) removeAll(
	ctx context.Context, projectID int64, table, key, due string, remove func(ctx context.Context, r removal) error,
) (removed int64, err error) {
	for {
		var batch []removal
		err := s.db.InTx(ctx, func(tx *gorm.DB) error {
			batch = nil
			err := tx.Raw("SELECT ctid::text, "+key+" FROM "+table+" WHERE project_id = ? AND "+due+
				" ORDER BY "+key+" LIMIT ? FOR UPDATE SKIP LOCKED", projectID, removalBatch).Scan(&batch).Error
			if err != nil {
				return err
			}
			removing, ctx := errgroup.WithContext(ctx)
			removing.SetLimit(removalTogether)
			for _, r := range batch {
				removing.Go(func() error { return remove(ctx, r) })
			}
			if err := removing.Wait(); err != nil {
				return err
			}
			rows := pg.ArrayOf(pg.Each(batch, func(r removal) string { return r.Ctid }))
			return tx.Exec("DELETE FROM "+table+" WHERE ctid = ANY (?::tid[])", rows).Error
		})
		if err != nil || len(batch) == 0 {
			return removed, err
		}
		removed += int64(len(batch))
	}
}
