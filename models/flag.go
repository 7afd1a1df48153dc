package models

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Flag is a feature flag: a value that apps read by its key.
type Flag struct {
	Versioned
	ID, ProjectID          int64
	Key, Name, Description string
	FlagType               FlagType
	// DefaultValue is the value if no rule matches, as text. It does not have to be a variation.
	DefaultValue         string
	Enabled              bool
	CreatedAt, UpdatedAt time.Time

	// Variations are sorted by position.
	Variations []Variation `gorm:"-"`
	// Rules are in the order of evaluation: by priority, then ID.
	Rules []FlagRule `gorm:"-"`
	// Environments are the flag's channel settings. Channels without settings are included.
	Environments []FlagEnvironment `gorm:"-"`
	// ActiveRollouts are the IDs of the running and paused rollouts of releases that link the flag.
	ActiveRollouts []int64 `gorm:"-"`
	// NewestReleases are a few of the newest releases that link the flag, with the fields that name them, newest first.
	NewestReleases []Release `gorm:"-"`
}

// Variation returns the variation with the given value. Two texts are equal if they mean the same value of the flag's type.
func (f Flag) Variation(value string) (Variation, bool) {
	return find(f.Variations, func(v Variation) bool { return f.FlagType.Same(v.Value, value) })
}

// VariationByID returns the variation with the given ID.
func (f Flag) VariationByID(id int64) (Variation, bool) {
	return find(f.Variations, func(v Variation) bool { return v.ID == id })
}

func find[T any](list []T, wanted func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, wanted)
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// In returns the state of the flag on a channel, or the state outside of channels if channel is "".
func (f Flag) In(channel string) (enabled bool, defaultValue string) {
	if channel != "" {
		e, _ := find(f.Environments, func(e FlagEnvironment) bool { return e.ChannelName == channel })
		return e.Effective(f)
	}
	return f.Enabled, f.DefaultValue
}

type NewFlag struct {
	Key         string   `json:"key,omitempty"`
	Name        string   `json:"name,omitempty"`
	Description string   `json:"description,omitempty"`
	FlagType    FlagType `json:"flagType,omitempty"`
	// DefaultValue is a JSON value of the type, or a string that contains it. For a boolean flag, nil means false.
	DefaultValue json.RawMessage `json:"defaultValue,omitempty"`
	Enabled      bool            `json:"enabled"`
	Variations   []NewVariation  `json:"variations,omitempty"`

	keyDerived bool
}

func (n *NewFlag) Normalize() {
	if n.Key == "" {
		n.Key, n.keyDerived = keyFrom(n.Name), true
	}
	n.Name = cmp.Or(n.Name, n.Key)
	n.FlagType = cmp.Or(n.FlagType, FlagBoolean)
	if n.FlagType == FlagBoolean {
		if n.DefaultValue == nil {
			n.DefaultValue = json.RawMessage("false")
		}
		if len(n.Variations) == 0 {
			n.Variations = []NewVariation{{Name: "On", Value: "true"}, {Name: "Off", Value: "false"}}
		}
	}
}

// Validate checks every field of a normalized flag.
func (n NewFlag) Validate() error {
	var p Problems
	if n.Name == "" {
		p.Add("name", "is required (or key)")
	} else {
		checkName(&p, "name", n.Name)
		checkKey(&p, n.Key, n.keyDerived)
	}
	checkLongText(&p, "description", n.Description)
	checkOneOf(&p, "flagType", n.FlagType, flagTypes...)
	if !slices.Contains(flagTypes, n.FlagType) {
		return p.Err() // values can be checked only against a known type
	}
	if n.DefaultValue == nil {
		p.Add("defaultValue", "is required")
	} else if _, err := n.FlagType.TextOf(n.DefaultValue); err != nil {
		p.Add("defaultValue", "%v", err)
	}
	for i, v := range n.Variations {
		if v.ID != nil {
			p.Add(indexed("variations", i, "id"), "must be omitted for a new flag, because Waft assigns the ID")
		}
	}
	checkVariations(&p, n.FlagType, n.Variations)
	return p.Err()
}

// Flag returns the flag of a valid request, without IDs and times.
func (n NewFlag) Flag() (Flag, error) {
	text, err := n.FlagType.TextOf(n.DefaultValue)
	f := Flag{
		Key: n.Key, Name: n.Name, Description: n.Description, FlagType: n.FlagType, DefaultValue: text, Enabled: n.Enabled,
	}
	for i, v := range n.Variations {
		f.Variations = append(f.Variations, Variation{Name: v.Name, Value: v.Value, Position: i})
	}
	return f, err
}

// FlagEnvironment contains the settings of a flag on one channel. A nil setting means that the channel uses the flag's own.
type FlagEnvironment struct {
	// ID is 0 for a channel without settings.
	ID                           int64
	ProjectID, FlagID, ChannelID int64
	Enabled                      *bool
	// DefaultValue is a value of the flag's type, as text.
	DefaultValue *string
	UpdatedAt    time.Time

	ChannelName string `gorm:"->"`
}

// Effective returns the state of the flag f on the channel.
func (e FlagEnvironment) Effective(f Flag) (enabled bool, defaultValue string) {
	enabled, defaultValue = f.Enabled, f.DefaultValue
	Assign(&enabled, e.Enabled)
	Assign(&defaultValue, e.DefaultValue)
	return enabled, defaultValue
}

// FlagEnvironmentPatch changes the fields that are set. A cleared field means that the channel uses the flag's own setting.
type FlagEnvironmentPatch struct {
	Enabled Nullable[bool] `json:"enabled,omitzero"`
	// DefaultValue is JSON as in NewFlag.
	DefaultValue Nullable[json.RawMessage] `json:"defaultValue,omitzero"`
}

// Patched returns the environment with the patch applied; t is the type of the flag.
func (e FlagEnvironment) Patched(t FlagType, c FlagEnvironmentPatch) (FlagEnvironment, error) {
	var p Problems
	c.Enabled.Apply(&e.Enabled)
	if c.DefaultValue.Set {
		e.DefaultValue = nil
	}
	if value := c.DefaultValue.Value; value != nil {
		text, err := t.TextOf(*value)
		if err != nil {
			p.Add("defaultValue", "%v", err)
		}
		e.DefaultValue = &text
	}
	return e, p.Err()
}
