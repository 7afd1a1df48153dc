package assets

import (
	"context"
	"slices"

	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// Remove deletes a project's file by its MD5 in lower-case hex, and its variants
// before it. A file that is gone already is no error.
func (b *Bucket) Remove(ctx context.Context, projectID int64, md5 string) error {
	key, err := objectKey(projectID, md5)
	if err != nil {
		return err
	}
	for _, e := range append(slices.Clone(models.CompressedEncodings), models.Identity) {
		if err := b.remove(ctx, key+suffixes[e]); err != nil {
			return err
		}
	}
	return nil
}

// remove deletes an object, which may be gone already.
func (b *Bucket) remove(ctx context.Context, key string) error {
	if err := b.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return unavailable(err)
	}
	return nil
}
