package filestore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Blob describes a file that the asset bucket holds for a project.
type Blob struct {
	ProjectID int64  `json:"-"`
	MD5       string `json:"md5" gorm:"column:md5"`
	SHA256    string `json:"sha256" gorm:"column:sha256"`
	SizeBytes int64  `json:"size"`
	// SniffedType is the content type that the first bytes suggest.
	SniffedType string `json:"sniffed"`
	// InBuild says that the file has ever been part of a build.
	InBuild bool `json:"inBuild"`
}

// knownBlobs returns the SHA-256 of the project's files with the given MD5 sums, by MD5.
func knownBlobs(tx *gorm.DB, projectID int64, md5s []string) (map[string]string, error) {
	blobs, err := pg.All[Blob](tx.Where("project_id = ? AND md5 IN (SELECT unnest(?::text[]))", projectID, pg.ArrayOf(md5s)))
	if err != nil {
		return nil, err
	}
	known := make(map[string]string, len(blobs))
	for _, b := range blobs {
		known[b.MD5] = b.SHA256
	}
	return known, nil
}

// addBlobs records that the asset bucket holds the blobs, and returns the new ones. If two transactions add the same
// blob, it is new for one of them.
func addBlobs(tx *gorm.DB, projectID int64, blobs []Blob) (added []Blob, err error) {
	// All transactions insert in the same order, so that they cannot deadlock.
	slices.SortFunc(blobs, func(a, b Blob) int { return cmp.Compare(a.MD5, b.MD5) })
	list, err := json.Marshal(blobs)
	if err != nil {
		return nil, fmt.Errorf("list of blobs: %w", err)
	}
	err = tx.Raw(`INSERT INTO blobs (project_id, md5, sha256, size_bytes, sniffed_type, in_build, variants)
		SELECT ?, b.md5, b.sha256, b.size, b.sniffed, b."inBuild", 'none'
		FROM jsonb_to_recordset(?::jsonb) AS b(md5 text, sha256 text, size bigint, sniffed text, "inBuild" boolean)
		ON CONFLICT (project_id, md5) DO NOTHING
		RETURNING project_id, md5, sha256, size_bytes`, projectID, string(list)).Scan(&added).Error
	return added, err
}

// distinctBlobs returns the files of a build without duplicates. It returns an error if two different files have the
// same MD5.
func distinctBlobs(n models.NewBuild) (blobs []Blob, err error) {
	seen := make(map[string]string, len(n.Assets))
	for _, a := range n.Assets {
		if _, known := seen[a.MD5]; !known {
			seen[a.MD5] = a.SHA256
			blobs = append(blobs, Blob{
				MD5: a.MD5, SHA256: a.SHA256, SizeBytes: a.SizeBytes, SniffedType: n.Contents[a.MD5].SniffedType, InBuild: true,
			})
		}
	}
	if err := errors.Join(checkCollisions(n.Assets, seen), checkMapCollision(n.SourceMap, seen)); err != nil {
		return nil, err
	}
	if m := n.SourceMap; m != nil && seen[m.MD5] == "" {
		blobs = append(blobs, Blob{
			MD5: m.MD5, SHA256: m.SHA256, SizeBytes: m.SizeBytes, SniffedType: n.Contents[m.MD5].SniffedType, InBuild: true,
		})
	}
	return blobs, nil
}

// checkCollisions refuses files whose MD5 belongs to another file in known, which maps MD5 to SHA-256.
func checkCollisions(assets []models.BuildAsset, known map[string]string) error {
	var p models.Problems
	for i, a := range assets {
		if sha256, ok := known[a.MD5]; ok && sha256 != a.SHA256 {
			p.Add(fmt.Sprintf("assets[%d]", i), "the file %q has the MD5 %s of another file with different content", a.Path, a.MD5)
		}
	}
	return p.Err()
}

// holdLife is the maximum time between the hold of an upload and its build.
const holdLife = "1 hour"

// HoldBlobs protects the files with the given MD5 sums from cleanup until CreateBuild ends the hold, or for an hour. It
// returns the files that the project already has. It waits while one of them is being deleted from the asset bucket.
func (s *Files) HoldBlobs(ctx context.Context, projectID int64, md5s []string) (hold models.BlobHold, err error) {
	var removing bool
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		if hold.ID, err = insertHold(c, md5s); err != nil {
			return err
		}
		// From here on a cleanup does not add these files to blob_removals.
		err := c.Tx.Raw("SELECT EXISTS (SELECT FROM blob_removals WHERE project_id = ? AND md5 = ANY (?::text[]))", projectID, pg.ArrayOf(md5s)).
			Scan(&removing).Error
		if err != nil || removing {
			return err
		}
		hold.Known, err = knownBlobs(c.Tx, projectID, md5s)
		return err
	})
	if err == nil && removing {
		hold.Known, err = s.waitForRemovals(ctx, projectID, md5s)
	}
	if err != nil {
		return models.BlobHold{}, err
	}
	return hold, nil
}

// waitForRemovals waits until the files are not being deleted from the asset bucket, keeps the others of them, and returns the files
// that the project still has. Its transaction has not called Alone, because it may have to wait for the asset bucket.
func (s *Files) waitForRemovals(ctx context.Context, projectID int64, md5s []string) (known map[string]string, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		err := tx.Exec(`DELETE FROM blob_removals WHERE (project_id, md5) IN (
			SELECT project_id, md5 FROM blob_removals
			WHERE project_id = ? AND md5 IN (SELECT unnest(?::text[])) ORDER BY md5 FOR UPDATE)`,
			projectID, pg.ArrayOf(md5s)).Error
		if err != nil {
			return err
		}
		known, err = knownBlobs(tx, projectID, md5s)
		return err
	})
	return known, err
}

// insertHold inserts a hold. A cleanup that runs at the same time either sees the hold or has already committed its
// deletions.
func insertHold(c *unit.Change, md5s []string) (id int64, err error) {
	c.Alone(unit.Files)
	err = c.Tx.Raw("INSERT INTO blob_holds (project_id, md5s, expires_at) VALUES (?, to_jsonb(?::text[]), now() + ?::interval) RETURNING id",
		c.Project.ID, pg.ArrayOf(md5s), holdLife).Scan(&id).Error
	return id, err
}

// endHold deletes a hold in the transaction that records its build. It fails if the hold has expired, because cleanup
// may have deleted the files.
func endHold(c *unit.Change, id int64) error {
	if id == 0 {
		return nil
	}
	ended := c.Tx.Exec("DELETE FROM blob_holds WHERE project_id = ? AND id = ? AND expires_at > now()", c.Project.ID, id)
	if ended.Error != nil || ended.RowsAffected == 1 {
		return ended.Error
	}
	return &models.Error{
		Code:       models.CodeUnavailable,
		Message:    "storing the files took too long and some may have been deleted; the build was not recorded, upload it again",
		RetryAfter: models.Unavailable("", nil).RetryAfter,
	}
}
