package models

import (
	"encoding/json"
	"fmt"
	"slices"
)

// FlagPatch changes the fields that are set. Variations replace all variations of the flag.
type FlagPatch struct {
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
	Enabled     *bool   `json:"enabled,omitempty"`
	// DefaultValue is JSON as in NewFlag; nil keeps it.
	DefaultValue json.RawMessage `json:"defaultValue,omitempty"`
	Variations   *[]NewVariation `json:"variations,omitempty"`
}

// Validate checks every field as far as possible without the flag.
func (c FlagPatch) Validate() error {
	var p Problems
	ifSet(&p, "name", c.Name, checkName)
	ifSet(&p, "description", c.Description, checkLongText)
	if c.Variations != nil && len(*c.Variations) > maxVariations {
		p.Add("variations", "must contain at most %d variations", maxVariations)
	}
	return p.Err()
}

// Patched returns the flag with the patch applied. If the value of a variation changes, default values that were equal to it
// change, too.
func (f Flag) Patched(c FlagPatch) (Flag, error) {
	var p Problems
	Assign(&f.Name, c.Name)
	Assign(&f.Description, c.Description)
	Assign(&f.Enabled, c.Enabled)
	if c.Variations != nil {
		checkVariations(&p, f.FlagType, *c.Variations)
		before := f
		f.Variations = f.matchVariations(&p, *c.Variations)
		f.followValues(before)
	}
	if c.DefaultValue != nil {
		text, err := f.FlagType.TextOf(c.DefaultValue)
		if err != nil {
			p.Add("defaultValue", "%v", err)
		}
		f.DefaultValue = text
	}
	return f, p.Err()
}

// followValues changes the default values that were equal to the value of a changed variation.
func (f *Flag) followValues(before Flag) {
	follow := func(text string) string {
		was, known := before.Variation(text)
		if v, kept := f.VariationByID(was.ID); known && kept {
			return v.Value
		}
		return text
	}
	f.DefaultValue = follow(before.DefaultValue)
	f.Environments = slices.Clone(before.Environments)
	for i, e := range f.Environments {
		if e.DefaultValue != nil {
			text := follow(*e.DefaultValue)
			f.Environments[i].DefaultValue = &text
		}
	}
}

// indexed returns the path of a field in an element of a list.
func indexed(list string, i int, field string) string {
	return fmt.Sprintf("%s[%d].%s", list, i, field)
}
