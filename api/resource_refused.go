package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

var refusedDoc = huma.Operation{
	OperationID: "listRefused", Tags: []string{tagTelemetry}, Summary: "Show who gets no update",
	Description: "Manifest requests of the last 30 days that got nothing because of what they asked for, the latest first. A new one shows within seconds.",
}

func (h insightHandlers) refused(ctx context.Context, _ *struct{}) (*output[[]RefusedRequests], error) {
	refused, err := h.insights.ListRefused(ctx, projectOf(ctx), h.now())
	return &output[[]RefusedRequests]{rendered(refused, refusedRequests)}, err
}
