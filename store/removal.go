package store

import (
	"context"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
)

// A batch of removals is what an upload may have to wait for, so it is small.
const (
	removalBatch    = 64
	removalTogether = 8
)

// RemoveBlobs calls remove for every content that the project has given up, until
// none is left or remove fails, and returns how many were removed. remove must not
// mind one that is gone already. Several may run at once; an upload that needs one
// of the contents waits for the batch at work.
func (s *Store) RemoveBlobs(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (removed int64, err error) {
	ctx = outside(ctx) // an upload that needs a content waits for no more than its batch
	for {
		n, err := s.removeBatch(ctx, projectID, remove)
		removed += int64(n)
		if err != nil || n == 0 {
			return removed, err
		}
	}
}

func (s *Store) removeBatch(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (removed int, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		var md5s []string
		err := tx.Raw("SELECT md5 FROM blob_removals WHERE project_id = ? ORDER BY md5 LIMIT ? FOR UPDATE SKIP LOCKED",
			projectID, removalBatch).Scan(&md5s).Error
		if err != nil || len(md5s) == 0 {
			removed = 0
			return err
		}
		removing, ctx := errgroup.WithContext(ctx)
		removing.SetLimit(removalTogether)
		for _, md5 := range md5s {
			removing.Go(func() error { return remove(ctx, md5) })
		}
		if err := removing.Wait(); err != nil {
			return err
		}
		removed = len(md5s)
		return tx.Exec("DELETE FROM blob_removals WHERE project_id = ? AND md5 IN ?", projectID, md5s).Error
	})
	if err != nil {
		return 0, err
	}
	return removed, nil
}
