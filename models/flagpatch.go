package models

import (
	"encoding/json"
	"fmt"
	"slices"
)

// FlagPatch changes the fields that are set. Variations replace all that the flag has.
type FlagPatch struct {
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
	Enabled     *bool   `json:"enabled,omitempty"`
	// DefaultValue is JSON as in NewFlag; nil keeps it.
	DefaultValue json.RawMessage `json:"defaultValue,omitempty"`
	Variations   *[]NewVariation `json:"variations,omitempty"`
}

// Validate reports every bad field that can be seen without the flag.
func (c FlagPatch) Validate() error {
	var p Problems
	ifSet(&p, "name", c.Name, checkName)
	ifSet(&p, "description", c.Description, checkLongText)
	if c.Variations != nil && len(*c.Variations) > maxVariations {
		p.Add("variations", "may hold at most %d variations", maxVariations)
	}
	return p.Err()
}

// Patched applies the patch. A default that was the value of a changed variation changes too.
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

// followValues changes default values that were values of changed variations.
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

// indexed is the path of a field of a list's element.
func indexed(list string, i int, field string) string {
	return fmt.Sprintf("%s[%d].%s", list, i, field)
}
