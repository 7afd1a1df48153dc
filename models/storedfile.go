package models

import (
	"encoding/base64"
	"encoding/hex"
	"time"
)

// FileLife is how long Waft keeps a stored file that does not belong to a build yet, and how long a partial file waits for its
// next part.
const FileLife = 24 * time.Hour

// StoredFile is a file of a project in the asset bucket.
type StoredFile struct {
	// MD5 is lower-case hex, SHA256 base64url without padding.
	MD5       string `gorm:"column:md5"`
	SHA256    string `gorm:"column:sha256"`
	SizeBytes int64
	// SniffedType is the content type that the first bytes suggest.
	SniffedType string
}

// NewFile is a file that was uploaded on its own and is in the asset bucket.
type NewFile struct {
	StoredFile
	// HoldID is the ID of the BlobHold that protects the stored file.
	HoldID int64
}

// FileProgress is the progress of the upload of a file.
type FileProgress struct {
	SizeBytes, ReceivedBytes int64
	// Complete means that the whole file is stored.
	Complete bool
}

// PartialFile is a file that is being uploaded on its own. Only its first bytes have arrived.
type PartialFile struct {
	ID, ProjectID            int64
	SHA256                   string `gorm:"column:sha256"`
	SizeBytes, ReceivedBytes int64
	// Parts are objects in the order of their bytes.
	Parts []FilePart `gorm:"type:jsonb;serializer:json"`
	// Ended means that no further part is accepted.
	Ended     bool
	ExpiresAt time.Time
}

// FilePart is an object with some bytes of a partial file.
type FilePart struct {
	Name      string `json:"name"`
	SizeBytes int64  `json:"sizeBytes"`
}

// ParseSHA256 parses a SHA-256 in base64url without padding or in hex, and returns it in base64url.
func ParseSHA256(text string) (sha256 string, ok bool) {
	const bytes = 32
	if len(text) == hex.EncodedLen(bytes) {
		sum, err := hex.DecodeString(text)
		return base64.RawURLEncoding.EncodeToString(sum), err == nil
	}
	sum, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return text, err == nil && len(sum) == bytes
}
