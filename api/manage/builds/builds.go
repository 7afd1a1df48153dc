package builds

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Builds stores uploaded builds.
type Builds interface {
	CreateBuild(ctx context.Context, projectID int64, actor models.Actor, n models.NewBuild) (models.Build, error)
	ListBuilds(ctx context.Context, projectID int64, filter models.BuildFilter, page models.Page) ([]models.Build, error)
	DeleteBuild(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	Build(ctx context.Context, projectID, id int64) (models.Build, error)
	// BuildID finds a build by its UUID.
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}

var (
	listBuildsDoc = rest.Doc(TagBuilds, "listBuilds", "List builds",
		"Returns the uploaded builds that match all given filters, published or not.")
	getBuildDoc = rest.Doc(TagBuilds, "getBuild", "Get a build",
		"Returns the build with its files, its source map's size and its newest releases.")
	deleteBuildDoc = rest.Doc(TagBuilds, "deleteBuild", "Delete a build",
		"A build that a release needs cannot be deleted (in_use).", http.StatusConflict)
)

type listBuildsInput struct {
	rest.ListQuery
	Platform models.Platform `query:"platform" enum:"ios,android" doc:"Platform of the builds."`
	Assets   string          `query:"assets" enum:"true,false" doc:"Whether to list the files of each build; true by default."`
}

func (h *Handlers) listBuilds(ctx context.Context, in *listBuildsInput) (*rest.List[Build], error) {
	filter := models.BuildFilter{Platform: in.Platform, WithoutAssets: in.Assets == "false"}
	return rest.Listed(ctx, in.ListQuery, BuildRecord, func(p models.Page) ([]models.Build, error) {
		return h.Builds.ListBuilds(ctx, rest.ProjectOf(ctx), filter, p)
	})
}

// Build is an uploaded set of files for one runtime version and platform.
type Build struct {
	ID               int64                   `json:"id"`
	UUID             uuid.UUID               `json:"uuid" format:"uuid"`
	BuildUUID        uuid.UUID               `json:"buildUuid" format:"uuid" doc:"Same value as uuid."`
	Platform         models.Platform         `json:"platform" enum:"ios,android"`
	RuntimeVersion   string                  `json:"runtimeVersion" doc:"Runtime version; only devices with exactly this one get the build."`
	Message          string                  `json:"message"`
	ClientConfig     rest.Object             `json:"clientConfig" doc:"App configuration from the upload, which devices get as extra.expoClient."`
	GitCommitHash    string                  `json:"gitCommitHash"`
	GitBranch        string                  `json:"gitBranch"`
	GitAuthor        string                  `json:"gitAuthor" doc:"Author of the commit; empty if the upload does not name them."`
	EmbeddedUpdateID *uuid.UUID              `json:"embeddedUpdateId" nullable:"true" format:"uuid" doc:"ID of the update inside a binary, if the build is that update's bundle; null for a build to publish."`
	Status           models.BuildStatus      `json:"status" enum:"uploaded,published" doc:"Status of the build: published after its first publish."`
	Assets           []BuildAsset            `json:"assets"`
	AssetCount       int                     `json:"assetCount"`
	SizeBytes        int64                   `json:"sizeBytes"`
	NewAssetCount    int                     `json:"newAssetCount" doc:"Number of files that were not in the asset bucket before."`
	NewBytes         int64                   `json:"newBytes" doc:"Number of bytes that were not in the asset bucket before."`
	SourceMapBytes   int64                   `json:"sourceMapBytes" doc:"Size of the launch asset's source map, which sizeBytes includes; 0 without a source map."`
	UploadedBy       rest.OrNull[rest.Actor] `json:"uploadedBy" doc:"Person or API key that uploaded the build, or null if the audit log does not have the upload."`
	Releases         []BuildRelease          `json:"releases" doc:"Newest releases of the build, newest first, at most 10."`
	HasMoreReleases  bool                    `json:"hasMoreReleases" doc:"True if the build has more releases than the newest ten."`
	CreatedAt        rest.Time               `json:"createdAt"`
}

// uploader returns the actor of an upload, or null if it is unknown.
func uploader(a models.Actor) rest.OrNull[rest.Actor] {
	if a.Type == "" {
		return rest.OrNull[rest.Actor]{}
	}
	return rest.Present(rest.Actor{Type: a.Type, ID: a.ID, Name: a.Name})
}

// BuildRelease is a publish of a build.
type BuildRelease struct {
	UpdateID       int64     `json:"updateId" doc:"ID of the release."`
	Channel        *string   `json:"channel" doc:"Channel that the build was published to; null if it was published to a branch directly."`
	BranchName     string    `json:"branchName"`
	ReleaseMessage string    `json:"releaseMessage"`
	IsEnabled      bool      `json:"isEnabled" doc:"Whether devices get the release."`
	CreatedAt      rest.Time `json:"createdAt"`
}

// BuildAsset is one file of a build.
type BuildAsset struct {
	Path          string `json:"path" doc:"Path inside the export."`
	Key           string `json:"key" doc:"MD5 of the file in hex, which is its name at the assets endpoint."`
	SHA256        string `json:"sha256" doc:"SHA-256 of the file in base64url."`
	ContentType   string `json:"contentType"`
	FileExtension string `json:"fileExtension"`
	SizeBytes     int64  `json:"sizeBytes"`
	IsLaunchAsset bool   `json:"isLaunchAsset" doc:"Whether the file is the bundle that the app starts."`
}

// BuildRecord returns the API's representation of a build.
func BuildRecord(b models.Build) Build {
	var sourceMapBytes int64
	if b.SourceMap != nil {
		sourceMapBytes = b.SourceMap.SizeBytes
	}
	return Build{
		ID: b.ID, UUID: b.UUID, BuildUUID: b.UUID, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, Message: b.Message,
		ClientConfig: rest.Object(b.ClientConfig), GitCommitHash: b.GitCommitHash, GitBranch: b.GitBranch, GitAuthor: b.GitAuthor,
		EmbeddedUpdateID: b.EmbeddedUpdateID,
		Status:           b.Status, Assets: rest.Rendered(b.Assets, buildAssetRecord), AssetCount: b.AssetCount,
		SizeBytes: b.SizeBytes, NewAssetCount: b.NewAssetCount, NewBytes: b.NewBytes, SourceMapBytes: sourceMapBytes,
		UploadedBy: uploader(b.UploadedBy),
		Releases:   rest.Rendered(b.Releases, buildReleaseRecord), HasMoreReleases: b.HasMoreReleases,
		CreatedAt: rest.Time{Time: b.CreatedAt},
	}
}

func buildAssetRecord(a models.BuildAsset) BuildAsset {
	return BuildAsset{
		Path: a.Path, Key: a.MD5, SHA256: a.SHA256, ContentType: a.ContentType, FileExtension: a.FileExtension,
		SizeBytes: a.SizeBytes, IsLaunchAsset: a.IsLaunchAsset,
	}
}

func buildReleaseRecord(r models.BuildRelease) BuildRelease {
	return BuildRelease{
		UpdateID: r.ID, Channel: r.Channel, BranchName: r.BranchName, ReleaseMessage: r.ReleaseMessage, IsEnabled: r.IsEnabled,
		CreatedAt: rest.Time{Time: r.CreatedAt},
	}
}

func (Build) Example() any {
	return Build{
		ID: 12, UUID: uuid.MustParse(rest.ExampleUUID), BuildUUID: uuid.MustParse(rest.ExampleUUID), Platform: models.IOS,
		RuntimeVersion: "1.4.0",
		Message:        "Fix the checkout button", ClientConfig: rest.Object(`{"name":"Demo","slug":"demo"}`),
		GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitBranch: "main", GitAuthor: "Ada Lovelace", Status: models.BuildUploaded,
		Assets: []BuildAsset{{
			Path: "_expo/static/js/ios/entry.hbc", Key: rest.ExampleMD5, SHA256: "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI",
			ContentType: "application/javascript", FileExtension: ".bundle", SizeBytes: 1048576, IsLaunchAsset: true,
		}},
		AssetCount: 1, SizeBytes: 1048576, NewAssetCount: 1, NewBytes: 1048576,
		UploadedBy: rest.Present(rest.Actor{Type: models.ActorAPIKey, ID: "3", Name: "ci"}), Releases: []BuildRelease{}, CreatedAt: rest.ExampleTime,
	}
}

func (r Build) RecordID() int64 { return r.ID }

// BuildIdentifier allows a path to identify a build by its UUID.
func BuildIdentifier(builds interface {
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}) *rest.Identifier {
	return rest.ByUUID(buildParam, func(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
		return builds.BuildID(ctx, projectID, id)
	})
}

var buildParam = rest.IdentifierParam("ID or UUID of the build.", rest.UUID("").Schema(nil))
