package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Flags stores feature flags.
type Flags interface {
	CreateFlag(ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag) (models.Flag, error)
	ListFlags(ctx context.Context, projectID int64, page models.Page) ([]models.Flag, error)
	Flag(ctx context.Context, projectID, id int64) (models.Flag, error)
	UpdateFlag(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.FlagPatch) (models.Flag, error)
	DeleteFlag(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	CreateRule(
		ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.NewFlagRule,
	) (models.FlagRule, error)
	UpdateRule(
		ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.FlagRulePatch,
	) (models.FlagRule, error)
	DeleteRule(ctx context.Context, projectID int64, actor models.Actor, flagID, id int64) error
	UpdateVariation(
		ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.VariationPatch,
	) (models.Variation, error)
	// UpdateFlagEnvironment returns the flag with its environment on the channel.
	UpdateFlagEnvironment(
		ctx context.Context, projectID int64, actor models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
	) (models.Flag, models.FlagEnvironment, error)
}

type flagHandlers struct{ flags Flags }

var listFlagsDoc = huma.Operation{
	OperationID: "listFlags", Tags: []string{tagFlags}, Summary: "List feature flags",
	Description: "Each flag with its variations and rules.",
}

var createFlagDoc = huma.Operation{
	OperationID: "createFlag", Tags: []string{tagFlags}, Summary: "Create a feature flag",
	Description:   "A boolean flag that comes without variations gets On and Off. The values of variations are texts that parse as the flag's type.",
	DefaultStatus: http.StatusCreated,
}

type createFlagBody struct {
	Key          string          `json:"key,omitempty" doc:"1 to 128 lower-case letters, digits or . _ -; made from the name when absent."`
	Name         string          `json:"name,omitempty" doc:"Display name; the key when absent."`
	Description  string          `json:"description,omitempty"`
	FlagType     models.FlagType `json:"flagType,omitempty" enum:"boolean,string,number,json" doc:"Type of its values; boolean when absent."`
	DefaultValue FlagValue       `json:"defaultValue,omitempty" doc:"A value of the type, or a string with its text; false for a boolean flag when absent. A string is always the text of a json value."`
	Enabled      *bool           `json:"enabled,omitempty" doc:"False gives the default to every context; true when absent."`
	Variations   []variationBody `json:"variations,omitempty" doc:"The values that rules can give."`
}

type variationBody struct {
	ID    *int64 `json:"id,omitempty" doc:"In a change: of the variation that it takes the place of. Without, that is found by the value, else by the name."`
	Name  string `json:"name"`
	Value string `json:"value" doc:"The value's text."`
}

func variationModel(v variationBody) models.NewVariation { return models.NewVariation(v) }

func (b createFlagBody) model() models.NewFlag {
	n := models.NewFlag{
		Key: b.Key, Name: b.Name, Description: b.Description, FlagType: b.FlagType,
		DefaultValue: json.RawMessage(b.DefaultValue), Enabled: b.Enabled == nil || *b.Enabled,
		Variations: rendered(b.Variations, variationModel),
	}
	n.Normalize()
	return n
}

func (b createFlagBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createFlagBody) example() any {
	return createFlagBody{Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: FlagValue("false")}
}

var getFlagDoc = huma.Operation{
	OperationID: "getFlag", Tags: []string{tagFlags}, Summary: "Get a feature flag",
	Description: "The current state.",
}

var patchFlagDoc = huma.Operation{
	OperationID: "patchFlag", Tags: []string{tagFlags}, Summary: "Change a feature flag",
	Description: "Absent fields keep their value. Given variations replace all existing ones; a removed one must not be used by a rule, a default or a release (in_use).",
	Errors:      []int{http.StatusConflict},
}

type patchFlagBody struct {
	Name         Patch[string]          `json:"name,omitzero"`
	Description  Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	Enabled      Patch[bool]            `json:"enabled,omitzero" doc:"On channels without an own setting."`
	DefaultValue FlagValue              `json:"defaultValue,omitempty" doc:"A value of the type, or a string with its text."`
	Variations   Patch[[]variationBody] `json:"variations,omitzero" doc:"All variations from now on."`
}

func (b patchFlagBody) model() (models.FlagPatch, models.Problems) {
	var p models.Problems
	patch := models.FlagPatch{
		Name: b.Name.notNull(&p, "name"), Description: cleared(b.Description), Enabled: b.Enabled.notNull(&p, "enabled"),
		DefaultValue: json.RawMessage(b.DefaultValue),
	}
	if listed := b.Variations.notNull(&p, "variations"); listed != nil {
		patch.Variations = new(rendered(*listed, variationModel))
	}
	return patch, p
}

// cleared is the text of a field, "" for null.
func cleared(p Patch[string]) *string {
	if p.set && p.value == nil {
		return new(string)
	}
	return p.value
}

func (b patchFlagBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchFlagBody) example() any { return patchFlagBody{Enabled: patchTo(false)} }

var deleteFlagDoc = huma.Operation{
	OperationID: "deleteFlag", Tags: []string{tagFlags}, Summary: "Delete a feature flag",
	Description: "Deletes its rules too. A flag that is linked to a release cannot be deleted (in_use).",
	Errors:      []int{http.StatusConflict},
}

var patchVariationDoc = huma.Operation{
	OperationID: "patchVariation", Tags: []string{tagFlags}, Summary: "Change a variation of a feature flag",
	Description: "Rules, releases and defaults with the old value get the new one.",
}

type patchVariationBody struct {
	Name  Patch[string] `json:"name,omitzero"`
	Value Patch[string] `json:"value,omitzero" doc:"The value's text."`
}

func (b patchVariationBody) model() (models.VariationPatch, models.Problems) {
	var p models.Problems
	return models.VariationPatch{Name: b.Name.notNull(&p, "name"), Value: b.Value.notNull(&p, "value")}, p
}

func (b patchVariationBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }

func (patchVariationBody) example() any { return patchVariationBody{Name: patchTo("Enabled")} }

type patchVariationInput struct {
	IDPath
	VariationID int64 `path:"variationId" minimum:"1" doc:"Id of the variation." example:"32"`
	Body        patchVariationBody
}

func (h flagHandlers) patchVariation(ctx context.Context, in *patchVariationInput) (*output[Variation], error) {
	patch, _ := in.Body.model()
	v, err := h.flags.UpdateVariation(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.VariationID, patch)
	return &output[Variation]{variationRecord(v)}, err
}

var patchEnvironmentDoc = huma.Operation{
	OperationID: "patchFlagEnvironment", Tags: []string{tagFlags}, Summary: "Change a feature flag on one channel",
	Description: "Absent fields keep their value; with null the channel uses the flag's own value.",
}

type patchEnvironmentBody struct {
	Enabled      Patch[bool]      `json:"enabled,omitzero" nullable:"true" doc:"Whether the flag is on for the channel; null follows the flag."`
	DefaultValue Patch[FlagValue] `json:"defaultValue,omitzero" doc:"A string with the text of a value, or the value itself; null follows the flag."`
}

func (b patchEnvironmentBody) model() models.FlagEnvironmentPatch {
	patch := models.FlagEnvironmentPatch{Enabled: b.Enabled.nullable()}
	patch.DefaultValue.Set = b.DefaultValue.set
	if v := b.DefaultValue.value; v != nil {
		patch.DefaultValue.Value = (*json.RawMessage)(v)
	}
	return patch
}

func (patchEnvironmentBody) example() any {
	return patchEnvironmentBody{Enabled: patchTo(true), DefaultValue: patchTo(FlagValue(`"true"`))}
}

type patchEnvironmentInput struct {
	IDPath
	ChannelName string `path:"channelName" doc:"The channel; write a slash in its name as %2F." example:"production"`
	Body        patchEnvironmentBody
}

func (h flagHandlers) patchEnvironment(ctx context.Context, in *patchEnvironmentInput) (*output[FlagEnvironment], error) {
	f, e, err := h.flags.UpdateFlagEnvironment(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.ChannelName, in.Body.model())
	return &output[FlagEnvironment]{environmentRecord(f, e)}, err
}
