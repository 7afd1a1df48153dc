package models

// Encoding is how a file's bytes are coded, by the name that HTTP has for it.
type Encoding string

// Encodings that files are stored in. Every file is there as it is.
const (
	Identity Encoding = ""
	Gzip     Encoding = "gzip"
	Brotli   Encoding = "br"
)

// CompressedEncodings are those that a file may be stored in besides, the smaller
// one first as a rule.
var CompressedEncodings = []Encoding{Brotli, Gzip}

// BlobVariants are the sizes in bytes of a file's compressed variants, nil where
// there is none.
type BlobVariants struct {
	GzipBytes   *int64
	BrotliBytes *int64
}

// Add notes a variant.
func (v *BlobVariants) Add(e Encoding, size int64) {
	switch e {
	case Gzip:
		v.GzipBytes = &size
	case Brotli:
		v.BrotliBytes = &size
	case Identity: // no variant
	}
}

// Size is how large the file is in an encoding, if it is there in it.
func (b Blob) Size(e Encoding) (size int64, ok bool) {
	switch {
	case e == Identity:
		return b.SizeBytes, true
	case e == Gzip && b.GzipBytes != nil:
		return *b.GzipBytes, true
	case e == Brotli && b.BrotliBytes != nil:
		return *b.BrotliBytes, true
	default:
		return 0, false
	}
}
