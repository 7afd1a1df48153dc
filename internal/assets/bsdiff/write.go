package bsdiff

import (
	"bytes"
	"fmt"

	"github.com/dsnet/compress/bzip2"
)

// patchWriter compresses a patch while the patch is being created.
type patchWriter struct {
	oldFile, newFile            []byte
	control, differences, extra *packed
	buffer                      []byte
}

// packed is one of a patch's streams.
type packed struct {
	bytes  bytes.Buffer
	writer *bzip2.Writer
}

func newPatchWriter(oldFile, newFile []byte) (*patchWriter, error) {
	w := &patchWriter{oldFile: oldFile, newFile: newFile}
	for _, stream := range []**packed{&w.control, &w.differences, &w.extra} {
		p := &packed{}
		var err error
		if p.writer, err = bzip2.NewWriter(&p.bytes, &bzip2.WriterConfig{Level: bzip2.BestCompression}); err != nil {
			return nil, fmt.Errorf("bsdiff: %w", err)
		}
		*stream = p
	}
	return w, nil
}

// write appends one step. The length bytes at scan are stored as differences from the old file at pos, and the bytes
// from there up to next as new bytes. The position in the old file then moves by move.
func (w *patchWriter) write(scan, pos, length, next, move int) error {
	fresh := w.newFile[scan+length : next]
	if length == 0 && len(fresh) == 0 && move == 0 {
		return nil
	}
	triple := appendInt(make([]byte, 0, tripleSize), int64(length))
	triple = appendInt(triple, int64(len(fresh)))
	triple = appendInt(triple, int64(move))
	if _, err := w.control.writer.Write(triple); err != nil {
		return fmt.Errorf("bsdiff: %w", err)
	}
	if err := w.writeDifferences(scan, pos, length); err != nil {
		return fmt.Errorf("bsdiff: %w", err)
	}
	if _, err := w.extra.writer.Write(fresh); err != nil {
		return fmt.Errorf("bsdiff: %w", err)
	}
	return nil
}

// differenceChunk is the number of differences in memory at the same time.
const differenceChunk = 32 << 10

func (w *patchWriter) writeDifferences(scan, pos, length int) error {
	for length > 0 {
		n := min(length, differenceChunk)
		w.buffer = w.buffer[:0]
		for i := range n {
			w.buffer = append(w.buffer, w.newFile[scan+i]-w.oldFile[pos+i])
		}
		if _, err := w.differences.writer.Write(w.buffer); err != nil {
			return err
		}
		scan, pos, length = scan+n, pos+n, length-n
	}
	return nil
}

// patch returns the finished patch.
func (w *patchWriter) patch() ([]byte, error) {
	size := headerSize
	for _, p := range []*packed{w.control, w.differences, w.extra} {
		if err := p.writer.Close(); err != nil {
			return nil, fmt.Errorf("bsdiff: %w", err)
		}
		size += p.bytes.Len()
	}
	h := header{int64(w.control.bytes.Len()), int64(w.differences.bytes.Len()), int64(len(w.newFile))}
	patch := h.append(make([]byte, 0, size))
	patch = append(patch, w.control.bytes.Bytes()...)
	patch = append(patch, w.differences.bytes.Bytes()...)
	return append(patch, w.extra.bytes.Bytes()...), nil
}
