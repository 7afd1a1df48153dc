package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

var republishDoc = doc(tagUpdates, "republishUpdate", "Republish a release",
	"Publishes the same build again, for every device, to each of the channels; by default to the channel of the original. The other platforms of its group are republished too, and the new releases share a new groupId. Channels that point to the same branch get one release, under the name of the first of them.",
	http.StatusCreated)

type republishBody struct {
	Channels       []string `json:"channels,omitempty" minItems:"1" doc:"Where to; the channel of the original when absent."`
	ReleaseMessage *string  `json:"releaseMessage,omitempty" doc:"Release notes; the original's when absent."`
}

func (b republishBody) model() models.Republish {
	return models.Republish(b)
}

func (b republishBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (republishBody) example() any { return republishBody{Channels: []string{"production", "staging"}} }

// Republished is the result of a republish.
type Republished struct {
	Updates []Update  `json:"updates" doc:"One a channel and platform."`
	GroupID uuid.UUID `json:"groupId" format:"uuid" doc:"Shared by all of them."`
}

func (Republished) example() any {
	update := Update{}.example().(Update)
	update.RepublishedFromID = new(int64(16))
	return Republished{Updates: []Update{update}, GroupID: update.GroupID}
}

func (h *handlers) republish(ctx context.Context, in *idBodyInput[*republishBody]) (*output[Republished], error) {
	var n models.Republish
	if in.Body != nil {
		n = in.Body.model()
	}
	made, err := h.Releases.Republish(ctx, projectOf(ctx), actorOf(ctx), in.ID, n)
	return &output[Republished]{Republished{Updates: rendered(made.Updates, updateRecord), GroupID: made.GroupID}}, err
}
