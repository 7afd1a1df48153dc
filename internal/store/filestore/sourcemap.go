package filestore

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// PutSourceMap adds a source map to a build, or replaces its present one, and returns the build. The map's file is
// already in the asset bucket.
func (s *Files) PutSourceMap(
	ctx context.Context, projectID int64, actor models.Actor, buildID int64, n models.NewSourceMap,
) (models.Build, error) {
	var b models.Build
	err := s.units.Edit(ctx, projectID, actor, func(c *unit.Change) (err error) {
		c.Alone(unit.Files)
		if b, err = BuildByID(c.Tx.Clauses(pg.ForChange), projectID, buildID); err != nil {
			return err
		}
		if err := addMapBlob(c, projectID, n); err != nil {
			return err
		}
		before, err := pg.All[models.SourceMap](c.Tx.Where("build_id = ?", b.ID))
		if err != nil {
			return err
		}
		for _, m := range before {
			b.SizeBytes -= m.SizeBytes
		}
		b.SizeBytes += n.SizeBytes
		b.NewBytes = min(b.NewBytes, b.SizeBytes)
		m := models.SourceMap{BuildID: b.ID, ProjectID: projectID, MD5: n.MD5, SizeBytes: n.SizeBytes, CreatedAt: c.Now()}
		c.Do(func() error {
			return c.Tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "build_id"}}, UpdateAll: true}).Create(&m).Error
		})
		c.Exec("UPDATE builds SET size_bytes = ?, new_bytes = ? WHERE id = ?", b.SizeBytes, b.NewBytes, b.ID)
		c.NoDeviceImpact() // a source map is not served
		details := buildDetails(b)
		details["sourceMapBytes"] = n.SizeBytes
		c.Audit("build.source_map_added", "build", b.ID, details)
		return endHold(c, n.HoldID)
	})
	if err != nil {
		return b, err
	}
	return s.Build(ctx, projectID, buildID)
}

// DeleteSourceMap removes the source map of a build. Cleanup deletes its file.
func (s *Files) DeleteSourceMap(ctx context.Context, projectID int64, actor models.Actor, buildID int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		b, err := BuildByID(c.Tx.Clauses(pg.ForChange), projectID, buildID)
		if err != nil {
			return err
		}
		m, err := pg.OneOr[models.SourceMap](c.Tx.Where("build_id = ?", b.ID),
			models.Errorf(models.CodeNotFound, "build %d does not have a source map", b.ID))
		if err != nil {
			return err
		}
		b.SizeBytes -= m.SizeBytes
		b.NewBytes = min(b.NewBytes, b.SizeBytes)
		c.Exec("DELETE FROM source_maps WHERE build_id = ?", b.ID)
		c.Exec("UPDATE builds SET size_bytes = ?, new_bytes = ? WHERE id = ?", b.SizeBytes, b.NewBytes, b.ID)
		c.NoDeviceImpact() // a source map is not served
		details := buildDetails(b)
		details["sourceMapBytes"] = m.SizeBytes
		c.Audit("build.source_map_deleted", "build", b.ID, details)
		return nil
	})
}

// addMapBlob records the file of a source map. It fails if the project may not store the file.
func addMapBlob(c *unit.Change, projectID int64, n models.NewSourceMap) error {
	added, err := addBlobs(c.Tx, projectID, []Blob{{MD5: n.MD5, SHA256: n.SHA256, SizeBytes: n.SizeBytes, InBuild: true}})
	if err != nil {
		return err
	}
	if len(added) > 0 {
		return checkBuildBytes(c, 0)
	}
	known, err := knownBlobs(c.Tx, projectID, []string{n.MD5})
	if err != nil {
		return err
	}
	return checkMapCollision(&n, known)
}

// checkMapCollision refuses a source map whose MD5 belongs to another file in known, which maps MD5 to SHA-256.
func checkMapCollision(m *models.NewSourceMap, known map[string]string) error {
	if m == nil || known[m.MD5] == "" || known[m.MD5] == m.SHA256 {
		return nil
	}
	var p models.Problems
	p.Add("sourcemap", "has the MD5 %s of another file with different content", m.MD5)
	return p.Err()
}

// SourceMap returns the MD5 of the source map of the code that a device runs, or "" if it is not known. It looks for
// the release with the update ID, or for the build of that embedded update. A device that does not report an update ID
// runs the embedded update of its runtime version, which is known only if there is exactly one such build.
func (s *Files) SourceMap(ctx context.Context, projectID int64, u models.RunningUpdate) (md5 string, err error) {
	err = s.db.ReadOne(ctx, func(db *gorm.DB) error {
		if u.UpdateUUID != "" {
			return db.Raw(`SELECT m.md5 FROM source_maps m WHERE m.project_id = @project AND m.build_id = coalesce(
					(SELECT build_id FROM releases WHERE project_id = @project AND update_uuid = CAST(@update AS uuid)),
					(SELECT r.build_id FROM release_aliases a JOIN releases r ON r.id = a.release_id
						WHERE r.project_id = @project AND a.update_uuid = CAST(@update AS uuid)),
					(SELECT id FROM builds WHERE project_id = @project AND embedded_update_id = CAST(@update AS uuid)))`,
				map[string]any{"project": projectID, "update": u.UpdateUUID}).Scan(&md5).Error
		}
		var found []string
		err := db.Raw(`SELECT coalesce(m.md5, '') FROM builds b LEFT JOIN source_maps m ON m.build_id = b.id
			WHERE b.project_id = ? AND b.embedded_update_id IS NOT NULL AND b.platform = ? AND b.runtime_version = ? LIMIT 2`,
			projectID, u.Platform, u.RuntimeVersion).Scan(&found).Error
		if len(found) == 1 {
			md5 = found[0]
		}
		return err
	})
	return md5, err
}
