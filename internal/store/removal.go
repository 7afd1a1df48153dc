package store

import (
	"context"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
)

// An upload may have to wait for a batch of removals, so a batch is small.
const (
	removalBatch    = 64
	removalTogether = 8
)

// removals are objects that the project no longer needs and the asset store still holds.
type removals[T any] struct {
	// lock locks and returns up to removalBatch of them that no other process has locked.
	lock func(tx *gorm.DB) ([]T, error)
	// remove deletes one of them from the asset store.
	remove func(ctx context.Context, each T) error
	// forget deletes their rows.
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

// RemoveBlobs calls remove for every content in blob_removals of the project, until
// none is left or remove fails, and returns how many were removed. remove must succeed
// for one that is gone. Several processes may call it at once; an upload that needs one
// of the contents waits for the batch in progress.
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

// RemovePatches calls remove for every patch in patch_removals of the project, until
// none is left or remove fails. remove must succeed for one that is gone. Several
// processes may call it at once; making the same patch again waits for the batch in
// progress.
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
