package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Flags stores feature flags.
type Flags interface {
	CreateFlag(ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag) (models.Flag, error)
	ListFlags(ctx context.Context, projectID int64, filter models.FlagFilter, page models.Page) ([]models.Flag, error)
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
	OrderRules(ctx context.Context, projectID int64, actor models.Actor, flagID int64, order models.RuleOrder) (models.Flag, error)
	CopyFlag(ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.FlagCopy) (models.Flag, error)
	// UpdateFlagEnvironment returns the flag with its environment on the channel.
	UpdateFlagEnvironment(
		ctx context.Context, projectID int64, actor models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
	) (models.Flag, models.FlagEnvironment, error)
}

var (
	listFlagsDoc  = doc(tagFlags, "listFlags", "List feature flags", "Each flag with its variations and rules.")
	createFlagDoc = doc(tagFlags, "createFlag", "Create a feature flag",
		"A boolean flag that comes without variations gets On and Off. The values of variations are texts that parse as the flag's type.",
		http.StatusCreated)
	getFlagDoc   = doc(tagFlags, "getFlag", "Get a feature flag", "The current state.")
	patchFlagDoc = doc(tagFlags, "patchFlag", "Change a feature flag",
		"Absent fields keep their value. Given variations replace all existing ones; a removed one must not be used "+
			"by a rule, a default or a release (in_use).",
		http.StatusConflict)
	deleteFlagDoc = doc(tagFlags, "deleteFlag", "Delete a feature flag",
		"Deletes its rules too. A flag that is linked to a release cannot be deleted (in_use).", http.StatusConflict)
	patchVariationDoc = doc(tagFlags, "patchVariation", "Change a variation of a feature flag",
		"Rules, releases and defaults with the old value get the new one.")
	patchEnvironmentDoc = doc(tagFlags, "patchFlagEnvironment", "Change a feature flag on one channel",
		"Absent fields keep their value; with null the channel uses the flag's own value.")
)

type createFlagBody struct {
	Key          string          `json:"key,omitempty" doc:"1 to 128 lower-case letters, digits or . _ -; made from the name when absent."`
	Name         string          `json:"name,omitempty" doc:"Display name; the key when absent."`
	Description  string          `json:"description,omitempty"`
	FlagType     models.FlagType `json:"flagType,omitempty" enum:"boolean,string,number,json" doc:"Type of its values; boolean when absent."`
	DefaultValue FlagValue       `json:"defaultValue,omitzero" doc:"A value of the type, or a string with its text; false for a boolean flag when absent. A string is always the text of a json value."`
	Enabled      *bool           `json:"enabled,omitempty" doc:"False gives the default to every context; true when absent."`
	Variations   []variationBody `json:"variations,omitempty" doc:"The values that rules can give."`
}

type variationBody struct {
	ID    *int64 `json:"id,omitempty" doc:"In a change: id of the variation that it replaces; by default the one with the same value, else with the same name."`
	Name  string `json:"name"`
	Value string `json:"value" doc:"The value's text."`
}

func variationModel(v variationBody) models.NewVariation { return models.NewVariation(v) }

func (b createFlagBody) model() models.NewFlag {
	n := models.NewFlag{
		Key: b.Key, Name: b.Name, Description: b.Description, FlagType: b.FlagType,
		DefaultValue: b.DefaultValue.RawMessage, Enabled: b.Enabled == nil || *b.Enabled,
		Variations: rendered(b.Variations, variationModel),
	}
	n.Normalize()
	return n
}

func (b createFlagBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createFlagBody) example() any {
	return createFlagBody{Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: flagValue("false")}
}

type patchFlagBody struct {
	Name         Patch[string]          `json:"name,omitzero"`
	Description  Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	Enabled      Patch[bool]            `json:"enabled,omitzero" doc:"On channels without an own setting."`
	DefaultValue FlagValue              `json:"defaultValue,omitzero" doc:"A value of the type, or a string with its text."`
	Variations   Patch[[]variationBody] `json:"variations,omitzero" doc:"All variations from now on."`
}

func (b patchFlagBody) model() (models.FlagPatch, models.Problems) {
	var p models.Problems
	patch := models.FlagPatch{
		Name: b.Name.notNull(&p, "name"), Description: cleared(b.Description), Enabled: b.Enabled.notNull(&p, "enabled"),
		DefaultValue: b.DefaultValue.RawMessage,
	}
	if listed := b.Variations.notNull(&p, "variations"); listed != nil {
		patch.Variations = new(rendered(*listed, variationModel))
	}
	return patch, p
}

func (b patchFlagBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }
func (patchFlagBody) example() any                   { return patchFlagBody{Enabled: patchTo(false)} }

type patchVariationBody struct {
	Name  Patch[string] `json:"name,omitzero"`
	Value Patch[string] `json:"value,omitzero" doc:"The value's text."`
}

func (b patchVariationBody) model() (models.VariationPatch, models.Problems) {
	var p models.Problems
	return models.VariationPatch{Name: b.Name.notNull(&p, "name"), Value: b.Value.notNull(&p, "value")}, p
}

func (b patchVariationBody) Resolve(huma.Context) []error { return patchErrors(b.model()) }
func (patchVariationBody) example() any                   { return patchVariationBody{Name: patchTo("Enabled")} }

type patchVariationInput struct {
	IDPath
	VariationID int64 `path:"variationId" minimum:"1" doc:"Id of the variation." example:"32"`
	Body        patchVariationBody
}

func (h *FlagsHandlers) patchVariation(ctx context.Context, in *patchVariationInput) (*output[Variation], error) {
	patch, _ := in.Body.model()
	v, err := h.Flags.UpdateVariation(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.VariationID, patch)
	return &output[Variation]{variationRecord(v)}, err
}

type patchEnvironmentBody struct {
	Enabled      Patch[bool]      `json:"enabled,omitzero" nullable:"true" doc:"Whether the flag is on for the channel; null follows the flag."`
	DefaultValue Patch[FlagValue] `json:"defaultValue,omitzero" doc:"A string with the text of a value, or the value itself; null follows the flag."`
}

func (b patchEnvironmentBody) model() models.FlagEnvironmentPatch {
	patch := models.FlagEnvironmentPatch{Enabled: b.Enabled.nullable()}
	patch.DefaultValue.Set = b.DefaultValue.set
	if v := b.DefaultValue.value; v != nil {
		patch.DefaultValue.Value = &v.RawMessage
	}
	return patch
}

func (patchEnvironmentBody) example() any {
	return patchEnvironmentBody{Enabled: patchTo(true), DefaultValue: patchTo(flagValue(`"true"`))}
}

type patchEnvironmentInput struct {
	IDPath
	ChannelName string `path:"channelName" doc:"The channel; write a slash in its name as %2F." example:"production"`
	Body        patchEnvironmentBody
}

func (h *FlagsHandlers) patchEnvironment(ctx context.Context, in *patchEnvironmentInput) (*output[FlagEnvironment], error) {
	f, e, err := h.Flags.UpdateFlagEnvironment(ctx, projectOf(ctx), actorOf(ctx), in.ID, in.ChannelName, in.Body.model())
	return &output[FlagEnvironment]{environmentRecord(f, e)}, err
}

// Flag is a feature flag.
type Flag struct {
	ID             int64             `json:"id"`
	Key            string            `json:"key" doc:"What devices ask for."`
	Name           string            `json:"name"`
	Description    string            `json:"description"`
	FlagType       models.FlagType   `json:"flagType" enum:"boolean,string,number,json"`
	DefaultValue   FlagValue         `json:"defaultValue" doc:"What devices get while the flag is off or no rule matches, of the flag's type."`
	Enabled        bool              `json:"enabled" doc:"On channels without an own setting."`
	Variations     []Variation       `json:"variations"`
	Rules          []FlagRule        `json:"rules" doc:"In the order of evaluation; the first that matches wins."`
	Environments   []FlagEnvironment `json:"environments" doc:"The flag on each channel with own settings, and on the hundred oldest channels."`
	ActiveRollouts []int64           `json:"activeRollouts" doc:"Rollouts that are running or paused of releases that link it."`
	CreatedAt      Time              `json:"createdAt"`
	UpdatedAt      Time              `json:"updatedAt"`
}

func flagRecord(f models.Flag) Flag {
	value, _ := f.FlagType.Typed(f.DefaultValue) // what is stored is of the type
	return Flag{
		ID: f.ID, Key: f.Key, Name: f.Name, Description: f.Description, FlagType: f.FlagType,
		DefaultValue: FlagValue{value}, Enabled: f.Enabled, Variations: rendered(f.Variations, variationRecord),
		Rules: rendered(f.Rules, ruleRecord), ActiveRollouts: append([]int64{}, f.ActiveRollouts...),
		Environments: rendered(f.Environments, func(e models.FlagEnvironment) FlagEnvironment { return environmentRecord(f, e) }),
		CreatedAt:    Time{f.CreatedAt}, UpdatedAt: Time{f.UpdatedAt},
	}
}

func (Flag) example() any {
	return Flag{
		ID: 31, Key: "new-checkout", Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: flagValue("false"),
		Enabled: true, Variations: exampleVariations(), Rules: []FlagRule{FlagRule{}.example().(FlagRule)},
		Environments:   []FlagEnvironment{FlagEnvironment{}.example().(FlagEnvironment)},
		ActiveRollouts: []int64{21}, CreatedAt: exampleTime, UpdatedAt: exampleTime,
	}
}

// Variation is one of the values that a flag can have.
type Variation struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value" doc:"The value's text: true, 42, {\"a\":1}."`
}

func variationRecord(v models.Variation) Variation {
	return Variation{ID: v.ID, Name: v.Name, Value: v.Value}
}

func (Variation) example() any { return exampleVariations()[0] }

func exampleVariations() []Variation {
	return []Variation{{ID: 32, Name: "On", Value: "true"}, {ID: 33, Name: "Off", Value: "false"}}
}

// FlagEnvironment is the state of a flag on one channel.
type FlagEnvironment struct {
	ChannelName  string `json:"channelName"`
	Enabled      bool   `json:"enabled"`
	DefaultValue string `json:"defaultValue" doc:"The value's text."`

	IsEnabledInherited bool `json:"isEnabledInherited" doc:"Whether enabled is the flag's own and follows it."`
	IsDefaultInherited bool `json:"isDefaultInherited" doc:"Whether defaultValue is the flag's own and follows it."`
}

func environmentRecord(f models.Flag, e models.FlagEnvironment) FlagEnvironment {
	enabled, value := e.Effective(f)
	return FlagEnvironment{
		ChannelName: e.ChannelName, Enabled: enabled, DefaultValue: value,
		IsEnabledInherited: e.Enabled == nil, IsDefaultInherited: e.DefaultValue == nil,
	}
}

func (FlagEnvironment) example() any {
	return FlagEnvironment{ChannelName: "production", Enabled: true, DefaultValue: "false", IsDefaultInherited: true}
}

func (r Flag) recordID() int64 { return r.ID }

func (r Flag) version() any { return r }

func (r Variation) version() any { return r }

func (r FlagEnvironment) version() any { return r }
