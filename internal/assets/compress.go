package assets

import (
	"context"
	"crypto/md5" // what buckets check an upload by
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"github.com/waft-ota/waft/models"
)

// What is compressed. docs/adr/0004 has the measurements behind the numbers.
const (
	// A smaller file travels in one packet anyway.
	minCompressed = 256
	// A larger file would make its upload wait for too long.
	maxCompressed = 64 << 20
	// worthPercent is how large a variant may be, of the file, to be kept.
	worthPercent = 90

	brotliQuality = 6
	gzipLevel     = 6
)

func worthCompressing(contentType string, size int64) bool {
	return compressible[contentType] && size >= minCompressed && size <= maxCompressed
}

// compressor is what both codings have in common.
type compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// compressors are used again, because each has some megabytes of tables.
var compressors = map[models.Encoding]*sync.Pool{
	models.Brotli: {New: func() any { return brotli.NewWriterLevel(io.Discard, brotliQuality) }},
	models.Gzip: {New: func() any {
		w, err := gzip.NewWriterLevel(io.Discard, gzipLevel)
		if err != nil {
			return gzip.NewWriter(io.Discard) // the level is a constant that exists
		}
		return w
	}},
}

// variant is a compressed file on local disk. The caller removes it.
type variant struct {
	path string
	md5  []byte
}

// compress makes a variant of the file in flat memory, or nil when it would not be
// smaller by enough. Only so many are made at a time; others wait.
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
	pool, ok := compressors[e]
	if !ok {
		return fmt.Errorf("there is no compressor for %q", e)
	}
	w, ok := pool.Get().(compressor)
	if !ok {
		return fmt.Errorf("the compressor for %q is none", e)
	}
	defer pool.Put(w)
	w.Reset(to)
	if _, err := io.Copy(w, from); err != nil {
		return err
	}
	return w.Close()
}

// errTooLong says that a variant is not worth keeping.
var errTooLong = errors.New("it does not become smaller by enough")

// shortWriter fails with errTooLong once there is no room left.
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
