package insights

import (
	"context"

	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var attentionDoc = rest.Doc(TagTelemetry, "getAttention", "Show what needs attention",
	"Returns the emergency stop, and the numbers of approvals and incidents that wait for people. The dashboard shows them on "+
		"every page.")

// Attention lists the facts about a project that need a person's attention.
type Attention struct {
	EmergencyStop rollouts.EmergencyStop `json:"emergencyStop"`
	Approvals     int64                  `json:"approvals" doc:"Number of pending approvals that the signed-in person may approve; 0 for viewers and API keys."`
	Incidents     int64                  `json:"incidents" doc:"Number of open incidents."`
	Setup         ProjectSetup           `json:"setup"`
}

// ProjectSetup lists the first steps of a project that are done.
type ProjectSetup struct {
	HasAPIKey    bool    `json:"hasApiKey" doc:"Whether the project has an API key that is not revoked."`
	HasRelease   bool    `json:"hasRelease" doc:"Whether the project has a release."`
	SigningKeyID *string `json:"signingKeyId" nullable:"true" doc:"ID of the project's code signing key; null without one."`
}

func (Attention) Example() any {
	return Attention{EmergencyStop: rollouts.EmergencyStop{}.Example().(rollouts.EmergencyStop), Approvals: 2, Incidents: 1, Setup: ProjectSetup{HasAPIKey: true, HasRelease: true}}
}

func (h *Handlers) attention(ctx context.Context, _ *struct{}) (*rest.Output[Attention], error) {
	found, err := h.Overviews.Attention(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	var stop models.EmergencyStop
	if found.Stop != nil {
		stop = *found.Stop
	}
	return &rest.Output[Attention]{Body: Attention{
		EmergencyStop: rollouts.EmergencyStopRecord(stop, found.Stop != nil), Approvals: found.Approvals, Incidents: found.Incidents,
		Setup: ProjectSetup(found.Setup),
	}}, nil
}
