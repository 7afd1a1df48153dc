package insights

import (
	"context"

	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var attentionDoc = rest.Doc(TagTelemetry, "getAttention", "Show what needs attention",
	"Returns the emergency stop, and the numbers of approvals and incidents that wait for people. If Waft was restored from a "+
		"backup in the last seven days, it also returns that. The dashboard shows the restore on the overview, and the "+
		"rest on every page.")

// Attention lists the facts about a project that need a person's attention.
type Attention struct {
	EmergencyStop rollouts.EmergencyStop `json:"emergencyStop"`
	Approvals     int64                  `json:"approvals" doc:"Number of pending approvals that the signed-in person may approve; 0 for viewers and API keys."`
	Incidents     int64                  `json:"incidents" doc:"Number of open incidents."`
	Restore       rest.OrNull[Restore]   `json:"restore" doc:"The project's restore from a backup; null if there was none in seven days."`
	Setup         ProjectSetup           `json:"setup"`
}

// Restore describes the restore of a project from a backup.
type Restore struct {
	BackedUpAt     rest.Time `json:"backedUpAt" doc:"Time of the backup. Changes from after it are lost."`
	RestoredAt     rest.Time `json:"restoredAt"`
	PausedRollouts int64     `json:"pausedRollouts" doc:"Number of rollouts that are still paused because of a restore."`
}

// ProjectSetup lists the first steps of a project that are done.
type ProjectSetup struct {
	HasAPIKey    bool    `json:"hasApiKey" doc:"Whether the project has an API key that is not revoked."`
	HasRelease   bool    `json:"hasRelease" doc:"Whether the project has a release."`
	SigningKeyID *string `json:"signingKeyId" nullable:"true" doc:"ID of the project's code signing key; null without one."`
}

func (Attention) Example() any {
	stopped := rollouts.EmergencyStop{}.Example().(rollouts.EmergencyStop)
	return Attention{EmergencyStop: stopped, Approvals: 2, Incidents: 1, Setup: ProjectSetup{HasAPIKey: true, HasRelease: true}}
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
	record := Attention{
		EmergencyStop: rollouts.EmergencyStopRecord(stop, found.Stop != nil), Approvals: found.Approvals, Incidents: found.Incidents,
		Setup: ProjectSetup(found.Setup),
	}
	if r := found.Restore; r != nil {
		record.Restore = rest.Present(Restore{
			BackedUpAt: rest.Time{Time: r.BackedUpAt}, RestoredAt: rest.Time{Time: r.RestoredAt}, PausedRollouts: r.PausedRollouts,
		})
	}
	return &rest.Output[Attention]{Body: record}, nil
}
