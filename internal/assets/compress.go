package assets

import (
	"context"
	"crypto/md5" // buckets verify uploads with it
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"github.com/waft-ota/waft/models"
)

// Conditions for compressing a file. See docs/adr/0004 for the measurements behind the numbers.
const (
	// A smaller file fits into one packet anyway.
	minCompressed = 256
	// A larger file would make other files wait for too long.
	maxCompressed = 64 << 20
	// worthPercent is the maximum size of a variant as a percentage of the file's size.
	worthPercent = 90

	brotliQuality = 6
	gzipLevel     = 6
)

// WorthCompressing reports whether a file of the given type and size should get compressed variants.
func WorthCompressing(contentType string, size int64) bool {
	return compressible(contentType) && size >= minCompressed && size <= maxCompressed
}

// Compress stores the compressed variants of a file in the bucket, unless they exist, and returns their sizes. A
// variant appears as a whole or not at all, and is durable when Compress returns. Compress returns CodeNotFound if the
// bucket does not have the file, and CodeInvalid if the object has other content. Memory use does not depend on the
// file's size.
func (b *Bucket) Compress(ctx context.Context, projectID int64, f models.PendingFile) (variants models.BlobVariants, err error) {
	key, err := objectKey(projectID, f.MD5)
	if err != nil {
		return variants, err
	}
	staged, err := b.fetch(ctx, key, f)
	if err != nil {
		return variants, err
	}
	defer func() { _ = staged.Discard() }() // otherwise the next start removes it
	for _, e := range models.CompressedEncodings {
		size, err := staged.keepVariant(ctx, key, f.ContentType, e)
		if err != nil {
			return models.BlobVariants{}, err
		}
		if size > 0 {
			variants.Add(e, size)
		}
	}
	return variants, nil
}

// fetch copies a file of the bucket to local disk and checks it.
func (b *Bucket) fetch(ctx context.Context, key string, f models.PendingFile) (*Staged, error) {
	r, err := b.open(ctx, key, notFound(f.MD5))
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was only read, so closing it cannot lose data
	staged, err := b.Stage(ctx, r, f.SizeBytes)
	switch {
	case models.CodeOf(err) == models.CodeInternal:
		return nil, unavailable(err)
	case models.CodeOf(err) == models.CodeTooLarge, err == nil && staged.sha256 != f.SHA256:
		if staged != nil {
			_ = staged.Discard()
		}
		return nil, models.Errorf(models.CodeInvalid, "the object %s is damaged: it does not have the SHA-256 %s of its content", key, f.SHA256)
	}
	return staged, err
}

// keepVariant stores the file's variant in the bucket and returns its size, or 0 if the variant is not small enough. It
// does not replace an existing variant, even if another version of the compressor made it.
func (s *Staged) keepVariant(ctx context.Context, key, contentType string, e models.Encoding) (size int64, err error) {
	v, err := s.compress(ctx, e)
	if err != nil || v == nil {
		return 0, err
	}
	defer func() { _ = os.Remove(v.path) }() // otherwise the next start removes it
	size, _, err = s.bucket.put(ctx, object{
		key: key + suffixes[e], path: v.path, md5: v.md5, contentType: contentType, encoding: e,
	})
	return size, err
}

// variant is a compressed file on local disk. The caller removes it.
type variant struct {
	path string
	md5  []byte
}

// compress returns a variant of the file, or nil if the variant would not be small enough. Memory use does not depend
// on the file's size.
func (s *Staged) compress(ctx context.Context, e models.Encoding) (_ *variant, err error) {
	from, err := os.Open(s.path)
	if err != nil {
		return nil, models.Unavailable("the folder for uploads", err)
	}
	defer from.Close()
	to, err := os.CreateTemp(s.bucket.staging, stagedPrefix+"*")
	if err != nil {
		return nil, models.Unavailable("the folder for uploads", err)
	}
	sum := md5.New()
	err = compressInto(e, &shortWriter{to: io.MultiWriter(to, sum), room: s.size * worthPercent / 100}, contextReader{ctx, from})
	err = errors.Join(err, to.Close())
	switch {
	case err == nil:
		return &variant{path: to.Name(), md5: sum.Sum(nil)}, nil
	case errors.Is(err, errTooLong):
		err = nil
	case ctx.Err() != nil:
		err = fmt.Errorf("compress a file: %w", ctx.Err())
	default:
		err = models.Unavailable("the folder for uploads", err)
	}
	return nil, errors.Join(err, os.Remove(to.Name()))
}

func compressInto(e models.Encoding, to io.Writer, from io.Reader) error {
	var w io.WriteCloser = brotli.NewWriterLevel(to, brotliQuality)
	if e == models.Gzip {
		var err error
		if w, err = gzip.NewWriterLevel(to, gzipLevel); err != nil {
			return err
		}
	}
	if _, err := io.Copy(w, from); err != nil {
		return err
	}
	return w.Close()
}

// errTooLong says that a variant is not small enough.
var errTooLong = errors.New("compression does not make it small enough")

// shortWriter fails with errTooLong after room bytes.
type shortWriter struct {
	to   io.Writer
	room int64
}

func (w *shortWriter) Write(p []byte) (int, error) {
	if w.room -= int64(len(p)); w.room < 0 {
		return 0, errTooLong
	}
	return w.to.Write(p)
}
