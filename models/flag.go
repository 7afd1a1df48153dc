package models

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// Flag is a feature flag: a value that devices ask for by its key.
type Flag struct {
	ID          int64
	ProjectID   int64
	Key         string
	Name        string
	Description string
	FlagType    FlagType
	// DefaultValue is the text of the value of a flag that is off or has no rule that
	// matches. It need not be a variation.
	DefaultValue string
	Enabled      bool
	CreatedAt    time.Time
	UpdatedAt    time.Time

	// Variations are in their order.
	Variations []Variation `gorm:"-"`
	// Rules are in the order of evaluation: by priority, then id.
	Rules []FlagRule `gorm:"-"`
	// Environments are the flag's settings by channel, those without settings of
	// their own included.
	Environments []FlagEnvironment `gorm:"-"`
	// ActiveRollouts are the ids of the open executions of releases that link it.
	ActiveRollouts []int64 `gorm:"-"`
}

// Variation finds a variation by its value; texts of the same value are equal.
func (f Flag) Variation(value string) (Variation, bool) {
	return find(f.Variations, func(v Variation) bool { return f.FlagType.Same(v.Value, value) })
}

// VariationByID finds a variation by its id.
func (f Flag) VariationByID(id int64) (Variation, bool) {
	return find(f.Variations, func(v Variation) bool { return v.ID == id })
}

// find returns the first element that is wanted.
func find[T any](list []T, wanted func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, wanted)
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// In returns how the flag stands on a channel: its settings there, else its own.
// No channel is "".
func (f Flag) In(channel string) (enabled bool, defaultValue string) {
	enabled, defaultValue = f.Enabled, f.DefaultValue
	for _, e := range f.Environments {
		if e.ChannelName == channel && channel != "" {
			return e.Effective(f)
		}
	}
	return enabled, defaultValue
}

// NewFlag is what a caller says to create a flag.
type NewFlag struct {
	Key         string
	Name        string
	Description string
	FlagType    FlagType
	// DefaultValue is JSON: a value of the type, or a string with its text. Nil means
	// false for a boolean flag.
	DefaultValue json.RawMessage
	Enabled      bool
	Variations   []NewVariation

	keyMade bool
}

// Normalize fills what the caller may leave out.
func (n *NewFlag) Normalize() {
	if n.Key == "" {
		n.Key, n.keyMade = keyFrom(n.Name), true
	}
	n.Name = cmp.Or(n.Name, n.Key)
	n.FlagType = cmp.Or(n.FlagType, FlagBoolean)
	if n.FlagType == FlagBoolean {
		if n.DefaultValue == nil {
			n.DefaultValue = json.RawMessage("false")
		}
		if len(n.Variations) == 0 {
			n.Variations = slices.Clone(defaultVariations)
		}
	}
}

// Validate reports every bad field of a normalized flag.
func (n NewFlag) Validate() error {
	var p Problems
	if n.Name == "" {
		p.Add("name", "is required (or key)")
	} else {
		checkRequiredText(&p, "name", n.Name, 200)
		checkKey(&p, n.Key, n.keyMade)
	}
	checkText(&p, "description", n.Description, 4096)
	if !n.FlagType.Valid() {
		p.Add("flagType", "must be boolean, string, number or json")
		return p.Err()
	}
	if n.DefaultValue == nil {
		p.Add("defaultValue", "is required")
	} else if _, err := n.FlagType.TextOf(n.DefaultValue); err != nil {
		p.Add("defaultValue", "%v", err)
	}
	for i, v := range n.Variations {
		if v.ID != nil {
			p.Add(indexed("variations", i, "id"), "cannot be chosen")
		}
	}
	checkVariations(&p, n.FlagType, n.Variations)
	return p.Err()
}

// Flag is the flag that a valid n asks for, without ids and times.
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
