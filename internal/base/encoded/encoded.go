// Package encoded keeps content that many clients download with its compressed variants.
package encoded

import (
	"bytes"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"github.com/waft-ota/waft/models"
)

const (
	// minBytes is the size of the smallest content that is compressed. A smaller one fits into one packet anyway.
	minBytes = 1 << 10
	// worthPercent is the largest size of a variant, in percent of the content.
	worthPercent = 90

	brotliQuality = 6
	gzipLevel     = 6
)

// Content is immutable content. Each variant is made at its first use and kept. It is safe for concurrent use.
type Content struct {
	plain        []byte
	gzip, brotli variant
}

type variant struct {
	once    sync.Once
	content []byte
}

// New keeps content, which must not change.
func New(content []byte) *Content { return &Content{plain: content} }

// In returns the content in an encoding; nil when that would not be small enough.
func (c *Content) In(e models.Encoding) []byte {
	var v *variant
	switch e {
	case models.Gzip:
		v = &c.gzip
	case models.Brotli:
		v = &c.brotli
	default:
		return c.plain
	}
	v.once.Do(func() { v.content = Compress(e, c.plain) })
	return v.content
}

// Prepare makes all variants, so that In and Size take no time.
func (c *Content) Prepare() {
	for _, e := range models.CompressedEncodings {
		c.In(e)
	}
}

// Size returns the size of the content in an encoding; ok is false when it is not to be had in it.
func (c *Content) Size(e models.Encoding) (size int64, ok bool) {
	content := c.In(e)
	return int64(len(content)), content != nil || e == models.Identity
}

// Worth reports whether content of so many bytes may be worth compressing.
func Worth(size int) bool { return size >= minBytes }

// zippers are kept, since each has most of a megabyte.
var zippers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel) // the level is valid
	return w
}}

// Compress returns the pieces of a content, one after the other, in an encoding; nil when that would not be small enough.
func Compress(e models.Encoding, pieces ...[]byte) []byte {
	size := 0
	for _, p := range pieces {
		size += len(p)
	}
	if !Worth(size) {
		return nil
	}
	var to bytes.Buffer
	var w io.WriteCloser
	if e == models.Gzip {
		zipper := zippers.Get().(*gzip.Writer)
		defer zippers.Put(zipper)
		zipper.Reset(&to)
		w = zipper
	} else {
		w = brotli.NewWriterLevel(&to, brotliQuality)
	}
	for _, p := range pieces {
		_, _ = w.Write(p) // a buffer takes everything
	}
	_ = w.Close()
	if to.Len() > size*worthPercent/100 {
		return nil
	}
	return bytes.Clone(to.Bytes())
}
