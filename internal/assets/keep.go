package assets

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/internal/backoff"
	"github.com/waft-ota/waft/models"
)

// cacheForEver is for those who get an object from the bucket itself: what lies at
// a key never changes.
const cacheForEver = "public, max-age=31536000, immutable"

// Keep puts the file into the bucket for the project, with those compressed
// variants that are worth it, unless they are there already, and returns how large
// the variants are. Each object appears whole or not at all, and survives a power
// cut once Keep has returned. The store's record of the MD5's SHA-256 is what tells
// two contents of one MD5 apart; of an object that is there Keep compares the size
// only.
func (s *Staged) Keep(ctx context.Context, projectID int64, contentType string) (variants models.BlobVariants, err error) {
	key, err := objectKey(projectID, s.md5)
	if err != nil {
		return variants, err
	}
	sum, err := hex.DecodeString(s.md5)
	if err != nil {
		return variants, fmt.Errorf("MD5 %q: %w", s.md5, err)
	}
	whole := object{key: key, path: s.path, md5: sum, contentType: contentType}
	if err := s.keepWhole(ctx, whole); err != nil {
		return variants, err
	}
	if !worthCompressing(contentType, s.size) {
		return variants, nil
	}
	for _, e := range models.CompressedEncodings {
		size, err := s.keepVariant(ctx, whole, e)
		if err != nil {
			return models.BlobVariants{}, err
		}
		if size > 0 {
			variants.Add(e, size)
		}
	}
	return variants, nil
}

func (s *Staged) keepWhole(ctx context.Context, o object) error {
	held, size, err := s.bucket.held(ctx, o.key)
	if err != nil {
		return err
	}
	if !held {
		// Another upload of the same bytes may be faster.
		if size, err = s.bucket.put(ctx, o); err != nil {
			return err
		}
	}
	if size != s.size {
		return fmt.Errorf("object %s has %d bytes where its content has %d: it was damaged, or two files share an MD5",
			o.key, size, s.size)
	}
	return nil
}

// keepVariant puts the file's variant into the bucket and returns its size, 0 when
// it is not worth keeping. A variant that is there already stays, since an object
// never changes, even if it was compressed by another version of the compressor.
func (s *Staged) keepVariant(ctx context.Context, whole object, e models.Encoding) (size int64, err error) {
	v, err := s.compress(ctx, e)
	if err != nil || v == nil {
		return 0, err
	}
	defer func() { _ = os.Remove(v.path) }() // at worst the next start removes it
	return s.bucket.put(ctx, object{
		key: whole.key + suffixes[e], path: v.path, md5: v.md5, contentType: whole.contentType, encoding: e,
	})
}

// object is a file on local disk that is to be in the bucket.
type object struct {
	key, path string
	md5       []byte
	// contentType and encoding are for those who get it from the bucket itself.
	contentType string
	encoding    models.Encoding
}

// While another upload of an object ends, a bucket may refuse to write what it does
// not show yet. It is asked again this often, with that pause in between.
const (
	putTries = 20
	putPause = 50 * time.Millisecond
)

// put puts the object into the bucket, unless there is one of its key, and returns
// the size of the one that is there then.
func (b *Bucket) put(ctx context.Context, o object) (size int64, err error) {
	for range putTries {
		there, size, err := b.tryPut(ctx, o)
		if err != nil || there {
			return size, err
		}
		if err := backoff.Sleep(ctx, putPause); err != nil {
			return 0, unavailable(err)
		}
	}
	return 0, unavailable(fmt.Errorf("object %s can be neither written nor read", o.key))
}

// tryPut is put, unless there is false: then the bucket contradicts itself.
func (b *Bucket) tryPut(ctx context.Context, o object) (there bool, size int64, err error) {
	f, err := os.Open(o.path)
	if err != nil {
		return false, 0, models.Unavailable("the folder for uploads", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, 0, models.Unavailable("the folder for uploads", err)
	}
	options := &blob.WriterOptions{
		ContentType: o.contentType, ContentEncoding: string(o.encoding), CacheControl: cacheForEver,
		ContentMD5: o.md5, IfNotExist: true,
	}
	err = b.upload(ctx, o.key, f, options)
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return b.held(ctx, o.key)
	}
	if err != nil {
		return false, 0, unavailable(err)
	}
	return true, info.Size(), nil
}

// held reports whether an object is in the bucket already, and its size. What it
// reports survives a power cut.
func (b *Bucket) held(ctx context.Context, key string) (ok bool, size int64, err error) {
	attributes, err := b.bucket.Attributes(ctx, key)
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		return false, 0, nil
	case err != nil:
		return false, 0, unavailable(err)
	}
	if b.folder != "" {
		// Whoever put it there may not have come to this yet.
		if err := b.flushFolders(key); err != nil {
			return false, 0, unavailable(err)
		}
	}
	return true, attributes.Size, nil
}

// upload writes an object. In a bucket of local files the content reaches the disk
// before the name does, so that a power cut leaves the whole object or none.
func (b *Bucket) upload(ctx context.Context, key string, from io.Reader, options *blob.WriterOptions) error {
	if b.folder == "" {
		return b.bucket.Upload(ctx, key, from, options)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var file *os.File
	options.BeforeWrite = func(as func(any) bool) error {
		if !as(&file) {
			return fmt.Errorf("the bucket does not write %s to a file", key)
		}
		return nil
	}
	w, err := b.bucket.NewWriter(ctx, key, options)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, from); err == nil {
		err = b.flush(file)
	}
	if err != nil {
		cancel() // so that closing throws away what was written
		_ = w.Close()
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return b.flushFolders(key)
}
