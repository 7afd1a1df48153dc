package filestore

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// fileLife is models.FileLife in the syntax of Postgres.
var fileLife = fmt.Sprintf("%d seconds", int64(models.FileLife.Seconds()))

// FindFiles returns the given files that the project already has, and protects them from cleanup for models.FileLife.
// The files of other projects do not affect the result, not even its duration.
func (s *Files) FindFiles(ctx context.Context, projectID int64, sha256s []string) (found []models.StoredFile, err error) {
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Files) // a concurrent cleanup either sees the promises or has already committed its deletions
		found, err = pg.All[models.StoredFile](c.Tx.Table("blobs").
			Where("project_id = ? AND sha256 = ANY (?::text[])", projectID, pg.ArrayOf(sha256s)))
		if err != nil || len(found) == 0 {
			return err
		}
		return promise(c.Tx, projectID, pg.Each(found, func(f models.StoredFile) string { return f.MD5 }))
	})
	return found, err
}

// promise protects files from cleanup. It does not write if the files have recent promises, so that most checks do not wait for the disk
// of Postgres.
func promise(tx *gorm.DB, projectID int64, md5s []string) error {
	return tx.Exec(`INSERT INTO blob_promises AS p SELECT @project, md5, now() + cast(@life AS interval) `+
		`FROM unnest(cast(@md5s AS text[])) AS md5
		WHERE NOT EXISTS (SELECT FROM blob_promises recent WHERE recent.project_id = @project AND recent.md5 = md5
			AND recent.until >= now() + cast(@life AS interval) - interval '1 hour')
		ON CONFLICT (project_id, md5) DO UPDATE SET until = excluded.until WHERE p.until < excluded.until - interval '1 hour'`,
		map[string]any{"project": projectID, "life": fileLife, "md5s": pg.ArrayOf(md5s)}).Error
}

// AddFile records a file that was uploaded on its own and is in the asset bucket, and ends all partial uploads of the
// same file. It returns the IDs of the partial files whose parts are no longer needed.
func (s *Files) AddFile(ctx context.Context, projectID int64, n models.NewFile) (ended []int64, err error) {
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Files)
		added, err := addBlobs(c.Tx, projectID, []Blob{{
			MD5: n.MD5, SHA256: n.SHA256, SizeBytes: n.SizeBytes, SniffedType: n.SniffedType,
		}})
		if err != nil {
			return err
		}
		if ended, err = endPartials(c, n.SHA256); err != nil {
			return err
		}
		if len(added) > 0 {
			if err := checkBuildBytes(c, 0); err != nil {
				return err
			}
		} else if err := checkSameContent(c, n.StoredFile); err != nil {
			return err
		}
		if err := promise(c.Tx, projectID, []string{n.MD5}); err != nil {
			return err
		}
		return endHold(c, n.HoldID)
	})
	return ended, err
}

// checkSameContent fails if the project has another file with the file's MD5.
func checkSameContent(c *unit.Change, f models.StoredFile) error {
	known, err := knownBlobs(c.Tx, c.Project.ID, []string{f.MD5})
	if err == nil && known[f.MD5] != f.SHA256 {
		err = models.Errorf(models.CodeInvalid,
			"the file has the MD5 %s of a stored file with different content; change at least one byte of it", f.MD5)
	}
	return err
}

// endPartials ends all partial uploads of a file. Their rows stay for another hour, because a request that is still
// running may write a part. Cleanup then checks again.
func endPartials(c *unit.Change, sha256 string) (ids []int64, err error) {
	err = c.Tx.Raw(`UPDATE partial_files SET ended = true, expires_at = now() + interval '1 hour'
		WHERE project_id = ? AND sha256 = ? AND NOT ended RETURNING id`, c.Project.ID, sha256).Scan(&ids).Error
	return ids, err
}

// FileProgress returns how much of a file has arrived. If there are several attempts, it reports the most complete one.
// A whole file is protected as by FindFiles. If no bytes have arrived, FileProgress returns CodeNotFound.
func (s *Files) FileProgress(ctx context.Context, projectID int64, sha256 string) (p models.FileProgress, err error) {
	stored, err := pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (stored bool, err error) {
		err = db.Raw("SELECT EXISTS (SELECT FROM blobs WHERE project_id = ? AND sha256 = ?)", projectID, sha256).Scan(&stored).Error
		return stored, err
	})
	if err != nil {
		return p, err
	}
	if stored {
		found, err := s.FindFiles(ctx, projectID, []string{sha256})
		if err != nil {
			return p, err
		}
		if len(found) > 0 { // a cleanup may have deleted it in between
			return models.FileProgress{SizeBytes: found[0].SizeBytes, ReceivedBytes: found[0].SizeBytes, Complete: true}, nil
		}
	}
	partial, err := pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.PartialFile, error) {
		return pg.One[models.PartialFile](livePartials(db, projectID, sha256).Order("received_bytes DESC, id DESC"), "file %s", sha256)
	})
	return models.FileProgress{SizeBytes: partial.SizeBytes, ReceivedBytes: partial.ReceivedBytes}, err
}

// livePartials narrows partial files to the uploads of a file that can be continued.
func livePartials(db *gorm.DB, projectID int64, sha256 string) *gorm.DB {
	return db.Where("project_id = ? AND sha256 = ? AND NOT ended AND expires_at > now() AND received_bytes > 0", projectID, sha256)
}

// PartialFile returns an attempt at a file of sizeBytes for which exactly offset bytes have arrived, or CodeNotFound.
func (s *Files) PartialFile(ctx context.Context, projectID int64, sha256 string, sizeBytes, offset int64) (models.PartialFile, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (models.PartialFile, error) {
		return pg.One[models.PartialFile](livePartials(db, projectID, sha256).
			Where("size_bytes = ? AND received_bytes = ?", sizeBytes, offset).Order("id DESC"), "file %s with %d bytes received", sha256, offset)
	})
}

// BeginFile records an attempt at a file before its first part is stored, so that cleanup finds the part in any case.
func (s *Files) BeginFile(ctx context.Context, projectID int64, sha256 string, sizeBytes int64) (p models.PartialFile, err error) {
	p = models.PartialFile{ProjectID: projectID, SHA256: sha256, SizeBytes: sizeBytes, Parts: []models.FilePart{}}
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		return tx.Raw(`INSERT INTO partial_files (project_id, sha256, size_bytes, received_bytes, parts, ended, expires_at)
			VALUES (?, ?, ?, 0, '[]', false, now() + ?::interval) RETURNING id`, projectID, sha256, sizeBytes, fileLife).Scan(&p.ID).Error
	})
	return p, err
}

// maxParts limits the number of parts of a file, so that a client cannot send it byte by byte.
const maxParts = 1000

// AddPart records that a part is in the asset bucket and continues the bytes of p, and adds it to p. It returns
// CodeInvalidTransition if another request has added a part to the attempt, or ended it.
func (s *Files) AddPart(ctx context.Context, p *models.PartialFile, part models.FilePart) error {
	if len(p.Parts) == maxParts {
		return models.Errorf(models.CodeInvalid,
			"the file was sent in more than %d parts; send it again from the first byte, in larger parts", maxParts)
	}
	list, err := json.Marshal([]models.FilePart{part})
	if err != nil {
		return fmt.Errorf("part of a file: %w", err)
	}
	err = s.units.Edit(ctx, p.ProjectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Files)
		added := c.Tx.Exec(`UPDATE partial_files SET received_bytes = received_bytes + ?, parts = parts || ?::jsonb,
				expires_at = now() + ?::interval
			WHERE project_id = ? AND id = ? AND received_bytes = ? AND NOT ended AND expires_at > now()`,
			part.SizeBytes, string(list), fileLife, p.ProjectID, p.ID, p.ReceivedBytes)
		if added.Error != nil {
			return added.Error
		}
		if added.RowsAffected == 0 {
			return models.Errorf(models.CodeInvalidTransition, "another request has already sent these bytes")
		}
		return checkBuildBytes(c, 0)
	})
	if err == nil {
		p.ReceivedBytes += part.SizeBytes
		p.Parts = append(p.Parts, part)
	}
	return err
}

// EndFile ends an attempt at a file that cannot succeed. Its parts may then be deleted.
func (s *Files) EndFile(ctx context.Context, projectID, id int64) error {
	return s.db.Exec(ctx, "UPDATE partial_files SET ended = true, expires_at = now() + interval '1 hour' WHERE project_id = ? AND id = ?",
		projectID, id)
}

// countExpired adds the files whose upload was not completed in time.
func countExpired(tx *gorm.DB, projectID int64, g *models.Garbage) error {
	var bytes int64
	err := tx.Raw(`SELECT count(*), coalesce(sum(received_bytes), 0) FROM partial_files
		WHERE project_id = ? AND NOT ended AND expires_at <= now()`, projectID).Row().Scan(&g.Partials, &bytes)
	g.Bytes += bytes
	return err
}
