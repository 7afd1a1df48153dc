package assets

import (
	"context"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/models"
)

// Reader reads one file. Seeking costs nothing until the next read.
type Reader struct{ blob *blob.Reader }

// Open opens a project's file by its MD5 in lower-case hex. It is CodeNotFound
// when the project has none, or md5 is no MD5. Reads end with ctx; the caller
// closes the Reader.
func (b *Bucket) Open(ctx context.Context, projectID int64, md5 string) (*Reader, error) {
	return b.OpenVariant(ctx, projectID, md5, models.Identity)
}

// OpenVariant opens a file as Open does, in the given encoding. It is CodeNotFound
// when the file is not there in it.
func (b *Bucket) OpenVariant(ctx context.Context, projectID int64, md5 string, e models.Encoding) (*Reader, error) {
	key, err := objectKey(projectID, md5)
	if err != nil {
		return nil, err
	}
	r, err := b.bucket.NewReader(ctx, key+suffixes[e], &blob.ReaderOptions{BeforeRead: asStored})
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, notFound(md5)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return &Reader{blob: r}, nil
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) { return r.blob.Read(p) }

// Seek implements io.Seeker.
func (r *Reader) Seek(offset int64, whence int) (int64, error) { return r.blob.Seek(offset, whence) }

// Close ends the reading.
func (r *Reader) Close() error { return r.blob.Close() }

// Size is the file's size in bytes.
func (r *Reader) Size() int64 { return r.blob.Size() }
