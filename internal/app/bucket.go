package app

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/waft-ota/waft/internal/assets"
)

// openBucket opens the asset store, which both halves of the server need. Uploads
// wait in a folder that belongs to one process alone; a worker takes none in, and
// must not touch those of an API process beside it.
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
