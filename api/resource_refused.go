package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

var refusedDoc = doc(tagTelemetry, "listRefused", "List refused requests",
	"Refused manifest requests of the last 30 days, the most recent first. A new one is listed within seconds.")

func (h *handlers) listRefused(ctx context.Context, _ *struct{}) (*output[[]RefusedRequests], error) {
	refused, err := h.Insights.ListRefused(ctx, projectOf(ctx), h.Now())
	return &output[[]RefusedRequests]{rendered(refused, refusedRequests)}, err
}

// RefusedRequests is how many devices get no update for one reason.
type RefusedRequests struct {
	Reason         models.RefusalReason `json:"reason" enum:"unknown_channel,missing_channel,missing_platform,missing_runtime_version,bad_request,no_release,rate_limited" doc:"no_release: the branch has no release for the platform and runtime version. rate_limited: the device or its address exceeded the rate limit."`
	Channel        string               `json:"channel" doc:"As the device sends it; empty if it sends none, (other) beyond the cardinality limit."`
	Platform       string               `json:"platform"`
	RuntimeVersion string               `json:"runtimeVersion"`
	Devices        int64                `json:"devices" doc:"Distinct devices among the requests with a device id."`
	Requests       int64                `json:"requests"`
	LastSeenAt     Time                 `json:"lastSeenAt"`
}

func refusedRequests(r models.RefusedSummary) RefusedRequests {
	return RefusedRequests{
		Reason: r.Reason, Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion, Devices: r.Devices,
		Requests: r.Requests, LastSeenAt: Time{r.LastSeenAt},
	}
}

func (RefusedRequests) example() any {
	return RefusedRequests{
		Reason: models.RefusedUnknownChannel, Channel: "prodution", Platform: "ios", RuntimeVersion: "1.4.0", Devices: 12, Requests: 340,
		LastSeenAt: exampleTime,
	}
}
