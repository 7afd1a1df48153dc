package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Settings keeps what admins decide for a project.
type Settings interface {
	Settings(ctx context.Context, projectID int64) (models.Settings, error)
	UpdateSettings(
		ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch,
	) (models.Settings, error)
}

type settingsHandlers struct{ settings Settings }

var getSettingsDoc = huma.Operation{
	OperationID: "getSettings", Tags: []string{tagRetention}, Summary: "Get the project's settings",
	Description: "As they are now.",
}

// ProjectSettings are what admins decide for a project.
type ProjectSettings struct {
	BuildRetentionDays     *int `json:"buildRetentionDays" nullable:"true" doc:"How many days after its upload garbage collection may take a build that no release needs; null for never."`
	TelemetryRetentionDays *int `json:"telemetryRetentionDays" nullable:"true" doc:"After how many days everything that telemetry knows of single devices is deleted: events, reports, downloads; null for as long as it is kept at all (events 30 days, what a device did on a release 180, on a day 400). Numbers of devices and events stay."`
	HashIDs                bool `json:"hashIds" doc:"Telemetry knows devices only by a keyed hash of their ids."`
}

func settingsRecord(s models.Settings) ProjectSettings { return ProjectSettings(s) }

func (ProjectSettings) example() any {
	return ProjectSettings{BuildRetentionDays: new(models.DefaultBuildRetentionDays), TelemetryRetentionDays: new(14)}
}

func (h settingsHandlers) get(ctx context.Context, _ *struct{}) (*output[ProjectSettings], error) {
	s, err := h.settings.Settings(ctx, projectOf(ctx))
	return &output[ProjectSettings]{settingsRecord(s)}, err
}

var patchSettingsDoc = huma.Operation{
	OperationID: "patchSettings", Tags: []string{tagRetention}, Summary: "Change the project's settings",
	Description: "Absent fields stay.",
	Errors:      []int{http.StatusConflict},
}

type patchSettingsBody struct {
	BuildRetentionDays Patch[int] `json:"buildRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"3650" doc:"Days that a build is kept which no release needs; null for ever."`

	TelemetryRetentionDays Patch[int]  `json:"telemetryRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"365" doc:"Days that telemetry of single devices is kept; null for as long as any."`
	HashIDs                Patch[bool] `json:"hashIds,omitzero" doc:"Whether telemetry is to know devices by a hash. Whatever it knows from before stays under the other name, so a device counts twice around the change, and decisions ignore it on releases that it was served under the other name; refused while a rollout is open."`
}

func (b patchSettingsBody) model() (models.SettingsPatch, models.Problems) {
	var p models.Problems
	return models.SettingsPatch{
		BuildRetentionDays:     b.BuildRetentionDays.nullable(),
		TelemetryRetentionDays: b.TelemetryRetentionDays.nullable(),
		HashIDs:                b.HashIDs.notNull(&p, "hashIds"),
	}, p
}

func (b patchSettingsBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchSettingsBody) example() any { return patchSettingsBody{BuildRetentionDays: patchTo(30)} }

func (h settingsHandlers) patch(ctx context.Context, in *bodyInput[patchSettingsBody]) (*output[ProjectSettings], error) {
	patch, _ := in.Body.model()
	s, err := h.settings.UpdateSettings(ctx, projectOf(ctx), actorOf(ctx), patch)
	return &output[ProjectSettings]{settingsRecord(s)}, err
}
