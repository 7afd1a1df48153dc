package models

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"unique"
)

// Blob is a file of a project as it is stored, once for all builds that have it.
type Blob struct {
	// MD5 is lower-case hex.
	MD5 string `gorm:"column:md5"`
	// SHA256 is base64url without padding.
	SHA256 string `gorm:"column:sha256"`
	// SizeBytes is how large the file itself is. GzipBytes and BrotliBytes are how
	// large its compressed variants are, nil where there is none.
	SizeBytes   int64
	GzipBytes   *int64
	BrotliBytes *int64
	// ContentType is both what manifests say and what the file is served as.
	ContentType string
}

// Blobs are files by their MD5, in little memory. The zero value has none. They are
// immutable: With makes others.
type Blobs struct {
	byMD5 map[[16]byte]packedBlob
	// retyped counts how often a known file got another content type.
	retyped int
}

// packedBlob is a Blob without pointers but to the few content types that there
// are. A variant of no bytes is none.
type packedBlob struct {
	sha256       [32]byte
	size         int64
	gzip, brotli int64
	contentType  unique.Handle[string]
}

// With are the blobs with the changed ones added or replaced and those with the
// MD5s in gone left out. It fails when a hash is malformed.
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
		copy(p.sha256[:], sha256)
		Assign(&p.gzip, c.GzipBytes)
		Assign(&p.brotli, c.BrotliBytes)
		if known, ok := next[key]; ok && known.contentType != p.contentType {
			retyped++
		}
		next[key] = p
	}
	return Blobs{next, retyped}, nil
}

// SameTypes reports whether the files of earlier, from which b was made with With,
// have the content types that they had.
func (b Blobs) SameTypes(earlier Blobs) bool { return b.retyped == earlier.retyped }

// Get finds a blob by its MD5 in lower-case hex.
func (b Blobs) Get(md5 string) (Blob, bool) {
	key, ok := unpackMD5(md5)
	if !ok {
		return Blob{}, false
	}
	p, ok := b.byMD5[key]
	if !ok {
		return Blob{}, false
	}
	found := Blob{
		MD5: md5, SHA256: base64.RawURLEncoding.EncodeToString(p.sha256[:]),
		SizeBytes: p.size, ContentType: p.contentType.Value(),
	}
	if p.gzip > 0 {
		found.GzipBytes = &p.gzip
	}
	if p.brotli > 0 {
		found.BrotliBytes = &p.brotli
	}
	return found, true
}

// unpackMD5 refuses what is not 32 lower-case hex digits.
func unpackMD5(text string) (key [16]byte, ok bool) {
	if len(text) != hex.EncodedLen(len(key)) {
		return key, false
	}
	for i := range len(text) {
		if 'A' <= text[i] && text[i] <= 'F' {
			return key, false
		}
	}
	_, err := hex.Decode(key[:], []byte(text))
	return key, err == nil
}
