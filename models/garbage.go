package models

import "time"

// SeenWithin is how long ago a device may have run a release for the release's
// build to be kept, whatever became of the release.
const SeenWithin = 90 * 24 * time.Hour

// Garbage is what the cleanup deletes, or would delete.
type Garbage struct {
	// Builds are without their files, oldest first; at most MaxGarbageBuilds at a time.
	Builds []Build
	// Blobs and Bytes count the contents that no other build needs.
	Blobs, Bytes int64
	// Pending counts contents that no build needs and the asset store still holds.
	Pending int64
}

// MaxGarbageBuilds bounds the builds that one collection takes.
const MaxGarbageBuilds = 500

// BlobHold protects contents from the cleanup while an upload needs them.
type BlobHold struct {
	ID int64
	// Known maps the MD5 of each content that the project holds to its SHA-256.
	Known map[string]string
}
