package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Settings stores the settings of a project.
type Settings interface {
	Settings(ctx context.Context, projectID int64) (models.Settings, error)
	UpdateSettings(
		ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch,
	) (models.Settings, error)
}

var (
	getSettingsDoc   = doc(tagRetention, "getSettings", "Get the project's settings", "The current settings.")
	patchSettingsDoc = doc(tagRetention, "patchSettings", "Change the project's settings",
		"Absent fields keep their value.", http.StatusConflict)
)

// ProjectSettings are the settings of a project.
type ProjectSettings struct {
	BuildRetentionDays     *int `json:"buildRetentionDays" nullable:"true" doc:"Days after its upload until a cleanup deletes a build that no release needs; null for never."`
	TelemetryRetentionDays *int `json:"telemetryRetentionDays" nullable:"true" doc:"Days after which the telemetry of single devices (events, reports, downloads) is deleted. Null for the longest retention: events 30 days, a device on a release 180 days, a device on a day 400 days. Counts of devices and events stay."`
	HashIDs                bool `json:"hashIds" doc:"Telemetry stores only a keyed hash of device ids."`
}

func settingsRecord(s models.Settings) ProjectSettings { return ProjectSettings(s) }

func (ProjectSettings) example() any {
	return ProjectSettings{BuildRetentionDays: new(models.DefaultBuildRetentionDays), TelemetryRetentionDays: new(14)}
}

func (h *handlers) getSettings(ctx context.Context, _ *struct{}) (*output[ProjectSettings], error) {
	s, err := h.Settings.Settings(ctx, projectOf(ctx))
	return &output[ProjectSettings]{settingsRecord(s)}, err
}

type patchSettingsBody struct {
	BuildRetentionDays Patch[int] `json:"buildRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"3650" doc:"Days after its upload until a cleanup deletes a build that no release needs; null for never."`

	TelemetryRetentionDays Patch[int]  `json:"telemetryRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"365" doc:"Days after which the telemetry of single devices is deleted; null for the longest retention."`
	HashIDs                Patch[bool] `json:"hashIds,omitzero" doc:"Whether telemetry stores only a keyed hash of device ids. Earlier rows keep the other form, so a device counts twice around the change, and rollouts ignore it on releases that it was served before the change. Cannot be changed while a rollout is open."`
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

func (h *handlers) patchSettings(ctx context.Context, in *bodyInput[patchSettingsBody]) (*output[ProjectSettings], error) {
	patch, _ := in.Body.model()
	s, err := h.Settings.UpdateSettings(ctx, projectOf(ctx), actorOf(ctx), patch)
	return &output[ProjectSettings]{settingsRecord(s)}, err
}
