package models

import (
	"encoding/json"
	"fmt"
	"slices"
)

// FlagPatch changes the fields that are set. Variations replace all that the flag
// has.
type FlagPatch struct {
	Name        *string
	Description *string
	Enabled     *bool
	// DefaultValue is JSON as in NewFlag; nil keeps it.
	DefaultValue json.RawMessage
	Variations   *[]NewVariation
}

// Validate reports every bad field that can be seen without the flag.
func (c FlagPatch) Validate() error {
	var p Problems
	ifSet(checkRequiredText, &p, "name", c.Name, 200)
	ifSet(checkText, &p, "description", c.Description, 4096)
	if c.Variations != nil && len(*c.Variations) > maxVariations {
		p.Add("variations", "may hold at most %d variations", maxVariations)
	}
	return p.Err()
}

// Patched is the flag as the patch makes it. A new variation has no id yet. A
// default that was the value of a variation follows that value.
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

// PatchedVariation is the flag with one of its variations changed.
func (f Flag) PatchedVariation(id int64, c VariationPatch) (Flag, Variation, error) {
	i := slices.IndexFunc(f.Variations, func(v Variation) bool { return v.ID == id })
	if i < 0 {
		return f, Variation{}, Errorf(CodeNotFound, "there is no variation %d of flag %q", id, f.Key)
	}
	before := f
	f.Variations = slices.Clone(f.Variations)
	v := &f.Variations[i]
	Assign(&v.Name, c.Name)
	Assign(&v.Value, c.Value)
	var p Problems
	if err := f.FlagType.Check(v.Value); err != nil {
		p.Add("value", "%v", err)
	}
	for _, other := range f.Variations {
		if other.ID == id {
			continue
		}
		if other.Name == v.Name {
			p.Add("name", "variation %d has the name %q already", other.ID, v.Name)
		}
		if f.FlagType.Same(other.Value, v.Value) {
			p.Add("value", "variation %d has the value %q already", other.ID, v.Value)
		}
	}
	f.followValues(before)
	return f, *v, p.Err()
}

// matchVariations gives each listed variation the id of the present one that it
// stands for: by id, else by value, else by name.
func (f Flag) matchVariations(p *Problems, listed []NewVariation) []Variation {
	matched := make([]Variation, len(listed))
	free := slices.Clone(f.Variations)
	take := func(i int, same func(Variation) bool) {
		if at := slices.IndexFunc(free, same); matched[i].ID == 0 && at >= 0 {
			matched[i].ID = free[at].ID
			free = slices.Delete(free, at, at+1)
		}
	}
	for i, n := range listed {
		matched[i] = Variation{ProjectID: f.ProjectID, FlagID: f.ID, Name: n.Name, Value: n.Value, Position: i}
		if n.ID == nil {
			continue
		}
		take(i, func(v Variation) bool { return v.ID == *n.ID })
		if matched[i].ID == 0 {
			p.Add(indexed("variations", i, "id"), "the flag has no variation %d, or it is there twice", *n.ID)
		}
	}
	for i, n := range listed {
		if n.ID == nil {
			take(i, func(v Variation) bool { return f.FlagType.Same(v.Value, n.Value) })
		}
	}
	for i, n := range listed {
		if n.ID == nil {
			take(i, func(v Variation) bool { return v.Name == n.Name })
		}
	}
	return matched
}

// followValues moves the default, and those of the flag's environments, along
// with the variation whose value they were.
func (f *Flag) followValues(before Flag) {
	follow := func(text string) string {
		was, ok := before.Variation(text)
		if !ok {
			return text
		}
		if v, ok := f.VariationByID(was.ID); ok {
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
