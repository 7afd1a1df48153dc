package filestore

import (
	"context"
	"fmt"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// pendingBatch is the maximum number of files compressed in one pass. The hold must outlast the pass.
const pendingBatch = 64

// PendingFiles returns the project's files that still need compressed variants, launch assets first. It protects them
// from cleanup, so that no other content can take their name while the variants are written.
func (s *Files) PendingFiles(ctx context.Context, projectID int64) (pending models.PendingFiles, err error) {
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		pending = models.PendingFiles{}
		c.Alone(unit.Files)
		files, err := pg.All[models.PendingFile](c.Tx.Table("blobs").
			Select("blobs.md5, blobs.sha256, blobs.size_bytes, first.content_type").
			Joins(`CROSS JOIN LATERAL (SELECT content_type, is_launch_asset FROM build_assets a
				WHERE a.project_id = blobs.project_id AND a.md5 = blobs.md5
				ORDER BY a.is_launch_asset DESC, a.build_id LIMIT 1) first`).
			Where("blobs.project_id = ? AND variants = 'pending'", projectID).
			Order("first.is_launch_asset DESC, blobs.md5").Limit(pendingBatch + 1))
		if err != nil || len(files) == 0 {
			return err
		}
		pending.More = len(files) > pendingBatch
		pending.Files = files[:min(len(files), pendingBatch)]
		md5s := pg.Each(pending.Files, func(f models.PendingFile) string { return f.MD5 })
		pending.HoldID, err = insertHold(c, md5s)
		return err
	})
	return pending, err
}

// FinishFiles records which variants of files are in the asset bucket. Devices get them from now on. A second call has
// no effect.
func (s *Files) FinishFiles(ctx context.Context, projectID int64, files []models.CompressedFile) error {
	return s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		c.Alone(unit.Files)
		changed := int64(0)
		for _, f := range files {
			done := c.Tx.Exec(`UPDATE blobs SET variants = 'made', gzip_bytes = ?, brotli_bytes = ?
				WHERE project_id = ? AND md5 = ? AND sha256 = ? AND variants = 'pending'`,
				f.Variants.GzipBytes, f.Variants.BrotliBytes, projectID, f.MD5, f.SHA256)
			if done.Error != nil {
				return done.Error
			}
			changed += done.RowsAffected
		}
		if changed > 0 {
			c.BumpSnapshot()
			c.NoDeviceImpact() // a compressed variant is the same file
		}
		return nil
	})
}

// EndHold ends a hold whose files are no longer needed. A hold that has already ended is ignored.
func (s *Files) EndHold(ctx context.Context, projectID, holdID int64) error {
	return s.db.Exec(ctx, "DELETE FROM blob_holds WHERE project_id = ? AND id = ?", projectID, holdID)
}

// compressLater requests variants of the files that are to be compressed, and informs the worker if any variants are
// pending.
func compressLater(c *unit.Change, blobs []Blob, contents map[string]models.NewContent) {
	var wanted []string
	for _, b := range blobs {
		if contents[b.MD5].Compress {
			wanted = append(wanted, b.MD5)
		}
	}
	if len(wanted) == 0 {
		return
	}
	id := c.Project.ID
	c.Exec("UPDATE blobs SET variants = 'pending' WHERE project_id = ? AND md5 = ANY (?::text[]) AND variants = 'none'",
		id, pg.ArrayOf(wanted))
	pending := false
	c.Do(func() error {
		return c.Tx.Raw("SELECT EXISTS (SELECT FROM blobs WHERE project_id = ? AND md5 = ANY (?::text[]) AND variants = 'pending')",
			id, pg.ArrayOf(wanted)).Scan(&pending).Error
	})
	if !pending {
		return
	}
	var slug string
	c.Do(func() error { return c.Tx.Raw("SELECT slug FROM projects WHERE id = ?", id).Scan(&slug).Error })
	c.Enqueue(models.OutboxFilesCompress, models.FilesToCompress{
		ProjectID: id, WorkflowID: fmt.Sprintf("files/%s/%d", slug, id), Summary: slug + ": compressed variants of files",
	})
}
