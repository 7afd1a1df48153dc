package insights

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Incidents stores incidents.
type Incidents interface {
	// ListIncidents returns incidents with a status, or all if it is "".
	ListIncidents(ctx context.Context, projectID int64, status models.IncidentStatus, page models.Page) ([]models.Incident, error)
	Incident(ctx context.Context, projectID, id int64) (models.Incident, error)
	UpdateIncident(
		ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.IncidentPatch,
	) (models.Incident, error)
}

var listIncidentsDoc = rest.Doc(TagTelemetry, "listIncidents", "List incidents",
	"Lists error spikes, which Waft detects without a policy. An incident opens if, within an hour, more than five devices of "+
		"a release and channel have errors at twice the rate of the previous 24 hours. The difference must be significant "+
		"(Fisher's exact test). A release without earlier reports is compared with a rate of 1%. Each platform has its own "+
		"incident. Waft resolves an incident as rolled_back if devices no longer get the release: within two minutes after every "+
		"device that had it has made another manifest request, and at most an hour after the rollback. It resolves an incident as "+
		"recovered after two checks in a row, at most a minute apart, with a normal rate in the last hour. A person can close an "+
		"incident. Webhooks get incident.opened, incident.resolved and incident.closed.")

type listIncidentsInput struct {
	rest.ListQuery
	Status models.IncidentStatus `query:"status" enum:"open,resolved,closed" doc:"Status of the incidents."`
}

func (h *Handlers) listIncidents(ctx context.Context, in *listIncidentsInput) (*rest.List[Incident], error) {
	var released releases.Reported
	return rest.Listed(ctx, in.ListQuery,
		func(i models.Incident) Incident { return incidentRecord(i, released) },
		func(p models.Page) ([]models.Incident, error) {
			incidents, err := h.Incidents.ListIncidents(ctx, rest.ProjectOf(ctx), in.Status, p)
			if err != nil {
				return nil, err
			}
			released, err = h.incidentReleases(ctx, incidents...)
			return incidents, err
		})
}

var getIncidentDoc = rest.Doc(TagTelemetry, "getIncident", "Get an incident", "Returns the incident as in the list.")

func (h *Handlers) getIncident(ctx context.Context, in *rest.IDInput) (*rest.Output[Incident], error) {
	i, err := h.Incidents.Incident(ctx, rest.ProjectOf(ctx), in.ID)
	return h.incidentAnswer(ctx, i, err)
}

// incidentAnswer returns the response with an incident and the ID of its release.
func (h *Handlers) incidentAnswer(ctx context.Context, i models.Incident, err error) (*rest.Output[Incident], error) {
	if err != nil {
		return nil, err
	}
	released, err := h.incidentReleases(ctx, i)
	return &rest.Output[Incident]{Body: incidentRecord(i, released)}, err
}

// incidentReleases returns the releases of incidents.
func (h *Handlers) incidentReleases(ctx context.Context, incidents ...models.Incident) (releases.Reported, error) {
	updates := make([]string, len(incidents))
	for i := range incidents {
		updates[i] = incidents[i].UpdateUUID
	}
	return releases.ReportedOf(ctx, h.Names, h.Snapshots, updates...)
}

var patchIncidentDoc = rest.Doc(TagTelemetry, "patchIncident", "Acknowledge or close an incident",
	"Records who is working on the incident, and a note, or closes the incident. Fields that are absent keep their value. Closing "+
		"an incident that has ended has no effect. If errors continue, Waft opens another incident, at the earliest an hour later.")

type patchIncidentBody struct {
	Acknowledged rest.Patch[bool]   `json:"acknowledged,omitzero" doc:"Whether someone is working on the incident. true records the caller as acknowledgedBy unless someone is already recorded; false removes the record."`
	Note         rest.Patch[string] `json:"note,omitzero" nullable:"true" doc:"Note about the incident; null clears it."`
	Status       rest.Patch[string] `json:"status,omitzero" enum:"closed" doc:"closed ends an open incident with the resolution closed_by_person."`
}

func (b patchIncidentBody) Model() (models.IncidentPatch, models.Problems) {
	var p models.Problems
	status := b.Status.NotNull(&p, "status")
	return models.IncidentPatch{
		Acknowledged: b.Acknowledged.NotNull(&p, "acknowledged"), Note: rest.Cleared(b.Note), Close: status != nil,
	}, p
}

func (b patchIncidentBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }

func (patchIncidentBody) Example() any {
	return patchIncidentBody{Acknowledged: rest.PatchTo(true), Note: rest.PatchTo("The checkout service is down")}
}

func (h *Handlers) patchIncident(ctx context.Context, in *rest.IDBodyInput[patchIncidentBody]) (*rest.Output[Incident], error) {
	patch, _ := in.Body.Model() // Resolve has already rejected a body with problems
	i, err := h.Incidents.UpdateIncident(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, patch)
	return h.incidentAnswer(ctx, i, err)
}

// Incident is a spike of errors on a release and channel.
type Incident struct {
	rest.Tagged
	ID                 int64                             `json:"id"`
	Status             models.IncidentStatus             `json:"status" enum:"open,resolved,closed" doc:"resolved: Waft ended the incident. closed: a person ended it."`
	Resolution         *models.IncidentResolution        `json:"resolution" nullable:"true" enum:"rolled_back,recovered,closed_by_person" doc:"Reason why the incident ended; null while it is open. rolled_back: devices no longer get the release. recovered: the error rate is normal again."`
	UpdateUUID         *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null for the embedded update."`
	UpdateID           *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for an update that is not a release of the project."`
	Release            rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateId; null if updateId is null."`
	GitCommitHash      string                            `json:"gitCommitHash" doc:"Commit of the release; empty if it is unknown."`
	GitAuthor          string                            `json:"gitAuthor" doc:"Author of the commit; empty if they are unknown."`
	RolloutExecutionID *int64                            `json:"rolloutExecutionId" nullable:"true" doc:"ID of the newest rollout of the release; null for none."`
	Channel            string                            `json:"channel"`
	Platform           models.Platform                   `json:"platform" enum:"ios,android,web"`
	RuntimeVersion     string                            `json:"runtimeVersion"`
	FlagKey            *string                           `json:"flagKey" nullable:"true" doc:"Key of the flag with a variation that has significantly more errors; null for none."`
	FlagID             *int64                            `json:"flagId" nullable:"true" doc:"ID of the flag; null for none, and once the flag is deleted."`
	Variation          *string                           `json:"variation" nullable:"true" doc:"Variation with significantly more errors; null for none."`
	Devices            int64                             `json:"devices" doc:"Number of devices in the hour before checkedAt."`
	ErroredDevices     int64                             `json:"erroredDevices" doc:"Number of these devices with a js_error or crash."`
	CrashedDevices     int64                             `json:"crashedDevices" doc:"Number of these devices with a crash."`
	PeakErroredDevices int64                             `json:"peakErroredDevices" doc:"Greatest erroredDevices so far."`
	ErrorRate          float64                           `json:"errorRate" doc:"Percentage of the hour's devices with an error."`
	BaselineErrorRate  float64                           `json:"baselineErrorRate" doc:"Percentage of devices with an error in the 24 hours before the incident opened; 0 without devices."`
	OpenedAt           rest.Time                         `json:"openedAt"`
	CheckedAt          rest.Time                         `json:"checkedAt" doc:"Time of the last check."`
	ResolvedAt         *rest.Time                        `json:"resolvedAt" nullable:"true" doc:"Time at which the incident ended; null while it is open."`
	AcknowledgedBy     *string                           `json:"acknowledgedBy" nullable:"true" doc:"Name of the key or person that acknowledged the incident; null for none."`
	AcknowledgedAt     *rest.Time                        `json:"acknowledgedAt" nullable:"true"`
	Note               string                            `json:"note" doc:"Note about the incident."`
}

func incidentRecord(i models.Incident, released releases.Reported) Incident {
	return Incident{
		Tagged: rest.Tagged{ETag: i.ETag(i.ID)},
		ID:     i.ID, Status: i.Status(), UpdateUUID: rest.ParsedUUID(i.UpdateUUID), UpdateID: released.ID(i.UpdateUUID),
		Release: released.Name(i.UpdateUUID), GitCommitHash: i.GitCommitHash, GitAuthor: i.GitAuthor,
		RolloutExecutionID: i.ExecutionID, FlagID: i.FlagID, Channel: i.Channel, Platform: i.Platform,
		RuntimeVersion: i.RuntimeVersion, FlagKey: i.FlagKey, Variation: i.FlagVariation, Devices: i.Devices,
		ErroredDevices: i.ErroredDevices, CrashedDevices: i.CrashedDevices, PeakErroredDevices: i.PeakErroredDevices,
		ErrorRate: rest.Percent(i.ErrorRate()), BaselineErrorRate: rest.Percent(i.BaselineErrorRate()), OpenedAt: rest.Time{Time: i.OpenedAt},
		CheckedAt: rest.Time{Time: i.CheckedAt}, ResolvedAt: rest.TimeOrNull(i.ResolvedAt), Resolution: i.Resolution,
		AcknowledgedBy: i.AcknowledgedBy, AcknowledgedAt: rest.TimeOrNull(i.AcknowledgedAt), Note: i.Note,
	}
}

func (Incident) Example() any {
	return Incident{
		ID: 41, Status: models.IncidentOpen, UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), UpdateID: new(int64(17)),
		Release: rest.Present(releases.ExampleName), GitCommitHash: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", GitAuthor: "Ada Lovelace",
		RolloutExecutionID: new(int64(21)), FlagID: new(int64(31)), Channel: "production",
		Platform: models.IOS, RuntimeVersion: "1.4.0",
		FlagKey: new("new-checkout"), Variation: new("true"), Devices: 400, ErroredDevices: 60, CrashedDevices: 12, PeakErroredDevices: 60,
		ErrorRate: 15, BaselineErrorRate: 0.5, OpenedAt: rest.ExampleTime, CheckedAt: rest.ExampleTime,
	}
}

func (r Incident) RecordID() int64 { return r.ID }
