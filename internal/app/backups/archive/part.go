package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// Part writes a part of the backup: write writes its content and returns the number of its rows.
func (w *Writer) Part(path, table string, columns []string, write func(io.Writer) (rows int64, err error)) (p Part, err error) {
	p = Part{Path: path, Table: table, Columns: columns}
	full := filepath.Join(w.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), folderMode); err != nil {
		return p, fmt.Errorf("write %s: %w", path, explained(err))
	}
	f, err := os.OpenFile(full, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return p, fmt.Errorf("write %s: %w", path, explained(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := &counted{to: f, hash: sha256.New()}
	packed, err := zstd.NewWriter(sum, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		return p, fmt.Errorf("write %s: %w", path, err)
	}
	raw := &counted{to: packed}
	p.Rows, err = write(raw)
	// Close even after an error, because it ends the encoder.
	err = errors.Join(err, packed.Close())
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return p, fmt.Errorf("write %s: %w", path, explained(err))
	}
	p.Bytes, p.RawBytes, p.SHA256 = sum.n, raw.n, hex.EncodeToString(sum.hash.Sum(nil))
	return p, nil
}

// explained adds the fix to the error of a full disk.
func explained(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("the disk of the backups is full; free space or use another disk: %w", err)
	}
	return err
}

// counted counts and, if it has a hash, hashes what it passes on.
type counted struct {
	to   io.Writer
	n    int64
	hash hash.Hash
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	if c.hash != nil {
		c.hash.Write(p[:n])
	}
	return n, err
}

// Read returns the content of a part. Its reads fail if the file is not exactly the file of the manifest, at the latest when the content
// ends.
func (b Backup) Read(p Part) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(b.dir, filepath.FromSlash(p.Path)))
	if err != nil {
		return nil, fmt.Errorf("the backup lacks %s: %w", p.Path, err)
	}
	r := &partReader{part: p, file: f, hash: sha256.New()}
	if r.unpacked, err = zstd.NewReader(io.TeeReader(f, r.hash), zstd.WithDecoderConcurrency(1)); err != nil {
		f.Close()
		return nil, damaged(p, err)
	}
	return r, nil
}

type partReader struct {
	part     Part
	file     *os.File
	hash     hash.Hash
	unpacked *zstd.Decoder
	n        int64
}

func (r *partReader) Read(p []byte) (int, error) {
	n, err := r.unpacked.Read(p)
	r.n += int64(n)
	if err == nil {
		return n, nil
	}
	if !errors.Is(err, io.EOF) {
		return n, damaged(r.part, err)
	}
	if sum := hex.EncodeToString(r.hash.Sum(nil)); sum != r.part.SHA256 {
		return n, damaged(r.part, fmt.Errorf("its SHA-256 is %s instead of %s", sum, r.part.SHA256))
	}
	if r.n != r.part.RawBytes {
		return n, damaged(r.part, fmt.Errorf("it has %d bytes instead of %d", r.n, r.part.RawBytes))
	}
	return n, io.EOF
}

func (r *partReader) Close() error {
	r.unpacked.Close()
	return r.file.Close()
}

func damaged(p Part, err error) error {
	return fmt.Errorf("%s of the backup is damaged: %w", p.Path, err)
}
