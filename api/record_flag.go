package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

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
		DefaultValue: FlagValue(value), Enabled: f.Enabled, Variations: rendered(f.Variations, variationRecord),
		Rules: rendered(f.Rules, ruleRecord), ActiveRollouts: append([]int64{}, f.ActiveRollouts...),
		Environments: rendered(f.Environments, func(e models.FlagEnvironment) FlagEnvironment { return environmentRecord(f, e) }),
		CreatedAt:    Time{f.CreatedAt}, UpdatedAt: Time{f.UpdatedAt},
	}
}

func (Flag) example() any {
	return Flag{
		ID: 31, Key: "new-checkout", Name: "New checkout", FlagType: models.FlagBoolean, DefaultValue: FlagValue("false"),
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
}

func environmentRecord(f models.Flag, e models.FlagEnvironment) FlagEnvironment {
	enabled, value := e.Effective(f)
	return FlagEnvironment{ChannelName: e.ChannelName, Enabled: enabled, DefaultValue: value}
}

func (FlagEnvironment) example() any {
	return FlagEnvironment{ChannelName: "production", Enabled: true, DefaultValue: "false"}
}

// FlagRule gives a variation to the contexts that it matches.
type FlagRule struct {
	ID           int64           `json:"id"`
	RuleType     models.RuleType `json:"ruleType" enum:"user_list,percentage_rollout,attribute,segment,ota_update"`
	RuleConfig   RuleConfig      `json:"ruleConfig"`
	VariantValue *string         `json:"variantValue" doc:"The text of the variation's value; null for a percentage rollout, whose shares have the values."`
	Priority     int             `json:"priority" doc:"The lowest comes first."`
	ChannelName  *string         `json:"channelName" doc:"The only channel that it is for, null for all."`
}

func ruleRecord(r models.FlagRule) FlagRule {
	return FlagRule{
		ID: r.ID, RuleType: r.RuleType, RuleConfig: ruleConfigRecord(r.Config), VariantValue: r.VariantValue,
		Priority: r.Priority, ChannelName: r.ChannelName,
	}
}

func (FlagRule) example() any {
	value := "true"
	return FlagRule{ID: 34, RuleType: models.RuleSegment, RuleConfig: RuleConfig{SegmentKey: "beta"}, VariantValue: &value}
}

// FlagValue is a value of any type as JSON.
type FlagValue json.RawMessage

// UnmarshalJSON keeps the value as it came.
func (v *FlagValue) UnmarshalJSON(data []byte) error {
	*v = bytes.Clone(data)
	return nil
}

// MarshalJSON writes the value.
func (v FlagValue) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// Schema is anything.
func (FlagValue) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

// Operator compares an attribute with values.
type Operator models.Operator

// Schema lists the operators.
func (Operator) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, o := range models.Operators {
		s.Enum = append(s.Enum, string(o))
	}
	return s
}

// Texts are values to compare with. Numbers and booleans among them are read as
// their text.
type Texts []string

// UnmarshalJSON reads strings, numbers and booleans.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var values []json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*t = make(Texts, len(values))
	for i, v := range values {
		if json.Unmarshal(v, &(*t)[i]) == nil {
			continue
		}
		if strings.ContainsAny(string(v[:1]), "{[n") {
			return errors.New("values must be strings, numbers or booleans")
		}
		(*t)[i] = string(v)
	}
	return nil
}

// Schema is a list of scalars.
func (Texts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
		AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}},
	}}
}

// UserIDs are a list, or one text with commas between them.
type UserIDs struct {
	ids    []string
	asText bool
}

// UnmarshalJSON reads either form.
func (u *UserIDs) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*u = UserIDs{models.SplitUserIDs(text), true}
		return nil
	}
	u.asText = false
	return json.Unmarshal(data, &u.ids)
}

// MarshalJSON writes them in the form in which they came.
func (u UserIDs) MarshalJSON() ([]byte, error) {
	if u.asText {
		return json.Marshal(strings.Join(u.ids, ","))
	}
	return json.Marshal(append([]string{}, u.ids...))
}

// Schema is either form.
func (UserIDs) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{r.Schema(reflect.TypeFor[[]string](), true, ""), {Type: huma.TypeString}}}
}
