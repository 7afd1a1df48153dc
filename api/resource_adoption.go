package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var adoptionDoc = huma.Operation{
	OperationID: "getAdoption", Tags: []string{tagTelemetry}, Summary: "Show adoption",
	Description: "Over a window of whole days in UTC that ends with today. An active device is one that sent a report. A download is the first time that a device is served a release, as a manifest, a file or a binary patch.",
}

type adoptionInput struct {
	Days AdoptionDays `query:"days" default:"7" doc:"Days of the window, today included."`
}

// AdoptionDays is the length of a window.
type AdoptionDays int64

// Schema is one of models.AdoptionWindows. The tag enum would not do: what huma reads
// of it is never equal to what it reads of a query.
func (AdoptionDays) Schema(huma.Registry) *huma.Schema {
	windows := make([]any, len(models.AdoptionWindows))
	for i, days := range models.AdoptionWindows {
		windows[i] = int64(days)
	}
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Enum: windows}
}

func (h insightHandlers) adoption(ctx context.Context, in *adoptionInput) (*output[Adoption], error) {
	a, err := h.insights.Adoption(ctx, projectOf(ctx), int(in.Days), h.now())
	if err != nil {
		return nil, err
	}
	updates := map[string]bool{}
	for _, u := range a.Updates {
		updates[u.UpdateUUID] = true
	}
	releases, err := h.releases(ctx, updates)
	return &output[Adoption]{adoptionRecord(a, releases)}, err
}
