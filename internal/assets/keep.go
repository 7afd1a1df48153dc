package assets

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/models"
)

// cacheForEver is the Cache-Control header of objects that the bucket serves itself. They never change.
const cacheForEver = "public, max-age=31536000, immutable"

// Keep stores the file in the project's part of the bucket, unless it exists. The object appears as a whole or not at
// all, and is durable when Keep returns. Keep returns CodeInvalid if the project has another file with this MD5, even
// if another upload is storing that file at the same time.
func (s *Staged) Keep(ctx context.Context, projectID int64, contentType string) error {
	key, err := objectKey(projectID, s.md5)
	if err != nil {
		return err
	}
	held, size, err := s.bucket.held(ctx, key)
	if err != nil {
		return err
	}
	written := false
	if !held {
		o := object{key: key, path: s.path, flushed: s.flushed, md5: s.sum, contentType: contentType}
		if size, written, err = s.bucket.put(ctx, o); err != nil {
			return err
		}
	}
	if size != s.size {
		return fmt.Errorf("object %s has %d bytes where its content has %d: it is damaged, or two files have the same MD5", key, size, s.size)
	}
	if written {
		return nil
	}
	return s.checkHeld(ctx, key)
}

// checkHeld compares the file with the object that the bucket already has under the same MD5.
func (s *Staged) checkHeld(ctx context.Context, key string) error {
	r, err := s.bucket.open(ctx, key, notFound(s.md5))
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read, so closing it cannot lose data
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return unavailable(err)
	}
	if base64.RawURLEncoding.EncodeToString(sum.Sum(nil)) != s.sha256 {
		return models.Errorf(models.CodeInvalid,
			"a file has the MD5 %s of a stored file with different content; change at least one byte of it", s.md5)
	}
	return nil
}

// object is a file on local disk that is to be stored in the bucket.
type object struct {
	key, path string
	// flushed makes the file durable. It is nil for a file that the bucket must not share, because it is not in the staging folder.
	flushed func() error
	md5     []byte
	// contentType and encoding are stored with the object.
	contentType string
	encoding    models.Encoding
}

// While another upload of the same object is finishing, a bucket may refuse a write although the object is not visible
// yet. The write is tried putTries times with pauses of putPause.
const (
	putTries = 20
	putPause = 50 * time.Millisecond
)

// put stores the object in the bucket, unless its key exists. It returns the size of the object in the bucket and
// whether this call wrote it.
func (b *Bucket) put(ctx context.Context, o object) (size int64, written bool, err error) {
	for range putTries {
		size, err := b.write(ctx, o)
		if err == nil {
			return size, true, nil
		}
		if !errors.Is(err, errKeyExists) {
			return 0, false, err
		}
		if there, size, err := b.held(ctx, o.key); err != nil || there {
			return size, false, err
		}
		if err := backoff.Sleep(ctx, putPause); err != nil {
			return 0, false, unavailable(err)
		}
	}
	return 0, false, unavailable(fmt.Errorf("object %s can be neither written nor read", o.key))
}

// errKeyExists says that a bucket refused a write because the object exists or is about to exist.
var errKeyExists = errors.New("the key exists")

// write writes an object and returns its size. It returns errKeyExists if the key exists.
func (b *Bucket) write(ctx context.Context, o object) (size int64, err error) {
	f, err := os.Open(o.path)
	if err != nil {
		return 0, models.Unavailable("the folder for uploads", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, models.Unavailable("the folder for uploads", err)
	}
	switch linked, err := b.link(ctx, o); {
	case errors.Is(err, errKeyExists):
		return 0, err
	case err != nil:
		return 0, unavailable(err)
	case linked:
		return info.Size(), nil
	}
	options := &blob.WriterOptions{
		ContentType: o.contentType, ContentEncoding: string(o.encoding), CacheControl: cacheForEver,
		ContentMD5: o.md5, IfNotExist: true,
	}
	err = b.upload(ctx, o.key, f, options)
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return 0, errKeyExists
	}
	if err != nil {
		return 0, unavailable(err)
	}
	return info.Size(), nil
}

// held reports whether an object is in the bucket, and returns its size. It makes sure that the object is durable.
func (b *Bucket) held(ctx context.Context, key string) (ok bool, size int64, err error) {
	attributes, err := b.bucket.Attributes(ctx, key)
	switch {
	case gcerrors.Code(err) == gcerrors.NotFound:
		return false, 0, nil
	case err != nil:
		return false, 0, unavailable(err)
	}
	if b.folder != "" {
		// The upload that wrote the object may not have flushed its folders yet.
		if err := b.flushFolders(key); err != nil {
			return false, 0, unavailable(err)
		}
	}
	return true, attributes.Size, nil
}

// upload writes an object. In a file:// bucket, it flushes the content before the object gets its name, so that a power
// failure leaves either the whole object or nothing.
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
		cancel() // so that Close discards the object
		_ = w.Close()
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return b.flushFolders(key)
}

// flushFolders makes the path of a local object durable: it flushes the folder of the object and all folders above it.
func (b *Bucket) flushFolders(key string) error {
	own := path.Dir(key)
	for key != "." {
		key = path.Dir(key)
		if err := b.flushFolder(b.local(key)); err != nil {
			return err
		}
	}
	b.noteDurable(own)
	return nil
}

func (b *Bucket) flushFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return b.flush(folder)
}
