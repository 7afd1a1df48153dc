package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"
)

// BuildStatus says whether a build was ever published.
type BuildStatus string

// Build statuses.
const (
	BuildUploaded  BuildStatus = "uploaded"
	BuildPublished BuildStatus = "published"
)

// Build is an uploaded set of files for one runtime version and platform. It
// never changes, except its status.
type Build struct {
	ID             int64
	ProjectID      int64
	UUID           uuid.UUID
	Platform       Platform
	RuntimeVersion string
	Message        string
	// ClientConfig is the client's app configuration as uploaded, or nil.
	ClientConfig  json.RawMessage `gorm:"type:jsonb"`
	GitCommitHash string
	GitBranch     string
	// EmbeddedUpdateID is the id of the embedded update whose bundle this is,
	// nil for a build that is made to be published.
	EmbeddedUpdateID *uuid.UUID
	Status           BuildStatus
	AssetCount       int
	SizeBytes        int64
	// NewAssetCount and NewBytes count what the project's store did not hold
	// before this build.
	NewAssetCount int
	NewBytes      int64
	CreatedAt     time.Time

	Assets []BuildAsset `gorm:"-"`
}

// BuildAsset is one file of a build, stored once per project by its MD5.
type BuildAsset struct {
	BuildID   int64
	ProjectID int64
	// Path is the file's path inside the export, with forward slashes.
	Path string
	// MD5 is lower-case hex and also the asset's key in a manifest.
	MD5 string `gorm:"column:md5"`
	// SHA256 is base64url without padding, as a manifest's hash field wants it.
	SHA256 string `gorm:"column:sha256"`
	// ContentType and FileExtension are what a device is told; the extension
	// begins with a dot.
	ContentType   string
	FileExtension string
	SizeBytes     int64
	IsLaunchAsset bool
}

// NewBuild is an upload whose files are already in the asset store.
type NewBuild struct {
	Platform       Platform
	RuntimeVersion string
	Message        string
	ClientConfig   json.RawMessage
	GitCommitHash  string
	GitBranch      string
	// EmbeddedUpdateID is a UUID, or "": see Build.
	EmbeddedUpdateID string `json:",omitempty"`
	Assets           []BuildAsset
	// HoldID is the BlobHold under which the files were stored, 0 for none.
	HoldID int64 `json:"-"`
	// Variants are those of the files that were not there before, by MD5.
	Variants map[string]BlobVariants `json:"-"`
}

// ValidateFields reports every bad field but the files, so that an upload can be
// refused before its files are read.
func (n NewBuild) ValidateFields() error {
	var p Problems
	if !n.Platform.Valid() {
		p.Add("platform", "must be ios or android")
	}
	CheckRuntimeVersion(&p, "runtimeVersion", n.RuntimeVersion)
	checkText(&p, "message", n.Message, 4096)
	checkText(&p, "gitCommitHash", n.GitCommitHash, 128)
	checkText(&p, "gitBranch", n.GitBranch, 255)
	if n.EmbeddedUpdateID != "" {
		if _, err := ParseUpdateID(n.EmbeddedUpdateID); err != nil {
			p.Add("embeddedUpdateId", "%v", err)
		}
	}
	if len(n.ClientConfig) > 0 {
		checkDocument(&p, "clientConfig", n.ClientConfig)
	}
	return p.Err()
}

// Validate reports every bad field, the files included.
func (n NewBuild) Validate() error {
	if err := n.ValidateFields(); err != nil {
		return err
	}
	var p Problems
	launch := 0
	seen := make(map[string]bool, len(n.Assets))
	for i, a := range n.Assets {
		field := fmt.Sprintf("assets[%d]", i)
		if err := CheckAssetPath(a.Path); err != nil {
			p.Add(field, "%v", err)
		}
		if seen[a.Path] {
			p.Add(field, "the path %q is there twice", a.Path)
		}
		seen[a.Path] = true
		if a.IsLaunchAsset {
			launch++
		}
	}
	if launch != 1 {
		p.Add("assets", "must hold exactly one launch asset, found %d", launch)
	}
	return p.Err()
}

// ParseUpdateID reads the id of an update as clients send it, whatever its case.
func ParseUpdateID(text string) (uuid.UUID, error) {
	const length = 36 // uuid.Parse takes other forms as well
	id, err := uuid.Parse(text)
	if err != nil || len(text) != length || id == uuid.Nil {
		return uuid.Nil, errors.New("must be a UUID")
	}
	return id, nil
}

// CheckAssetPath reports why name cannot be a file's path inside an export: it
// must be relative, use forward slashes and stay inside.
func CheckAssetPath(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a file has no name; give the part a filename")
	case len(name) > 1024:
		return fmt.Errorf("the path is longer than 1024 bytes")
	case strings.ContainsAny(name, "\x00\\"):
		return fmt.Errorf("the path %q must use forward slashes and no NUL", name)
	case path.IsAbs(name) || path.Clean(name) != name || name == "." || name == ".." || strings.HasPrefix(name, "../"):
		return fmt.Errorf("the path %q must be relative and stay inside the export", name)
	}
	return nil
}

// CheckRuntimeVersion notes a problem unless v can be a runtime version: any
// printable ASCII text of at most 128 bytes, since it travels in a header.
func CheckRuntimeVersion(p *Problems, field, v string) {
	if v == "" {
		p.Add(field, "is required")
		return
	}
	if len(v) > 128 {
		p.Add(field, "must be at most 128 bytes")
		return
	}
	for i := range len(v) {
		if v[i] < 0x21 || v[i] > 0x7e {
			p.Add(field, "must be printable ASCII without spaces")
			return
		}
	}
}
