package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Builds stores uploaded builds.
type Builds interface {
	CreateBuild(ctx context.Context, projectID int64, actor models.Actor, n models.NewBuild) (models.Build, error)
	ListBuilds(ctx context.Context, projectID int64, page models.Page) ([]models.Build, error)
	DeleteBuild(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	Build(ctx context.Context, projectID, id int64) (models.Build, error)
	// BuildID finds a build by its UUID.
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}

var (
	listBuildsDoc  = doc(tagBuilds, "listBuilds", "List builds", "All uploaded builds, published or not.")
	deleteBuildDoc = doc(tagBuilds, "deleteBuild", "Delete a build",
		"A build that a release needs cannot be deleted (in_use).", http.StatusConflict)
	publishBuildDoc = doc(tagBuilds, "publishBuild", "Publish a build to a channel",
		"Creates a release on the channel's branch. A build can be published any number of times. To publish several "+
			"platforms together, pass the groupId of the first publish to the others. With rolloutPolicyId the "+
			"release starts at 0 % and the stages of the policy raise its share.",
		http.StatusCreated)
)

// PublishOptions are the options of publishing a build.
type PublishOptions struct {
	RolloutPercentage *float64   `json:"rolloutPercentage,omitempty" minimum:"0" maximum:"100" doc:"Share of devices that get the release; 100 when absent."`
	IsCritical        bool       `json:"isCritical,omitempty" doc:"Devices apply it at once rather than at their next cold start."`
	ReleaseMessage    string     `json:"releaseMessage,omitempty" doc:"Release notes."`
	GroupID           UUID       `json:"groupId,omitempty" doc:"The groupId of the publish of another platform, to publish both together."`
	RolloutPolicyID   *int64     `json:"rolloutPolicyId,omitempty" minimum:"1" doc:"Rolls the release out by this policy."`
	LinkedFlags       []FlagLink `json:"linkedFlags,omitempty" doc:"Feature flags that the release turns on or off while it is out."`
}

func (o PublishOptions) model() models.Publish {
	return models.Publish{
		RolloutPercentage: o.RolloutPercentage, IsCritical: o.IsCritical, ReleaseMessage: o.ReleaseMessage,
		GroupID: parsedUUID(string(o.GroupID)), RolloutPolicyID: o.RolloutPolicyID, LinkedFlags: linkModels(o.LinkedFlags),
	}
}

type publishBuildBody struct {
	Channel string `json:"channel" doc:"The channel to publish to."`
	PublishOptions
}

func (b publishBuildBody) model(buildID int64) models.Publish {
	p := b.PublishOptions.model()
	p.BuildID, p.Channel = buildID, b.Channel
	return p
}

// Resolve validates with any id, because the id of the build is in the path.
func (b publishBuildBody) Resolve(huma.Context) []error { return bodyErrors(b.model(1).Validate()) }

func (publishBuildBody) example() any {
	return publishBuildBody{
		Channel:        "production",
		PublishOptions: PublishOptions{ReleaseMessage: "Fix the checkout button", RolloutPolicyID: new(int64(8))},
	}
}

func (h *handlers) publishBuild(ctx context.Context, in *idBodyInput[publishBuildBody]) (*output[Update], error) {
	r, err := h.Releases.Publish(ctx, projectOf(ctx), actorOf(ctx), in.Body.model(in.ID))
	return &output[Update]{updateRecord(r)}, err
}

// Build is an uploaded set of files for one runtime version and platform.
type Build struct {
	ID               int64              `json:"id"`
	UUID             uuid.UUID          `json:"uuid" format:"uuid"`
	BuildUUID        uuid.UUID          `json:"buildUuid" format:"uuid" doc:"Another name of uuid."`
	Platform         models.Platform    `json:"platform" enum:"ios,android"`
	RuntimeVersion   string             `json:"runtimeVersion" doc:"Only devices of exactly this runtime version get it."`
	Message          string             `json:"message"`
	ClientConfig     Object             `json:"clientConfig" doc:"The app configuration that came with the upload; devices get it as extra.expoClient."`
	GitCommitHash    string             `json:"gitCommitHash"`
	GitBranch        string             `json:"gitBranch"`
	EmbeddedUpdateID *uuid.UUID         `json:"embeddedUpdateId" nullable:"true" format:"uuid" doc:"Id of the update inside a binary whose bundle this is; null for a build that is made to be published."`
	Status           models.BuildStatus `json:"status" enum:"uploaded,published" doc:"Published once it was published at least once."`
	Assets           []BuildAsset       `json:"assets"`
	AssetCount       int                `json:"assetCount"`
	SizeBytes        int64              `json:"sizeBytes"`
	NewAssetCount    int                `json:"newAssetCount" doc:"Files that were not in the asset store before."`
	NewBytes         int64              `json:"newBytes" doc:"Bytes that were not in the asset store before."`
	SourceMapBytes   int64              `json:"sourceMapBytes" doc:"Size of the source map of the launch asset, which sizeBytes includes; 0 without one."`
	CreatedAt        Time               `json:"createdAt"`
}

// BuildAsset is one file of a build.
type BuildAsset struct {
	Path          string `json:"path" doc:"Path inside the export."`
	Key           string `json:"key" doc:"MD5 of the file in hex, its name at the assets endpoint."`
	SHA256        string `json:"sha256" doc:"SHA-256 of the file in base64url."`
	ContentType   string `json:"contentType"`
	FileExtension string `json:"fileExtension"`
	SizeBytes     int64  `json:"sizeBytes"`
	IsLaunchAsset bool   `json:"isLaunchAsset" doc:"Whether it is the bundle that the app starts."`
}

func buildRecord(b models.Build) Build {
	var sourceMapBytes int64
	if b.SourceMap != nil {
		sourceMapBytes = b.SourceMap.SizeBytes
	}
	return Build{
		ID: b.ID, UUID: b.UUID, BuildUUID: b.UUID, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, Message: b.Message,
		ClientConfig: Object(b.ClientConfig), GitCommitHash: b.GitCommitHash, GitBranch: b.GitBranch,
		EmbeddedUpdateID: b.EmbeddedUpdateID,
		Status:           b.Status, Assets: rendered(b.Assets, buildAssetRecord), AssetCount: b.AssetCount,
		SizeBytes: b.SizeBytes, NewAssetCount: b.NewAssetCount, NewBytes: b.NewBytes, SourceMapBytes: sourceMapBytes, CreatedAt: Time{b.CreatedAt},
	}
}

func buildAssetRecord(a models.BuildAsset) BuildAsset {
	return BuildAsset{
		Path: a.Path, Key: a.MD5, SHA256: a.SHA256, ContentType: a.ContentType, FileExtension: a.FileExtension,
		SizeBytes: a.SizeBytes, IsLaunchAsset: a.IsLaunchAsset,
	}
}

func (Build) example() any {
	return Build{
		ID: 12, UUID: uuid.MustParse(exampleUUID), BuildUUID: uuid.MustParse(exampleUUID), Platform: models.IOS, RuntimeVersion: "1.4.0",
		Message: "Fix the checkout button", ClientConfig: Object(`{"name":"Demo","slug":"demo"}`),
		GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitBranch: "main", Status: models.BuildUploaded,
		Assets: []BuildAsset{{
			Path: "_expo/static/js/ios/entry.hbc", Key: exampleMD5, SHA256: "16j7swfXgJRpypq8sAguT41WUeRtPNt2LQLQvzfJ5ZI",
			ContentType: "application/javascript", FileExtension: ".bundle", SizeBytes: 1048576, IsLaunchAsset: true,
		}},
		AssetCount: 1, SizeBytes: 1048576, NewAssetCount: 1, NewBytes: 1048576, CreatedAt: exampleTime,
	}
}
