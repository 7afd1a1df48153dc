package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

var refusedDoc = huma.Operation{
	OperationID: "listRefused", Tags: []string{tagTelemetry}, Summary: "List refused requests",
	Description: "Refused manifest requests of the last 30 days, the most recent first. A new one is listed within seconds.",
}

func (h insightHandlers) refused(ctx context.Context, _ *struct{}) (*output[[]RefusedRequests], error) {
	refused, err := h.insights.ListRefused(ctx, projectOf(ctx), h.now())
	return &output[[]RefusedRequests]{rendered(refused, refusedRequests)}, err
}
