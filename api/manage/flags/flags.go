package flags

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Flags stores feature flags.
type Flags interface {
	ListFlags(ctx context.Context, projectID int64, filter models.FlagFilter, page models.Page) ([]models.Flag, error)
	Flag(ctx context.Context, projectID, id int64) (models.Flag, error)
}

var (
	listFlagsDoc  = rest.Doc(tagFlags, "listFlags", "List feature flags", "Each flag with its variations and rules.")
	createFlagDoc = rest.Doc(tagFlags, "createFlag", "Create a feature flag",
		"A boolean flag without variations gets the variations On and Off. The values of variations are strings that can be "+
			"parsed as the flag's type.",
		http.StatusCreated)
	getFlagDoc   = rest.Doc(tagFlags, "getFlag", "Get a feature flag", "Returns the current state of the flag.")
	patchFlagDoc = rest.Doc(tagFlags, "patchFlag", "Change a feature flag",
		"Fields that are absent keep their value. A list of variations replaces all existing ones. A variation cannot be "+
			"removed while a rule, a default or a release uses it (in_use).",
		http.StatusConflict)
	deleteFlagDoc = rest.Doc(tagFlags, "deleteFlag", "Delete a feature flag",
		"Also deletes the flag's rules. A flag that is linked to a release cannot be deleted (in_use).", http.StatusConflict)
	patchVariationDoc = rest.Doc(tagFlags, "patchVariation", "Change a variation of a feature flag",
		"Rules, releases and defaults that have the old value get the new value.")
	patchEnvironmentDoc = rest.Doc(tagFlags, "patchFlagEnvironment", "Change a feature flag on one channel",
		"Fields that are absent keep their value. With null, the channel uses the flag's own value.")
)

type createFlagBody struct {
	Key          string          `json:"key,omitempty" doc:"Key: 1 to 128 lower-case letters, digits or . _ -. Derived from the name by default."`
	Name         string          `json:"name,omitempty" doc:"Display name; the key by default."`
	Description  string          `json:"description,omitempty"`
	FlagType     models.FlagType `json:"flagType,omitempty" enum:"boolean,string,number,json" doc:"Type of the flag's values; boolean by default."`
	DefaultValue rest.FlagValue  `json:"defaultValue,omitzero" doc:"Default value: a value of the flag's type, or a string that contains it. For a json flag, a string always contains JSON. By default false for a boolean flag."`
	Enabled      *bool           `json:"enabled,omitempty" doc:"Whether rules are evaluated, true by default; false gives every context the default value."`
	Variations   []variationBody `json:"variations,omitempty" doc:"Values that rules can give."`
}

type variationBody struct {
	ID    *int64 `json:"id,omitempty" doc:"ID of the variation that this one replaces, in a change. By default, the variation with the same value or else with the same name."`
	Name  string `json:"name"`
	Value string `json:"value" doc:"Value of the variation, as a string."`
}

func variationModel(v variationBody) models.NewVariation { return models.NewVariation(v) }

func (b createFlagBody) Model() models.NewFlag {
	n := models.NewFlag{
		Key: b.Key, Name: b.Name, Description: b.Description, FlagType: b.FlagType,
		DefaultValue: b.DefaultValue.RawMessage, Enabled: b.Enabled == nil || *b.Enabled,
		Variations: rest.Rendered(b.Variations, variationModel),
	}
	n.Normalize()
	return n
}

func (b createFlagBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (createFlagBody) Example() any {
	return createFlagBody{Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: rest.FlagValueOf("false")}
}

type patchFlagBody struct {
	Name         rest.Patch[string]          `json:"name,omitzero"`
	Description  rest.Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Description of the flag; null clears it."`
	Enabled      rest.Patch[bool]            `json:"enabled,omitzero" doc:"Whether the flag is on for channels without a setting of their own."`
	DefaultValue rest.FlagValue              `json:"defaultValue,omitzero" doc:"Default value: a value of the flag's type, or a string that contains it."`
	Variations   rest.Patch[[]variationBody] `json:"variations,omitzero" doc:"New variations, which replace all current ones."`
}

func (b patchFlagBody) Model() (models.FlagPatch, models.Problems) {
	var p models.Problems
	patch := models.FlagPatch{
		Name: b.Name.NotNull(&p, "name"), Description: rest.Cleared(b.Description), Enabled: b.Enabled.NotNull(&p, "enabled"),
		DefaultValue: b.DefaultValue.RawMessage,
	}
	if listed := b.Variations.NotNull(&p, "variations"); listed != nil {
		patch.Variations = new(rest.Rendered(*listed, variationModel))
	}
	return patch, p
}

func (b patchFlagBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchFlagBody) Example() any                   { return patchFlagBody{Enabled: rest.PatchTo(false)} }

type patchVariationBody struct {
	Name  rest.Patch[string] `json:"name,omitzero"`
	Value rest.Patch[string] `json:"value,omitzero" doc:"Value of the variation, as a string."`
}

func (b patchVariationBody) model() (models.VariationPatch, models.Problems) {
	var p models.Problems
	return models.VariationPatch{Name: b.Name.NotNull(&p, "name"), Value: b.Value.NotNull(&p, "value")}, p
}

func (b patchVariationBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.model()) }
func (patchVariationBody) Example() any                   { return patchVariationBody{Name: rest.PatchTo("Enabled")} }

type patchVariationInput struct {
	rest.IDPath
	VariationID int64 `path:"variationId" minimum:"1" doc:"ID of the variation." example:"32"`
	Body        patchVariationBody
}

func (h *Handlers) patchVariation(ctx context.Context, in *patchVariationInput) (*rest.Output[Variation], error) {
	patch, _ := in.Body.model()
	v, err := operations.Do(ctx, h.Operations, operations.PatchVariation, rest.AuthorOf(ctx),
		operations.PartChange[models.VariationPatch]{FlagPart: operations.FlagPart{FlagID: in.ID, ID: in.VariationID}, Change: patch})
	return &rest.Output[Variation]{Body: variationRecord(v)}, err
}

type patchEnvironmentBody struct {
	Enabled      rest.Patch[bool]           `json:"enabled,omitzero" nullable:"true" doc:"Whether the flag is on for the channel; null uses the flag's own setting."`
	DefaultValue rest.Patch[rest.FlagValue] `json:"defaultValue,omitzero" doc:"Default value for the channel: a value of the flag's type, or a string that contains it; null uses the flag's own value."`
}

func (b patchEnvironmentBody) model() models.FlagEnvironmentPatch {
	patch := models.FlagEnvironmentPatch{Enabled: b.Enabled.Nullable()}
	patch.DefaultValue.Set = b.DefaultValue.Set
	if v := b.DefaultValue.Value; v != nil {
		patch.DefaultValue.Value = &v.RawMessage
	}
	return patch
}

func (patchEnvironmentBody) Example() any {
	return patchEnvironmentBody{Enabled: rest.PatchTo(true), DefaultValue: rest.PatchTo(rest.FlagValueOf(`"true"`))}
}

type patchEnvironmentInput struct {
	rest.IDPath
	ChannelName string `path:"channelName" doc:"Name of the channel, with a slash written as %2F." example:"production"`
	Body        patchEnvironmentBody
}

func (h *Handlers) patchEnvironment(ctx context.Context, in *patchEnvironmentInput) (*rest.Output[FlagEnvironment], error) {
	changed, err := operations.Do(ctx, h.Operations, operations.PatchEnvironment, rest.AuthorOf(ctx),
		operations.EnvironmentChange{FlagID: in.ID, Channel: in.ChannelName, Change: in.Body.model()})
	return &rest.Output[FlagEnvironment]{Body: environmentRecord(changed.Flag, changed.Environment)}, err
}

// Flag is a feature flag.
type Flag struct {
	rest.Tagged
	ID             int64             `json:"id"`
	Key            string            `json:"key" doc:"Key that devices ask for."`
	Name           string            `json:"name"`
	Description    string            `json:"description"`
	FlagType       models.FlagType   `json:"flagType" enum:"boolean,string,number,json"`
	DefaultValue   rest.FlagValue    `json:"defaultValue" doc:"Value of the flag's type that devices get while the flag is off or no rule matches."`
	Enabled        bool              `json:"enabled" doc:"Whether the flag is on for channels without a setting of their own."`
	Variations     []Variation       `json:"variations"`
	Rules          []FlagRule        `json:"rules" doc:"Rules in the order of evaluation; the first match wins."`
	Environments   []FlagEnvironment `json:"environments" doc:"Settings of the flag on each channel that has its own, and on the hundred oldest channels."`
	ActiveRollouts []int64           `json:"activeRollouts" doc:"IDs of running and paused rollouts of releases that link the flag."`

	NewestReleases []releases.ReleaseName `json:"newestReleases" doc:"The newest releases that link the flag, at most three. GET /v1/ota/updates with flagId lists all."`

	CreatedAt rest.Time `json:"createdAt"`
	UpdatedAt rest.Time `json:"updatedAt"`
}

func flagRecord(f models.Flag) Flag {
	value, _ := f.FlagType.Typed(f.DefaultValue) // cannot fail: stored values have the flag's type
	return Flag{
		Tagged: rest.Tagged{ETag: f.ETag(f.ID)},
		ID:     f.ID, Key: f.Key, Name: f.Name, Description: f.Description, FlagType: f.FlagType,
		DefaultValue: rest.FlagValue{RawMessage: value}, Enabled: f.Enabled, Variations: rest.Rendered(f.Variations, variationRecord),
		Rules: rest.Rendered(f.Rules, ruleRecord), ActiveRollouts: append([]int64{}, f.ActiveRollouts...),
		Environments:   rest.Rendered(f.Environments, func(e models.FlagEnvironment) FlagEnvironment { return environmentRecord(f, e) }),
		NewestReleases: rest.Rendered(f.NewestReleases, func(r models.Release) releases.ReleaseName { return releases.NameOf(&r) }),
		CreatedAt:      rest.Time{Time: f.CreatedAt}, UpdatedAt: rest.Time{Time: f.UpdatedAt},
	}
}

func (Flag) Example() any {
	return Flag{
		ID: 31, Key: "new-checkout", Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: rest.FlagValueOf("false"),
		Enabled: true, Variations: exampleVariations(), Rules: []FlagRule{FlagRule{}.Example().(FlagRule)},
		Environments:   []FlagEnvironment{FlagEnvironment{}.Example().(FlagEnvironment)},
		ActiveRollouts: []int64{21}, NewestReleases: []releases.ReleaseName{releases.ExampleName}, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

// Variation is one of the values that a flag can have.
type Variation struct {
	rest.Tagged
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value" doc:"Value of the variation, as a string: true, 42, {\"a\":1}."`
}

func variationRecord(v models.Variation) Variation {
	return Variation{Tagged: rest.Tagged{ETag: v.Flag.ETag(v.FlagID)}, ID: v.ID, Name: v.Name, Value: v.Value}
}

func (Variation) Example() any { return exampleVariations()[0] }

func exampleVariations() []Variation {
	return []Variation{{ID: 32, Name: "On", Value: "true"}, {ID: 33, Name: "Off", Value: "false"}}
}

// FlagEnvironment is the state of a flag on one channel.
type FlagEnvironment struct {
	rest.Tagged
	ChannelName  string `json:"channelName"`
	Enabled      bool   `json:"enabled"`
	DefaultValue string `json:"defaultValue" doc:"Default value on the channel, as a string."`

	IsEnabledInherited bool `json:"isEnabledInherited" doc:"Whether enabled comes from the flag and changes with it."`
	IsDefaultInherited bool `json:"isDefaultInherited" doc:"Whether defaultValue comes from the flag and changes with it."`
}

func environmentRecord(f models.Flag, e models.FlagEnvironment) FlagEnvironment {
	enabled, value := e.Effective(f)
	return FlagEnvironment{
		Tagged:      rest.Tagged{ETag: f.ETag(f.ID)},
		ChannelName: e.ChannelName, Enabled: enabled, DefaultValue: value,
		IsEnabledInherited: e.Enabled == nil, IsDefaultInherited: e.DefaultValue == nil,
	}
}

func (FlagEnvironment) Example() any {
	return FlagEnvironment{ChannelName: "production", Enabled: true, DefaultValue: "false", IsDefaultInherited: true}
}

func (r Flag) RecordID() int64 { return r.ID }
