package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var timeseriesDoc = huma.Operation{
	OperationID: "getTimeseries", Tags: []string{tagTelemetry}, Summary: "Show devices, errors and crashes over time",
	Description: "One point for each bucket of the period, oldest first, also those without devices; the last bucket contains the current time. Rates are of distinct devices.",
}

type timeseriesInput struct {
	Period         models.TimeseriesPeriod `query:"period" default:"24h" enum:"1h,6h,24h,7d,14d,30d,90d" doc:"Length of the period."`
	Channel        string                  `query:"channel" maxLength:"128" doc:"Only devices on this channel."`
	Platform       models.Platform         `query:"platform" enum:"ios,android" doc:"Only devices of this platform."`
	RuntimeVersion string                  `query:"runtimeVersion" maxLength:"255" doc:"Only devices of this runtime version."`
	UpdateUUID     UUID                    `query:"updateUuid" doc:"Only devices on this release."`
}

func (h insightHandlers) timeseries(ctx context.Context, in *timeseriesInput) (*output[Timeseries], error) {
	q := models.TimeseriesQuery{
		Period: in.Period, Channel: in.Channel, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		UpdateUUID: h.update(ctx, in.UpdateUUID),
	}
	t, err := h.insights.Timeseries(ctx, projectOf(ctx), q, h.now())
	return &output[Timeseries]{timeseriesRecord(t)}, err
}
