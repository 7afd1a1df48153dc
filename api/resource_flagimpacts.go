package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var flagImpactsDoc = huma.Operation{
	OperationID: "listFlagImpacts", Tags: []string{tagTelemetry}, Summary: "Show the impact of flags",
	Description: "One entry for each flag variation, release and channel in the flagStates of reported events, most devices first, at most 1,000. A device counts for a variation if any of its events names the variation.",
}

type flagImpactsInput struct {
	Days    int    `query:"days" default:"7" minimum:"1" maximum:"90" doc:"Days of the window, today included."`
	FlagKey string `query:"flagKey" maxLength:"128" doc:"Only this flag."`
	Channel string `query:"channel" maxLength:"128" doc:"Only devices on this channel."`
}

func (h insightHandlers) flagImpacts(ctx context.Context, in *flagImpactsInput) (*output[[]FlagImpact], error) {
	q := models.FlagImpactQuery{Days: in.Days, FlagKey: in.FlagKey, Channel: in.Channel}
	impacts, err := h.insights.FlagImpacts(ctx, projectOf(ctx), q, h.now())
	if err != nil {
		return nil, err
	}
	updates := map[string]bool{}
	for _, f := range impacts {
		updates[f.UpdateUUID] = true
	}
	releases, err := h.releases(ctx, updates)
	return &output[[]FlagImpact]{rendered(impacts, func(f models.FlagImpact) FlagImpact { return flagImpact(f, releases) })}, err
}
