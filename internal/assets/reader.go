package assets

import (
	"context"
	"slices"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// Reader reads one file and can seek. Size is the file's size in bytes.
type Reader struct{ *blob.Reader }

// Open opens a project's file by its MD5 in lower-case hex. It returns CodeNotFound if the project does not have the
// file. Reads end with ctx; the caller closes the Reader.
func (b *Bucket) Open(ctx context.Context, projectID int64, md5 string) (*Reader, error) {
	return b.OpenVariant(ctx, projectID, md5, models.Identity)
}

// OpenVariant opens a file like Open, in the given encoding.
func (b *Bucket) OpenVariant(ctx context.Context, projectID int64, md5 string, e models.Encoding) (*Reader, error) {
	key, err := objectKey(projectID, md5)
	if err != nil {
		return nil, err
	}
	return b.open(ctx, key+suffixes[e], notFound(md5))
}

// open opens an object. It returns missing if the object does not exist.
func (b *Bucket) open(ctx context.Context, key string, missing error) (*Reader, error) {
	r, err := b.bucket.NewReader(ctx, key, &blob.ReaderOptions{BeforeRead: asStored})
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, missing
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return &Reader{r}, nil
}

// Remove deletes a project's file by its MD5 in lower-case hex. It deletes the file's variants first. It ignores a file
// that does not exist.
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

// remove deletes an object if it exists.
func (b *Bucket) remove(ctx context.Context, key string) error {
	if err := b.bucket.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return unavailable(err)
	}
	return nil
}
