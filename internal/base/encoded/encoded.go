// Package encoded keeps content that many clients download with its compressed variants.
package encoded

import (
	"bytes"
	"io"
	"slices"
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

	// restBytes are compressed within 0.3 milliseconds.
	restBytes = 4 << 10

	brotliQuality = 6
	// quickBrotliQuality is for contents above quickBytes: it takes a third of the time, works on 16 KiB at a time instead of 64, and
	// makes a variant that is at most a quarter larger.
	quickBrotliQuality = 3
	quickBytes         = 256 << 10
	gzipLevel          = 6
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
	return c.in(e, func() {})
}

func (c *Content) in(e models.Encoding, rest func()) []byte {
	var v *variant
	switch e {
	case models.Gzip:
		v = &c.gzip
	case models.Brotli:
		v = &c.brotli
	default:
		return c.plain
	}
	v.once.Do(func() { v.content = compress(e, rest, c.plain) })
	return v.content
}

// Prepare creates all variants, so that In and Size return immediately. It calls rest after every restBytes of the content.
func (c *Content) Prepare(rest func()) {
	for _, e := range models.CompressedEncodings {
		c.in(e, rest)
	}
}

// Size returns the size of the content in an encoding; ok is false when it is not to be had in it.
func (c *Content) Size(e models.Encoding) (size int64, ok bool) {
	content := c.In(e)
	return int64(len(content)), content != nil || e == models.Identity
}

// Worth reports whether content of so many bytes may be worth compressing.
func Worth(size int) bool { return size >= minBytes }

// writer compresses what is written to it.
type writer interface {
	io.WriteCloser
	Reset(to io.Writer)
}

// gzips, brotlis and quickBrotlis keep writers for reuse, because each writer takes one to ten megabytes.
var (
	gzips = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(io.Discard, gzipLevel) // the level is valid
		return w
	}}
	brotlis      = sync.Pool{New: func() any { return brotli.NewWriterLevel(io.Discard, brotliQuality) }}
	quickBrotlis = sync.Pool{New: func() any { return brotli.NewWriterLevel(io.Discard, quickBrotliQuality) }}
)

// writersOf returns the writers for contents of a size in an encoding.
func writersOf(e models.Encoding, size int) *sync.Pool {
	switch {
	case e == models.Gzip:
		return &gzips
	case size > quickBytes:
		return &quickBrotlis
	default:
		return &brotlis
	}
}

// Compress returns the pieces of a content, one after the other, in an encoding; nil when that would not be small enough.
func Compress(e models.Encoding, pieces ...[]byte) []byte { return compress(e, func() {}, pieces...) }

func compress(e models.Encoding, rest func(), pieces ...[]byte) []byte {
	size := 0
	for _, p := range pieces {
		size += len(p)
	}
	if !Worth(size) {
		return nil
	}
	var to bytes.Buffer
	writers := writersOf(e, size)
	w := writers.Get().(writer)
	defer writers.Put(w)
	w.Reset(&to)
	for _, p := range pieces {
		for part := range slices.Chunk(p, restBytes) {
			_, _ = w.Write(part) // a buffer takes everything
			rest()
		}
	}
	_ = w.Close()
	if to.Len() > size*worthPercent/100 {
		return nil
	}
	return bytes.Clone(to.Bytes())
}
