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

// removals are what a project has given up and the asset store still holds.
type removals[T any] struct {
	// lock reads up to removalBatch of them that nobody else is at, and keeps them.
	lock func(tx *gorm.DB) ([]T, error)
	// remove takes one of them out of the asset store.
	remove func(ctx context.Context, each T) error
	// forget notes that they are gone.
	forget func(tx *gorm.DB, gone []T) error
}

// run removes batch after batch, until none is left or one fails.
func (r removals[T]) run(ctx context.Context, s *Store) (removed int64, err error) {
	for {
		n := 0
		err := s.write(ctx, func(tx *gorm.DB) error {
			batch, err := r.lock(tx)
			if n = len(batch); err != nil || n == 0 {
				return err
			}
			removing, ctx := errgroup.WithContext(ctx)
			removing.SetLimit(removalTogether)
			for _, each := range batch {
				removing.Go(func() error { return r.remove(ctx, each) })
			}
			if err := removing.Wait(); err != nil {
				return err
			}
			return r.forget(tx, batch)
		})
		if err != nil || n == 0 {
			return removed, err
		}
		removed += int64(n)
	}
}

// RemoveBlobs calls remove for every content that the project has given up, until
// none is left or remove fails, and returns how many were removed. remove must not
// mind one that is gone already. Several may run at once; an upload that needs one
// of the contents waits for the batch at work.
func (s *Store) RemoveBlobs(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (removed int64, err error) {
	return removals[string]{
		lock: func(tx *gorm.DB) (md5s []string, err error) {
			err = tx.Raw("SELECT md5 FROM blob_removals WHERE project_id = ? ORDER BY md5 LIMIT ? FOR UPDATE SKIP LOCKED",
				projectID, removalBatch).Scan(&md5s).Error
			return md5s, err
		},
		remove: remove,
		forget: func(tx *gorm.DB, md5s []string) error {
			return tx.Exec("DELETE FROM blob_removals WHERE project_id = ? AND md5 IN ?", projectID, md5s).Error
		},
	}.run(ctx, s)
}

// patchName is how a patch is called in the asset store.
type patchName struct {
	TargetMD5 string `gorm:"column:target_md5"`
	BaseMD5   string `gorm:"column:base_md5"`
}

// RemovePatches calls remove for every patch that the project has given up, since
// one of its two contents went, until none is left or remove fails. remove must not
// mind one that is gone already. Several may run at once; whoever makes the same
// patch again waits for the batch at work.
func (s *Store) RemovePatches(ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error) error {
	_, err := removals[patchName]{
		lock: func(tx *gorm.DB) (names []patchName, err error) {
			err = tx.Raw(`SELECT target_md5, base_md5 FROM patch_removals WHERE project_id = ?
				ORDER BY target_md5, base_md5 LIMIT ? FOR UPDATE SKIP LOCKED`, projectID, removalBatch).Scan(&names).Error
			return names, err
		},
		remove: func(ctx context.Context, p patchName) error { return remove(ctx, p.TargetMD5, p.BaseMD5) },
		forget: func(tx *gorm.DB, names []patchName) error {
			pairs := make([][]any, len(names))
			for i, p := range names {
				pairs[i] = []any{p.TargetMD5, p.BaseMD5}
			}
			return tx.Exec("DELETE FROM patch_removals WHERE project_id = ? AND (target_md5, base_md5) IN ?", projectID, pairs).Error
		},
	}.run(ctx, s)
	return err
}
