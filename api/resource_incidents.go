package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Incidents stores incidents.
type Incidents interface {
	// ListIncidents returns open or closed incidents, or both if open is nil.
	ListIncidents(ctx context.Context, projectID int64, open *bool, page models.Page) ([]models.Incident, error)
	Incident(ctx context.Context, projectID, id int64) (models.Incident, error)
	UpdateIncident(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.IncidentPatch,
	) (models.Incident, error)
}

var listIncidentsDoc = doc(tagTelemetry, "listIncidents", "List incidents",
	"Error spikes that need no policy: within an hour more than five devices of a release and channel have errors, "+
		"at twice the rate of the 24 hours before, and the difference is significant (Fisher's exact test). A "+
		"release without earlier reports is compared with a rate of 1 %. An incident closes when the rate is back. "+
		"Webhooks get incident.opened and incident.closed.")

type listIncidentsInput struct {
	PageQuery
	Status string `query:"status" enum:"open,closed" doc:"Only incidents of this status."`
}

func (h *InsightsHandlers) listIncidents(ctx context.Context, in *listIncidentsInput) (*List[Incident], error) {
	var open *bool
	if in.Status != "" {
		open = new(in.Status == "open")
	}
	var released map[string]models.Release
	return listed(ctx, in.PageQuery,
		func(i models.Incident) Incident { return incidentRecord(i, released) },
		func(p models.Page) ([]models.Incident, error) {
			incidents, err := h.Incidents.ListIncidents(ctx, projectOf(ctx), open, p)
			if err != nil {
				return nil, err
			}
			released, err = releasesOf(ctx, h.Names, incidents, func(i models.Incident) string { return i.UpdateUUID })
			return incidents, err
		})
}

var getIncidentDoc = doc(tagTelemetry, "getIncident", "Get an incident", "As the list has it.")

func (h *InsightsHandlers) getIncident(ctx context.Context, in *idInput) (*output[Incident], error) {
	i, err := h.Incidents.Incident(ctx, projectOf(ctx), in.ID)
	return h.incidentAnswer(ctx, i, err)
}

// incidentAnswer is the record of an incident, with the id of its release.
func (h *InsightsHandlers) incidentAnswer(ctx context.Context, i models.Incident, err error) (*output[Incident], error) {
	if err != nil {
		return nil, err
	}
	releases, err := releasesOf(ctx, h.Names, []models.Incident{i}, func(i models.Incident) string { return i.UpdateUUID })
	return &output[Incident]{incidentRecord(i, releases)}, err
}

var patchIncidentDoc = doc(tagTelemetry, "patchIncident", "Acknowledge an incident",
	"Says that somebody looks after it, and what they know. It changes nothing about when it closes. Absent fields keep their value.")

type patchIncidentBody struct {
	Acknowledged Patch[bool]   `json:"acknowledged,omitzero" doc:"True notes the caller as acknowledgedBy, unless somebody is; false takes that back."`
	Note         Patch[string] `json:"note,omitzero" nullable:"true" doc:"What is known of it; null clears it."`
}

func (b patchIncidentBody) model() (models.IncidentPatch, models.Problems) {
	var p models.Problems
	return models.IncidentPatch{Acknowledged: b.Acknowledged.notNull(&p, "acknowledged"), Note: cleared(b.Note)}, p
}

func (b patchIncidentBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchIncidentBody) example() any {
	return patchIncidentBody{Acknowledged: patchTo(true), Note: patchTo("The checkout service is down")}
}

func (h *InsightsHandlers) patchIncident(ctx context.Context, in *idBodyInput[patchIncidentBody]) (*output[Incident], error) {
	patch, _ := in.Body.model() // Resolve has rejected a body with problems
	i, err := h.Incidents.UpdateIncident(ctx, projectOf(ctx), actorOf(ctx), in.ID, patch)
	return h.incidentAnswer(ctx, i, err)
}

// Incident is a spike of errors on a release and channel.
type Incident struct {
	ID                 int64           `json:"id"`
	Status             string          `json:"status" enum:"open,closed"`
	UpdateUUID         *uuid.UUID      `json:"updateUuid" nullable:"true" format:"uuid" doc:"Null for the embedded update."`
	UpdateID           *int64          `json:"updateId" nullable:"true" doc:"Null for an update that is not a release of the project."`
	Channel            string          `json:"channel"`
	Platform           models.Platform `json:"platform" enum:"ios,android,web"`
	RuntimeVersion     string          `json:"runtimeVersion"`
	FlagKey            *string         `json:"flagKey" nullable:"true" doc:"The flag with the variation that has significantly more errors; null for none."`
	Variation          *string         `json:"variation" nullable:"true" doc:"That variation."`
	Devices            int64           `json:"devices" doc:"Devices of the hour before checkedAt."`
	ErroredDevices     int64           `json:"erroredDevices" doc:"Those of them with a js_error or crash."`
	CrashedDevices     int64           `json:"crashedDevices" doc:"Those of them with a crash."`
	PeakErroredDevices int64           `json:"peakErroredDevices" doc:"The most erroredDevices so far."`
	ErrorRate          float64         `json:"errorRate" doc:"Percentage of the hour's devices."`
	BaselineErrorRate  float64         `json:"baselineErrorRate" doc:"Percentage of the devices of the 24 hours before it opened; 0 without any."`
	OpenedAt           Time            `json:"openedAt"`
	CheckedAt          Time            `json:"checkedAt" doc:"Time of the last check."`
	ClosedAt           *Time           `json:"closedAt" nullable:"true" doc:"Null while it is open."`
	AcknowledgedBy     *string         `json:"acknowledgedBy" nullable:"true" doc:"Who looks after it; null for nobody."`
	AcknowledgedAt     *Time           `json:"acknowledgedAt" nullable:"true"`
	Note               string          `json:"note" doc:"What is known of it."`
}

func incidentRecord(i models.Incident, releases map[string]models.Release) Incident {
	out := Incident{
		ID: i.ID, Status: i.Status(), UpdateUUID: parsedUUID(i.UpdateUUID), Channel: i.Channel, Platform: i.Platform,
		RuntimeVersion: i.RuntimeVersion, FlagKey: i.FlagKey, Variation: i.FlagVariation, Devices: i.Devices,
		ErroredDevices: i.ErroredDevices, CrashedDevices: i.CrashedDevices, PeakErroredDevices: i.PeakErroredDevices,
		ErrorRate: percent(i.ErrorRate()), BaselineErrorRate: percent(i.BaselineErrorRate()), OpenedAt: Time{i.OpenedAt},
		CheckedAt: Time{i.CheckedAt}, ClosedAt: timeOrNull(i.ClosedAt),
		AcknowledgedBy: i.AcknowledgedBy, AcknowledgedAt: timeOrNull(i.AcknowledgedAt), Note: i.Note,
	}
	if r, ok := releases[i.UpdateUUID]; ok {
		out.UpdateID = &r.ID
	}
	return out
}

func (Incident) example() any {
	return Incident{
		ID: 41, Status: "open", UpdateUUID: new(uuid.MustParse(exampleUUID)), UpdateID: new(int64(17)), Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		FlagKey: new("new-checkout"), Variation: new("true"), Devices: 400, ErroredDevices: 60, CrashedDevices: 12, PeakErroredDevices: 60,
		ErrorRate: 15, BaselineErrorRate: 0.5, OpenedAt: exampleTime, CheckedAt: exampleTime,
	}
}

func (r Incident) recordID() int64 { return r.ID }

func (r Incident) version() any {
	return []any{r.ID, r.ClosedAt, r.AcknowledgedAt, r.AcknowledgedBy, r.Note}
}

// incidentAlone is the record of an incident, without the id of its release.
func incidentAlone(i models.Incident) Incident { return incidentRecord(i, nil) }
