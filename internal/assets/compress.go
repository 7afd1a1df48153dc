package assets

import (
	"context"
	"crypto/md5" // what buckets check an upload by
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"github.com/waft-ota/waft/models"
)

// Which files are compressed. docs/adr/0004 has the measurements behind the numbers.
const (
	// A smaller file fits into one packet anyway.
	minCompressed = 256
	// A larger file would delay its upload too much.
	maxCompressed = 64 << 20
	// worthPercent is the largest size of a variant, in percent of the file.
	worthPercent = 90

	brotliQuality = 6
	gzipLevel     = 6
)

func worthCompressing(contentType string, size int64) bool {
	return compressible(contentType) && size >= minCompressed && size <= maxCompressed
}

// variant is a compressed file on local disk. The caller removes it.
type variant struct {
	path string
	md5  []byte
}

// compress makes a variant of the file, or nil when that would not be small enough. Memory use does
// not depend on the file's size. It waits while too many files are compressed.
func (s *Staged) compress(ctx context.Context, e models.Encoding) (_ *variant, err error) {
	select {
	case s.bucket.compressing <- struct{}{}:
		defer func() { <-s.bucket.compressing }()
	case <-ctx.Done():
		return nil, fmt.Errorf("compress upload: %w", ctx.Err())
	}
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
		err = fmt.Errorf("compress upload: %w", ctx.Err())
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
var errTooLong = errors.New("it does not become smaller by enough")

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
