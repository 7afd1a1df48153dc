package models

import "time"

// SourceMap is the source map of a build's launch asset. Its content is a Blob without an asset, so that devices cannot download it.
type SourceMap struct {
	BuildID, ProjectID int64
	// MD5 is lower-case hex.
	MD5       string `gorm:"column:md5"`
	SizeBytes int64
	CreatedAt time.Time
}

// NewSourceMap is a source map whose file is already in the asset bucket.
type NewSourceMap struct {
	MD5, SHA256 string
	SizeBytes   int64
	// HoldID is the ID of the BlobHold that protects the stored file.
	HoldID int64 `json:"-"`
}

// RunningUpdate is the update that a device runs, according to its reports.
type RunningUpdate struct {
	// UpdateUUID is in lower case, "" for the embedded update.
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
}
