package models

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"unique"
)

// Encoding is the HTTP name of a content encoding.
type Encoding string

// The encodings that files are stored in. Every file is stored as Identity.
const (
	Identity Encoding = ""
	Gzip     Encoding = "gzip"
	Brotli   Encoding = "br"
)

// CompressedEncodings are all encodings except Identity. The encoding that usually gives the smallest file is first.
var CompressedEncodings = []Encoding{Brotli, Gzip}

// Blob is a stored file of a project. Builds with the same file share it.
type Blob struct {
	// MD5 is lower-case hex.
	MD5 string `gorm:"column:md5"`
	// SHA256 is base64url without padding.
	SHA256 string `gorm:"column:sha256"`
	// SizeBytes is the size of the file. GzipBytes and BrotliBytes are the sizes of its compressed variants, nil for none.
	SizeBytes   int64
	GzipBytes   *int64
	BrotliBytes *int64
	// VariantsPending means that the compressed variants still have to be created.
	VariantsPending bool
	// ContentType is used in manifests and when the file is served.
	ContentType string
}

// Size returns the size of the file in an encoding; ok is false if it is not stored in that encoding.
func (b Blob) Size(e Encoding) (size int64, ok bool) {
	switch {
	case e == Identity:
		return b.SizeBytes, true
	case e == Gzip && b.GzipBytes != nil:
		return *b.GzipBytes, true
	case e == Brotli && b.BrotliBytes != nil:
		return *b.BrotliBytes, true
	}
	return 0, false
}

// BlobVariants are the sizes of a file's compressed variants in bytes. The size is nil if the variant does not exist.
type BlobVariants struct {
	GzipBytes   *int64
	BrotliBytes *int64
}

// Add records a variant of size bytes.
func (v *BlobVariants) Add(e Encoding, size int64) {
	switch e {
	case Gzip:
		v.GzipBytes = &size
	case Brotli:
		v.BrotliBytes = &size
	case Identity: // no variant
	}
}

// Blobs is an immutable set of files by MD5 that uses little memory. The zero value is empty.
type Blobs struct {
	byMD5   map[[16]byte]packedBlob
	retyped int
}

// packedBlob is a Blob with hardly any pointers. The size of a missing variant is 0. While variants are pending, brotli is
// pendingVariant.
type packedBlob struct {
	sha256       [32]byte
	size         int64
	gzip, brotli int64
	contentType  unique.Handle[string]
}

const pendingVariant = -1

// With returns b with the changed blobs added or replaced, and without the blobs whose MD5 is in gone. It fails on a malformed
// hash.
func (b Blobs) With(changed []Blob, gone []string) (Blobs, error) {
	if len(changed) == 0 && len(gone) == 0 {
		return b, nil
	}
	next := make(map[[16]byte]packedBlob, len(b.byMD5)+len(changed))
	maps.Copy(next, b.byMD5)
	retyped := b.retyped
	for _, md5 := range gone {
		if key, ok := unpackMD5(md5); ok {
			delete(next, key)
		}
	}
	for _, c := range changed {
		key, ok := unpackMD5(c.MD5)
		if !ok {
			return Blobs{}, fmt.Errorf("%q is not an MD5", c.MD5)
		}
		p := packedBlob{size: c.SizeBytes, contentType: unique.Make(c.ContentType)}
		sha256, err := base64.RawURLEncoding.DecodeString(c.SHA256)
		if err != nil || len(sha256) != len(p.sha256) {
			return Blobs{}, fmt.Errorf("%q is not a SHA-256", c.SHA256)
		}
		p.sha256 = [32]byte(sha256)
		Assign(&p.gzip, c.GzipBytes)
		Assign(&p.brotli, c.BrotliBytes)
		if c.VariantsPending {
			p.brotli = pendingVariant
		}
		if known, ok := next[key]; ok && known.contentType != p.contentType {
			retyped++
		}
		next[key] = p
	}
	return Blobs{next, retyped}, nil
}

// SameTypes reports whether all files of earlier, from which With created b, still have the same content type.
func (b Blobs) SameTypes(earlier Blobs) bool { return b.retyped == earlier.retyped }

// Len returns the number of blobs.
func (b Blobs) Len() int { return len(b.byMD5) }

// Get returns the blob with the given MD5 in lower-case hex.
func (b Blobs) Get(md5 string) (Blob, bool) {
	key, ok := unpackMD5(md5)
	p, known := b.byMD5[key]
	if !ok || !known {
		return Blob{}, false
	}
	found := Blob{
		MD5: md5, SHA256: base64.RawURLEncoding.EncodeToString(p.sha256[:]),
		SizeBytes: p.size, ContentType: p.contentType.Value(), VariantsPending: p.brotli == pendingVariant,
	}
	if p.gzip > 0 {
		found.GzipBytes = &p.gzip
	}
	if p.brotli > 0 {
		found.BrotliBytes = &p.brotli
	}
	return found, true
}

// unpackMD5 decodes exactly 32 lower-case hex digits.
func unpackMD5(text string) (key [16]byte, ok bool) {
	if len(text) != hex.EncodedLen(len(key)) || strings.ContainsAny(text, "ABCDEF") {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(text))
	return key, err == nil
}
