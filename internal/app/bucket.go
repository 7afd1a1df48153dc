package app

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/waft-ota/waft/internal/assets"
)

// openBucket opens the asset bucket. Uploads are staged in a folder of one process: a worker
// must not remove those of an API process that shares its data folder.
func (a *App) openBucket(ctx context.Context) (err error) {
	staging := "uploads"
	if !a.role.API {
		staging = "worker"
	}
	if a.bucket, err = assets.Open(ctx, a.cfg.AssetBucketURL, filepath.Join(a.cfg.DataDir, staging)); err != nil {
		return err
	}
	a.closers = append(a.closers, a.bucket.Close)
	if a.role.API && a.cfg.AssetRedirect > 0 {
		if err := a.bucket.CanSign(ctx); err != nil {
			return fmt.Errorf("WAFT_ASSET_REDIRECT: %w", err)
		}
	}
	return nil
}
