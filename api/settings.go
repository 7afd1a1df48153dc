package api

import (
	"context"

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
	BuildRetentionDays *int `json:"buildRetentionDays" nullable:"true" doc:"How many days after its upload garbage collection may take a build that no release needs; null for never."`
}

func settingsRecord(s models.Settings) ProjectSettings { return ProjectSettings(s) }

func (ProjectSettings) example() any {
	days := models.DefaultBuildRetentionDays
	return ProjectSettings{BuildRetentionDays: &days}
}

type settingsOutput struct{ Body ProjectSettings }

func (h settingsHandlers) get(ctx context.Context, _ *struct{}) (*settingsOutput, error) {
	s, err := h.settings.Settings(ctx, projectOf(ctx))
	return &settingsOutput{settingsRecord(s)}, err
}

var patchSettingsDoc = huma.Operation{
	OperationID: "patchSettings", Tags: []string{tagRetention}, Summary: "Change the project's settings",
	Description: "Absent fields stay.",
}

type patchSettingsBody struct {
	BuildRetentionDays Patch[int] `json:"buildRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"3650" doc:"Days that a build is kept which no release needs; null for ever."`
}

func (b patchSettingsBody) model() models.SettingsPatch {
	return models.SettingsPatch{BuildRetentionDays: b.BuildRetentionDays.nullable()}
}

// Resolve adds the domain's checks to the schema's.
func (b patchSettingsBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (patchSettingsBody) example() any { return patchSettingsBody{BuildRetentionDays: patchTo(30)} }

type patchSettingsInput struct{ Body patchSettingsBody }

func (h settingsHandlers) patch(ctx context.Context, in *patchSettingsInput) (*settingsOutput, error) {
	s, err := h.settings.UpdateSettings(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &settingsOutput{settingsRecord(s)}, err
}
