package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var RepublishDoc = rest.Doc(TagUpdates, "republishUpdate", "Republish a release",
	"Publishes the same build again, for every device, to each of the channels; by default to the channel of the original. "+
		"The other platforms of its group are republished too, and the new releases share a new groupId. Channels that point "+
		"to the same branch get one release, published to the first of these channels. With rolloutPolicyId, the new releases "+
		"start at 0% and the stages of the policy raise their rollout percentage. With updateIds, exactly these releases are "+
		"republished, in one transaction. Releases of one platform then have different groups.",
	http.StatusCreated)

type republishBody struct {
	Channels        []string `json:"channels,omitempty" minItems:"1" doc:"Names of the channels to publish to; the channel of the original by default."`
	ReleaseMessage  *string  `json:"releaseMessage,omitempty" doc:"Release notes; the notes of the original by default."`
	UpdateIDs       []int64  `json:"updateIds,omitempty" minItems:"1" doc:"IDs of the releases to republish, which include the release in the path; by default the release and the other platforms of its group."`
	RolloutPolicyID *int64   `json:"rolloutPolicyId,omitempty" minimum:"1" doc:"ID of the policy that rolls the new releases out."`
}

func (b republishBody) Model() models.Republish      { return models.Republish(b) }
func (b republishBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }
func (republishBody) Example() any                   { return republishBody{Channels: []string{"production", "staging"}} }

// Republished is the result of a republish.
type Republished struct {
	Updates []Update  `json:"updates" doc:"Created releases, one per branch and republished release."`
	GroupID uuid.UUID `json:"groupId" format:"uuid" doc:"groupId that the new releases share; with several releases of one platform, the groupId of the release in the path."`
}

func (Republished) Example() any {
	update := Update{}.Example().(Update)
	update.RepublishedFromID = new(int64(16))
	return Republished{Updates: []Update{update}, GroupID: update.GroupID}
}

// Republish publishes the release in the path again.
func (h *Handlers) Republish(ctx context.Context, in *rest.IDBodyInput[*republishBody]) (*rest.Output[Republished], error) {
	var n models.Republish
	if in.Body != nil {
		n = in.Body.Model()
	}
	made, err := operations.Do(ctx, h.Operations, operations.RepublishUpdate, rest.AuthorOf(ctx),
		operations.Of[models.Republish]{ID: in.ID, Change: n})
	return &rest.Output[Republished]{Body: Republished{Updates: rest.Rendered(made.Updates, UpdateRecord), GroupID: made.GroupID}}, err
}
