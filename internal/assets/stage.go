package assets

import (
	"context"
	"crypto/md5" // the protocol names files by MD5; SHA-256 guards their content
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// stagedPrefix is the beginning of the names of files that Open removes from the staging folder.
const stagedPrefix = "upload-"

// sniffBytes is the number of bytes that http.DetectContentType looks at.
const sniffBytes = 512

// Staged is an uploaded file on local disk with its hashes. The caller must call Discard.
type Staged struct {
	bucket      *Bucket
	path        string
	sum         []byte // MD5
	md5, sha256 string
	size        int64
	sniffed     string
	// flushed makes the file durable, once.
	flushed func() error
}

// MD5 returns the file's MD5 in lower-case hex.
func (s *Staged) MD5() string { return s.md5 }

// SHA256 returns the file's SHA-256 in base64url without padding.
func (s *Staged) SHA256() string { return s.sha256 }

// Size returns the file's size in bytes.
func (s *Staged) Size() int64 { return s.size }

// Sniffed returns the content type that the first bytes suggest, without parameters.
func (s *Staged) Sniffed() string { return s.sniffed }

// prepareStaging creates the folder and removes files that an earlier process left in it.
func prepareStaging(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("staging folder: %w", err)
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), stagedPrefix) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, entry.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("staging folder: %w", err)
	}
	return nil
}

// Stage writes r to local disk. Memory use does not depend on its size. Stage returns CodeTooLarge for more than limit
// bytes, CodeUnavailable for a failure of the disk, and wraps an error of r. After an error the file is removed.
func (b *Bucket) Stage(ctx context.Context, r io.Reader, limit int64) (_ *Staged, err error) {
	// The bucket may get this file, so it has the mode of its files. The staging folder is closed to others.
	f, err := os.OpenFile(filepath.Join(b.staging, stagedPrefix+uuid.NewString()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, models.Unavailable("the folder for uploads", err)
	}
	defer func() {
		if closing := f.Close(); err == nil && closing != nil {
			err = models.Unavailable("the folder for uploads", closing)
		}
		if err != nil {
			_ = os.Remove(f.Name()) // otherwise the next start removes it
		}
	}()
	sum5, sum256, head := md5.New(), sha256.New(), headWriter{}
	disk := diskWriter{file: f}
	from := io.LimitReader(contextReader{ctx, r}, limit+1)
	size, err := io.Copy(io.MultiWriter(&disk, sum5, sum256, &head), from)
	switch {
	case disk.err != nil:
		return nil, models.Unavailable("the folder for uploads", disk.err)
	case err != nil:
		return nil, fmt.Errorf("read upload: %w", err)
	case size > limit:
		return nil, models.Errorf(models.CodeTooLarge, "a file is larger than the limit of %d bytes", limit)
	}
	sum := sum5.Sum(nil)
	return &Staged{
		bucket:  b,
		path:    f.Name(),
		sum:     sum,
		md5:     hex.EncodeToString(sum),
		sha256:  base64.RawURLEncoding.EncodeToString(sum256.Sum(nil)),
		size:    size,
		sniffed: withoutParameters(http.DetectContentType(head.bytes)),
		flushed: b.flushOnce(f.Name()),
	}, nil
}

// Discard removes the file from local disk. It is safe to call more than once.
func (s *Staged) Discard() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("discard upload: %w", err)
	}
	return nil
}

// contextReader stops reading when ctx ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// diskWriter keeps its error, to distinguish it from an error of the reader.
type diskWriter struct {
	file *os.File
	err  error
}

func (d *diskWriter) Write(p []byte) (n int, err error) {
	n, err = d.file.Write(p)
	d.err = err
	return n, err
}

// headWriter keeps the first bytes.
type headWriter struct{ bytes []byte }

func (h *headWriter) Write(p []byte) (int, error) {
	h.bytes = append(h.bytes, p[:min(len(p), sniffBytes-len(h.bytes))]...)
	return len(p), nil
}
