package assets

import (
	"context"

	"gocloud.dev/gcerrors"
)

// Remove deletes a project's file by its MD5 in lower-case hex. A file that is gone
// already is no error.
func (b *Bucket) Remove(ctx context.Context, projectID int64, md5 string) error {
	key, err := objectKey(projectID, md5)
	if err != nil {
		return err
	}
	if err := b.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return unavailable(err)
	}
	return nil
}
