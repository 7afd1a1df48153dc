package models

import "time"

// SourceMap is the source map of a build's launch asset. Its content is a Blob that no asset refers to, so that devices
// cannot download it.
type SourceMap struct {
	BuildID, ProjectID int64
	// MD5 is lower-case hex.
	MD5       string `gorm:"column:md5"`
	SizeBytes int64
	CreatedAt time.Time
}

// NewSourceMap is a source map whose file is already in the asset store.
type NewSourceMap struct {
	MD5, SHA256 string
	SizeBytes   int64
	// HoldID is the BlobHold under which the file was stored.
	HoldID int64 `json:"-"`
}

// RunningUpdate is what a device runs, as it reports it.
type RunningUpdate struct {
	// UpdateUUID is in lower case, "" for the embedded update.
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
}
