package flags

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
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
		"A boolean flag that comes without variations gets On and Off. The values of variations are texts that parse as the flag's type.",
		http.StatusCreated)
	getFlagDoc   = rest.Doc(tagFlags, "getFlag", "Get a feature flag", "The current state.")
	patchFlagDoc = rest.Doc(tagFlags, "patchFlag", "Change a feature flag",
		"Absent fields keep their value. Given variations replace all existing ones; a removed one must not be used "+
			"by a rule, a default or a release (in_use).",
		http.StatusConflict)
	deleteFlagDoc = rest.Doc(tagFlags, "deleteFlag", "Delete a feature flag",
		"Deletes its rules too. A flag that is linked to a release cannot be deleted (in_use).", http.StatusConflict)
	patchVariationDoc = rest.Doc(tagFlags, "patchVariation", "Change a variation of a feature flag",
		"Rules, releases and defaults with the old value get the new one.")
	patchEnvironmentDoc = rest.Doc(tagFlags, "patchFlagEnvironment", "Change a feature flag on one channel",
		"Absent fields keep their value; with null the channel uses the flag's own value.")
)

type createFlagBody struct {
	Key          string          `json:"key,omitempty" doc:"1 to 128 lower-case letters, digits or . _ -; made from the name when absent."`
	Name         string          `json:"name,omitempty" doc:"Display name; the key when absent."`
	Description  string          `json:"description,omitempty"`
	FlagType     models.FlagType `json:"flagType,omitempty" enum:"boolean,string,number,json" doc:"Type of its values; boolean when absent."`
	DefaultValue rest.FlagValue  `json:"defaultValue,omitzero" doc:"A value of the type, or a string with its text; false for a boolean flag when absent. A string is always the text of a json value."`
	Enabled      *bool           `json:"enabled,omitempty" doc:"False gives the default to every context; true when absent."`
	Variations   []variationBody `json:"variations,omitempty" doc:"The values that rules can give."`
}

type variationBody struct {
	ID    *int64 `json:"id,omitempty" doc:"In a change: id of the variation that it replaces; by default the one with the same value, else with the same name."`
	Name  string `json:"name"`
	Value string `json:"value" doc:"The value's text."`
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
	Description  rest.Patch[string]          `json:"description,omitzero" nullable:"true" doc:"Null clears it."`
	Enabled      rest.Patch[bool]            `json:"enabled,omitzero" doc:"On channels without an own setting."`
	DefaultValue rest.FlagValue              `json:"defaultValue,omitzero" doc:"A value of the type, or a string with its text."`
	Variations   rest.Patch[[]variationBody] `json:"variations,omitzero" doc:"All variations from now on."`
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
	Value rest.Patch[string] `json:"value,omitzero" doc:"The value's text."`
}

func (b patchVariationBody) model() (models.VariationPatch, models.Problems) {
	var p models.Problems
	return models.VariationPatch{Name: b.Name.NotNull(&p, "name"), Value: b.Value.NotNull(&p, "value")}, p
}

func (b patchVariationBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.model()) }
func (patchVariationBody) Example() any                   { return patchVariationBody{Name: rest.PatchTo("Enabled")} }

type patchVariationInput struct {
	rest.IDPath
	VariationID int64 `path:"variationId" minimum:"1" doc:"Id of the variation." example:"32"`
	Body        patchVariationBody
}

func (h *Handlers) patchVariation(ctx context.Context, in *patchVariationInput) (*rest.Output[Variation], error) {
	patch, _ := in.Body.model()
	v, err := operations.Do(ctx, h.Operations, operations.PatchVariation, rest.AuthorOf(ctx),
		operations.PartChange[models.VariationPatch]{FlagPart: operations.FlagPart{FlagID: in.ID, ID: in.VariationID}, Change: patch})
	return &rest.Output[Variation]{Body: variationRecord(v)}, err
}

type patchEnvironmentBody struct {
	Enabled      rest.Patch[bool]           `json:"enabled,omitzero" nullable:"true" doc:"Whether the flag is on for the channel; null follows the flag."`
	DefaultValue rest.Patch[rest.FlagValue] `json:"defaultValue,omitzero" doc:"A string with the text of a value, or the value itself; null follows the flag."`
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
	ChannelName string `path:"channelName" doc:"The channel; write a slash in its name as %2F." example:"production"`
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
	Key            string            `json:"key" doc:"What devices ask for."`
	Name           string            `json:"name"`
	Description    string            `json:"description"`
	FlagType       models.FlagType   `json:"flagType" enum:"boolean,string,number,json"`
	DefaultValue   rest.FlagValue    `json:"defaultValue" doc:"What devices get while the flag is off or no rule matches, of the flag's type."`
	Enabled        bool              `json:"enabled" doc:"On channels without an own setting."`
	Variations     []Variation       `json:"variations"`
	Rules          []FlagRule        `json:"rules" doc:"In the order of evaluation; the first that matches wins."`
	Environments   []FlagEnvironment `json:"environments" doc:"The flag on each channel with own settings, and on the hundred oldest channels."`
	ActiveRollouts []int64           `json:"activeRollouts" doc:"Rollouts that are running or paused of releases that link it."`
	CreatedAt      rest.Time         `json:"createdAt"`
	UpdatedAt      rest.Time         `json:"updatedAt"`
}

func flagRecord(f models.Flag) Flag {
	value, _ := f.FlagType.Typed(f.DefaultValue) // what is stored is of the type
	return Flag{
		Tagged: rest.Tagged{ETag: f.ETag(f.ID)},
		ID:     f.ID, Key: f.Key, Name: f.Name, Description: f.Description, FlagType: f.FlagType,
		DefaultValue: rest.FlagValue{RawMessage: value}, Enabled: f.Enabled, Variations: rest.Rendered(f.Variations, variationRecord),
		Rules: rest.Rendered(f.Rules, ruleRecord), ActiveRollouts: append([]int64{}, f.ActiveRollouts...),
		Environments: rest.Rendered(f.Environments, func(e models.FlagEnvironment) FlagEnvironment { return environmentRecord(f, e) }),
		CreatedAt:    rest.Time{Time: f.CreatedAt}, UpdatedAt: rest.Time{Time: f.UpdatedAt},
	}
}

func (Flag) Example() any {
	return Flag{
		ID: 31, Key: "new-checkout", Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: rest.FlagValueOf("false"),
		Enabled: true, Variations: exampleVariations(), Rules: []FlagRule{FlagRule{}.Example().(FlagRule)},
		Environments:   []FlagEnvironment{FlagEnvironment{}.Example().(FlagEnvironment)},
		ActiveRollouts: []int64{21}, CreatedAt: rest.ExampleTime, UpdatedAt: rest.ExampleTime,
	}
}

// Variation is one of the values that a flag can have.
type Variation struct {
	rest.Tagged
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value" doc:"The value's text: true, 42, {\"a\":1}."`
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
	DefaultValue string `json:"defaultValue" doc:"The value's text."`

	IsEnabledInherited bool `json:"isEnabledInherited" doc:"Whether enabled is the flag's own and follows it."`
	IsDefaultInherited bool `json:"isDefaultInherited" doc:"Whether defaultValue is the flag's own and follows it."`
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
