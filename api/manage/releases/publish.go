package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// PublishBuildDoc documents PublishBuild.
var PublishBuildDoc = rest.Doc(builds.TagBuilds, "publishBuild", "Publish a build to a channel",
	"Creates a release on the channel's branch. A build can be published any number of times. To publish several platforms "+
		"together, pass the groupId of the first publish to the others. With rolloutPolicyId, the release starts at 0% and "+
		"the stages of the policy raise its rollout percentage.",
	http.StatusCreated)

// PublishOptions are the options of publishing a build.
type PublishOptions struct {
	RolloutPercentage *float64   `json:"rolloutPercentage,omitempty" minimum:"0" maximum:"100" doc:"Percentage of devices that get the release, 0 to 100; 100 by default."`
	IsCritical        bool       `json:"isCritical,omitempty" doc:"Whether devices apply the release immediately rather than at their next cold start."`
	ReleaseMessage    string     `json:"releaseMessage,omitempty" doc:"Release notes."`
	GroupID           rest.UUID  `json:"groupId,omitempty" doc:"The groupId of another platform's release, to publish both together."`
	RolloutPolicyID   *int64     `json:"rolloutPolicyId,omitempty" minimum:"1" doc:"ID of the policy that rolls the release out."`
	LinkedFlags       []FlagLink `json:"linkedFlags,omitempty" doc:"Feature flags that the release turns on or off while it is out."`
}

func (o PublishOptions) model() models.Publish {
	return models.Publish{
		RolloutPercentage: o.RolloutPercentage, IsCritical: o.IsCritical, ReleaseMessage: o.ReleaseMessage,
		GroupID: rest.ParsedUUID(string(o.GroupID)), RolloutPolicyID: o.RolloutPolicyID, LinkedFlags: linkModels(o.LinkedFlags),
	}
}

type publishBuildBody struct {
	Channel string `json:"channel" doc:"Name of the channel to publish to."`
	PublishOptions
}

func (b publishBuildBody) Model(buildID int64) models.Publish {
	p := b.model()
	p.BuildID, p.Channel = buildID, b.Channel
	return p
}

// Resolve validates with an arbitrary ID, because the ID of the build is in the path.
func (b publishBuildBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model(1).Validate())
}

func (publishBuildBody) Example() any {
	return publishBuildBody{
		Channel:        "production",
		PublishOptions: PublishOptions{ReleaseMessage: "Fix the checkout button", RolloutPolicyID: new(int64(8))},
	}
}

// PublishBuild publishes the build in the path.
func (h *Handlers) PublishBuild(ctx context.Context, in *rest.IDBodyInput[publishBuildBody]) (*rest.Output[Update], error) {
	r, err := operations.Do(ctx, h.Operations, operations.PublishUpdate, rest.AuthorOf(ctx), in.Body.Model(in.ID))
	return &rest.Output[Update]{Body: UpdateRecord(r)}, err
}

// FlagLink links a feature flag to a release.
type FlagLink struct {
	FlagID  int64   `json:"flagId" minimum:"1"`
	Enabled bool    `json:"enabled" doc:"Whether devices that run the release have the flag on."`
	Value   *string `json:"value,omitempty" doc:"String of the variation that these devices get. Required when a flag that is not boolean is enabled."`
}

func linkModel(l FlagLink) models.FlagLink { return models.FlagLink(l) }

// linkModels returns nil for nil, because a change without a list keeps the links.
func linkModels(links []FlagLink) []models.FlagLink {
	if links == nil {
		return nil
	}
	return rest.Rendered(links, linkModel)
}
