package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

// flagInsightHandlers answer questions about one flag.
type flagInsightHandlers struct {
	insightHandlers
	flags Flags
}

// flagWindowInput asks about a flag over a window of days.
type flagWindowInput struct {
	IDPath
	Days int `query:"days" default:"7" minimum:"1" maximum:"90" doc:"Days of the window, today included."`
}

var flagHealthDoc = huma.Operation{
	OperationID: "getFlagHealth", Tags: []string{tagFlags}, Summary: "Show the health of a flag",
	Description: "Rates by variation and channel, from the flagStates of reported events.",
}

func (h flagInsightHandlers) health(ctx context.Context, in *flagWindowInput) (*output[FlagHealth], error) {
	flag, err := h.flags.Flag(ctx, projectOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	health, err := h.insights.FlagHealth(ctx, projectOf(ctx), flag.Key, in.Days, h.now())
	return &output[FlagHealth]{flagHealthRecord(flag, health)}, err
}

var flagEvaluationsDoc = huma.Operation{
	OperationID: "getFlagEvaluations", Tags: []string{tagFlags}, Summary: "Show the evaluations of a flag",
	Description: "Counts of each value, from the evaluations that clients report.",
}

func (h flagInsightHandlers) evaluations(ctx context.Context, in *flagWindowInput) (*output[FlagEvaluations], error) {
	flag, err := h.flags.Flag(ctx, projectOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	summary, err := h.insights.FlagEvaluations(ctx, projectOf(ctx), flag.Key, in.Days, h.now())
	return &output[FlagEvaluations]{flagEvaluationsRecord(flag, summary)}, err
}
