package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

var refusedDoc = huma.Operation{
	OperationID: "listRefused", Tags: []string{tagTelemetry}, Summary: "Show who gets no update",
	Description: "Manifest requests of the last 30 days that got nothing because of what they asked for, the latest first. A new one shows within seconds.",
}

type refusedOutput struct{ Body []RefusedRequests }

func (h insightHandlers) refused(ctx context.Context, _ *struct{}) (*refusedOutput, error) {
	refused, err := h.insights.ListRefused(ctx, projectOf(ctx), h.now())
	return &refusedOutput{rendered(refused, refusedRequests)}, err
}
