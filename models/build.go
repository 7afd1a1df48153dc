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

// Platform is the operating system that a build runs on.
type Platform string

const (
	IOS     Platform = "ios"
	Android Platform = "android"
)

// Shown returns the name of a platform for sentences: iOS, Android, Web.
func (p Platform) Shown() string {
	switch p {
	case IOS:
		return "iOS"
	case Android:
		return "Android"
	case Web:
		return "Web"
	default:
		return string(p)
	}
}

func (p Platform) Valid() bool { return p == IOS || p == Android }

// Web is the platform of clients that only evaluate flags and send reports. It has no builds.
const Web Platform = "web"

// BuildStatus is the state of a build: published at some time or not.
type BuildStatus string

const (
	BuildUploaded  BuildStatus = "uploaded"
	BuildPublished BuildStatus = "published"
)

// Build is the uploaded files of one export. Only its status and its source map change.
type Build struct {
	ID, ProjectID  int64
	UUID           uuid.UUID
	Platform       Platform
	RuntimeVersion string
	Message        string
	// ClientConfig is the app's configuration as uploaded, or nil.
	ClientConfig             json.RawMessage `gorm:"type:jsonb"`
	GitCommitHash, GitBranch string
	// GitAuthor is the author of the commit as the upload names them, or "".
	GitAuthor string
	// EmbeddedUpdateID is set if the build is the bundle of an embedded update.
	EmbeddedUpdateID *uuid.UUID
	Status           BuildStatus
	AssetCount       int
	SizeBytes        int64
	// NewAssetCount and NewBytes count the files that the project did not have before.
	NewAssetCount int
	NewBytes      int64
	CreatedAt     time.Time

	Assets []BuildAsset `gorm:"-"`
	// SourceMap is nil without one.
	SourceMap *SourceMap `gorm:"-"`
	// UploadedBy is the party that uploaded the build, with an empty type if the audit log does not have the upload.
	UploadedBy Actor `gorm:"-"`
	// Releases are the newest releases of the build, newest first, at most MaxBuildReleases. They are not filled in for
	// devices.
	Releases []BuildRelease `gorm:"-"`
	// HasMoreReleases reports whether the build has more releases than Releases.
	HasMoreReleases bool `gorm:"-"`
}

// MaxBuildReleases is the maximum number of releases in a build's record.
const MaxBuildReleases = 10

// BuildRelease is a publish of a build.
type BuildRelease struct {
	ID      int64
	BuildID int64
	// Channel is nil if the build was published to the branch directly.
	Channel        *string
	BranchName     string
	ReleaseMessage string
	IsEnabled      bool
	CreatedAt      time.Time
}

// BuildFilter selects builds of a list. Zero fields select all.
type BuildFilter struct {
	Platform Platform
	// WithoutAssets leaves Assets empty, which makes a list of builds with many files small.
	WithoutAssets bool
}

// BuildAsset is one file of a build; a Blob stores its contents.
type BuildAsset struct {
	BuildID, ProjectID int64
	// Path is the file's path inside the export, with forward slashes.
	Path string
	// MD5 is lower-case hex. It is the asset's key in a manifest too.
	MD5 string `gorm:"column:md5"`
	// SHA256 is base64url without padding, as in a manifest.
	SHA256      string `gorm:"column:sha256"`
	ContentType string
	// FileExtension begins with a dot.
	FileExtension string
	SizeBytes     int64
	IsLaunchAsset bool
}

// NewBuild is an upload whose files are already in the asset bucket.
type NewBuild struct {
	Platform                 Platform
	RuntimeVersion           string
	Message                  string
	ClientConfig             json.RawMessage
	GitCommitHash, GitBranch string
	GitAuthor                string
	// EmbeddedUpdateID is a UUID, or "": see Build.
	EmbeddedUpdateID string `json:",omitempty"`
	Assets           []BuildAsset
	// SourceMap is nil without one.
	SourceMap *NewSourceMap `json:",omitempty"`
	// HoldID is the ID of the BlobHold that protects the stored files, 0 for none.
	HoldID int64 `json:"-"`
	// Contents are properties of the contents of the files and the source map, by MD5.
	Contents map[string]NewContent `json:"-"`
}

// NewContent contains the properties of a file that are determined during its upload.
type NewContent struct {
	// SniffedType is the content type that the first bytes suggest.
	SniffedType string
	// Compress means that Waft should create compressed variants of the file.
	Compress bool
}

// ValidateFields checks every field except the files, before the files are read.
func (n NewBuild) ValidateFields() error {
	var p Problems
	checkOneOf(&p, "platform", n.Platform, IOS, Android)
	CheckRuntimeVersion(&p, "runtimeVersion", n.RuntimeVersion)
	checkLongText(&p, "message", n.Message)
	checkText(&p, "gitCommitHash", n.GitCommitHash, 128)
	checkText(&p, "gitBranch", n.GitBranch, 255)
	checkText(&p, "gitAuthor", n.GitAuthor, 255)
	checkUpdateID(&p, "embeddedUpdateId", n.EmbeddedUpdateID)
	if len(n.ClientConfig) > 0 {
		checkDocument(&p, "clientConfig", n.ClientConfig)
	}
	return p.Err()
}

// Validate checks every field, including the files.
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
			p.Add(field, "the path %q is listed twice", a.Path)
		}
		seen[a.Path] = true
		if a.IsLaunchAsset {
			launch++
		}
	}
	if launch != 1 {
		p.Add("assets", "must contain exactly one launch asset, found %d", launch)
	}
	return p.Err()
}

// ParseUpdateID parses the ID of an update in upper or lower case.
func ParseUpdateID(text string) (uuid.UUID, error) {
	const length = 36 // uuid.Parse accepts other forms, too
	id, err := uuid.Parse(text)
	if err != nil || len(text) != length || id == uuid.Nil {
		return uuid.Nil, errors.New("must be a UUID")
	}
	return id, nil
}

// checkUpdateID accepts "" and what ParseUpdateID accepts.
func checkUpdateID(p *Problems, field, v string) {
	if _, err := ParseUpdateID(v); v != "" && err != nil {
		p.Add(field, "%v", err)
	}
}

// CheckAssetPath accepts relative paths with forward slashes that stay inside the export.
func CheckAssetPath(name string) error {
	switch {
	case name == "":
		return errors.New("a file has no name; set the filename of its part")
	case len(name) > 1024:
		return errors.New("the path is longer than 1024 bytes")
	case strings.ContainsAny(name, "\x00\\"):
		return fmt.Errorf("the path %q must not contain backslashes or NUL; use forward slashes", name)
	case path.IsAbs(name) || path.Clean(name) != name || name == "." || name == ".." || strings.HasPrefix(name, "../"):
		return fmt.Errorf("the path %q must be relative and stay inside the export", name)
	}
	return nil
}
