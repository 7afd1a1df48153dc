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
	// BuildID finds a build by its UUID.
	BuildID(ctx context.Context, projectID int64, id uuid.UUID) (int64, error)
}

type buildHandlers struct {
	builds   Builds
	releases Releases
}

var listBuildsDoc = huma.Operation{
	OperationID: "listBuilds", Tags: []string{tagBuilds}, Summary: "List builds",
	Description: "All uploaded builds, published or not.",
}

var deleteBuildDoc = huma.Operation{
	OperationID: "deleteBuild", Tags: []string{tagBuilds}, Summary: "Delete a build",
	Description: "A build that a release needs cannot be deleted (in_use).",
	Errors:      []int{http.StatusConflict},
}

var publishBuildDoc = huma.Operation{
	OperationID: "publishBuild", Tags: []string{tagBuilds}, Summary: "Publish a build to a channel",
	Description:   "Creates a release on the channel's branch. A build can be published any number of times. To publish several platforms together, pass the groupId of the first publish to the others. With rolloutPolicyId the release starts at 0 % and the stages of the policy raise its share.",
	DefaultStatus: http.StatusCreated,
}

// PublishOptions are the options of publishing a build.
type PublishOptions struct {
	RolloutPercentage *float64 `json:"rolloutPercentage,omitempty" minimum:"0" maximum:"100" doc:"Share of devices that get the release; 100 when absent."`
	IsCritical        bool     `json:"isCritical,omitempty" doc:"Devices apply it at once rather than at their next cold start."`
	ReleaseMessage    string   `json:"releaseMessage,omitempty" doc:"Release notes."`
	GroupID           *UUID    `json:"groupId,omitempty" doc:"The groupId of the publish of another platform, to publish both together."`
	RolloutPolicyID   *int64   `json:"rolloutPolicyId,omitempty" minimum:"1" doc:"Rolls the release out by this policy."`

	LinkedFlags []FlagLink `json:"linkedFlags,omitempty" doc:"Feature flags that the release turns on or off while it is out."`
}

func (o PublishOptions) model() models.Publish {
	return models.Publish{
		RolloutPercentage: o.RolloutPercentage, IsCritical: o.IsCritical, ReleaseMessage: o.ReleaseMessage,
		GroupID: o.GroupID.orNil(), RolloutPolicyID: o.RolloutPolicyID, LinkedFlags: linkModels(o.LinkedFlags),
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

// Resolve adds the domain's checks to the schema's; the path has the build.
func (b publishBuildBody) Resolve(huma.Context) []error { return bodyErrors(b.model(1).Validate()) }

func (publishBuildBody) example() any {
	return publishBuildBody{
		Channel:        "production",
		PublishOptions: PublishOptions{ReleaseMessage: "Fix the checkout button", RolloutPolicyID: new(int64(8))},
	}
}

func (h buildHandlers) publish(ctx context.Context, in *idBodyInput[publishBuildBody]) (*output[Update], error) {
	r, err := h.releases.Publish(ctx, projectOf(ctx), actorOf(ctx), in.Body.model(in.ID))
	return &output[Update]{updateRecord(r)}, err
}
