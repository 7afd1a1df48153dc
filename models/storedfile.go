package models

import (
	"encoding/base64"
	"encoding/hex"
	"time"
)

// FileLife is how long a stored file that no build has is kept for the upload that will name it, and how long a partial file
// waits for its next part.
const FileLife = 24 * time.Hour

// StoredFile is a file of a project in the asset store.
type StoredFile struct {
	// MD5 is lower-case hex, SHA256 base64url without padding.
	MD5       string `gorm:"column:md5"`
	SHA256    string `gorm:"column:sha256"`
	SizeBytes int64
	// SniffedType is the content type that the first bytes suggest.
	SniffedType string
}

// NewFile is a file that was uploaded alone and is in the asset store.
type NewFile struct {
	StoredFile
	// HoldID is the BlobHold under which it was stored.
	HoldID int64
}

// FileProgress says how much of a file has arrived.
type FileProgress struct {
	SizeBytes, ReceivedBytes int64
	// Complete says that the whole file is stored.
	Complete bool
}

// PartialFile is a file that is uploaded alone, of which a beginning has arrived.
type PartialFile struct {
	ID, ProjectID            int64
	SHA256                   string `gorm:"column:sha256"`
	SizeBytes, ReceivedBytes int64
	// Parts are objects in the order of their bytes.
	Parts []FilePart `gorm:"type:jsonb;serializer:json"`
	// Ended says that no part can follow.
	Ended     bool
	ExpiresAt time.Time
}

// FilePart is an object with some bytes of a partial file.
type FilePart struct {
	Name      string `json:"name"`
	SizeBytes int64  `json:"sizeBytes"`
}

// ParseSHA256 reads a SHA-256 in base64url without padding or in hex, and returns it in base64url.
func ParseSHA256(text string) (sha256 string, ok bool) {
	const bytes = 32
	if len(text) == hex.EncodedLen(bytes) {
		sum, err := hex.DecodeString(text)
		return base64.RawURLEncoding.EncodeToString(sum), err == nil
	}
	sum, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return text, err == nil && len(sum) == bytes
}
