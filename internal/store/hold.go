package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// holdLife is how long an upload may take from its hold to its build, as Postgres
// reads it.
const holdLife = "1 hour"

// HoldBlobs protects the contents with the given MD5 sums from the cleanup until
// CreateBuild gets the hold, or for an hour, and returns which of them the project
// holds. It waits while one of them is being deleted from the asset store.
func (s *Store) HoldBlobs(ctx context.Context, projectID int64, md5s []string) (hold models.BlobHold, err error) {
	list := arrayOf(md5s)
	err = s.write(ctx, func(tx *gorm.DB) error {
		// A cleanup either sees the hold, or has committed what it deletes.
		if _, err := lockProject(tx, projectID); err != nil {
			return err
		}
		return tx.Raw("INSERT INTO blob_holds (project_id, md5s, expires_at) VALUES (?, to_jsonb(?::text[]), now() + ?::interval) RETURNING id",
			projectID, list, holdLife).Scan(&hold.ID).Error
	})
	if err != nil {
		return models.BlobHold{}, err
	}
	// A transaction of its own: it may wait for the asset store, and must not hold the
	// project's lock meanwhile.
	err = s.write(ctx, func(tx *gorm.DB) error {
		err := tx.Exec(`DELETE FROM blob_removals WHERE (project_id, md5) IN (
			SELECT project_id, md5 FROM blob_removals
			WHERE project_id = ? AND md5 IN (SELECT unnest(?::text[])) ORDER BY md5 FOR UPDATE)`,
			projectID, list).Error
		if err != nil {
			return err
		}
		hold.Known, err = knownBlobs(tx, projectID, md5s)
		return err
	})
	return hold, err
}

// endHold deletes a hold in the transaction that records its build. It fails for a hold
// that has expired, which protected nothing any more.
func endHold(tx *gorm.DB, projectID, id int64) error {
	if id == 0 {
		return nil
	}
	ended := tx.Exec("DELETE FROM blob_holds WHERE project_id = ? AND id = ? AND expires_at > now()", projectID, id)
	if ended.Error != nil || ended.RowsAffected == 1 {
		return ended.Error
	}
	return &models.Error{
		Code:       models.CodeUnavailable,
		Message:    "storing the files took too long, so that they may not all be there any more; nothing was recorded, upload again",
		RetryAfter: models.Unavailable("", nil).RetryAfter,
	}
}
