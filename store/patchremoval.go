package store

import (
	"context"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
)

// RemovePatches calls remove for every patch that the project has given up, since
// one of its two contents went, until none is left or remove fails. remove must not
// mind one that is gone already. Several may run at once.
func (s *Store) RemovePatches(ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error) error {
	ctx = outside(ctx) // whoever makes the same patch again waits for no more than a batch
	for {
		n, err := s.removePatchBatch(ctx, projectID, remove)
		if err != nil || n == 0 {
			return err
		}
	}
}

func (s *Store) removePatchBatch(
	ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error,
) (removed int64, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		var batch []struct {
			TargetMD5 string `gorm:"column:target_md5"`
			BaseMD5   string `gorm:"column:base_md5"`
		}
		err := tx.Raw(`SELECT target_md5, base_md5 FROM patch_removals WHERE project_id = ?
			ORDER BY target_md5, base_md5 LIMIT ? FOR UPDATE SKIP LOCKED`, projectID, removalBatch).Scan(&batch).Error
		if err != nil || len(batch) == 0 {
			removed = 0
			return err
		}
		removing, removeCtx := errgroup.WithContext(ctx)
		removing.SetLimit(removalTogether)
		names := make([][]any, len(batch))
		for i, p := range batch {
			names[i] = []any{p.TargetMD5, p.BaseMD5}
			removing.Go(func() error { return remove(removeCtx, p.TargetMD5, p.BaseMD5) })
		}
		if err := removing.Wait(); err != nil {
			return err
		}
		deleted := tx.Exec("DELETE FROM patch_removals WHERE project_id = ? AND (target_md5, base_md5) IN ?", projectID, names)
		removed = deleted.RowsAffected
		return deleted.Error
	})
	if err != nil {
		return 0, err
	}
	return removed, nil
}
