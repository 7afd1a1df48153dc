package models

import (
	"fmt"
	"slices"
)

// Variation is one of the values that a flag can have.
type Variation struct {
	ID, ProjectID, FlagID int64
	Name                  string
	// Value is a value of the flag's type, as text.
	Value string
	// Position determines the order of the variations of a flag, from 0.
	Position int
	// Flag is the version of the flag after the variation was changed.
	Flag Versioned `gorm:"-" json:"-"`
}

func (Variation) TableName() string { return "flag_variations" }

type NewVariation struct {
	// ID is the ID of the variation to replace. If it is nil, the variation with the same value is replaced, or else the
	// variation with the same name.
	ID    *int64 `json:"id,omitempty"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

type VariationPatch struct {
	Name  *string `json:"name,omitempty"`
	Value *string `json:"value,omitempty"`
}

// Validate checks every field as far as possible without the flag.
func (v VariationPatch) Validate() error {
	var p Problems
	ifSet(&p, "name", v.Name, checkName)
	return p.Err()
}

const maxVariations = 100

func checkVariations(p *Problems, t FlagType, variations []NewVariation) {
	if len(variations) > maxVariations {
		p.Add("variations", "must contain at most %d variations", maxVariations)
		return
	}
	names, values := map[string]bool{}, map[string]bool{}
	for i, v := range variations {
		at := fmt.Sprintf("variations[%d]", i)
		checkName(p, at+".name", v.Name)
		if names[v.Name] {
			p.Add(at+".name", "the name %q is listed twice", v.Name)
		}
		names[v.Name] = true
		canonical, err := t.Canonical(v.Value)
		if err != nil {
			p.Add(at+".value", "%v", err)
		} else if values[canonical] {
			p.Add(at+".value", "the value %q is listed twice", v.Value)
		}
		values[canonical] = true
	}
}

// matchVariations returns the listed variations with the IDs of the variations that they replace; see NewVariation.
func (f Flag) matchVariations(p *Problems, listed []NewVariation) []Variation {
	matched := make([]Variation, len(listed))
	for i, n := range listed {
		matched[i] = Variation{ProjectID: f.ProjectID, FlagID: f.ID, Name: n.Name, Value: n.Value, Position: i}
	}
	free := slices.Clone(f.Variations)
	for _, same := range []func(NewVariation, Variation) bool{
		func(n NewVariation, v Variation) bool { return n.ID != nil && *n.ID == v.ID },
		func(n NewVariation, v Variation) bool { return n.ID == nil && f.FlagType.Same(v.Value, n.Value) },
		func(n NewVariation, v Variation) bool { return n.ID == nil && v.Name == n.Name },
	} {
		for i, n := range listed {
			at := slices.IndexFunc(free, func(v Variation) bool { return same(n, v) })
			if at >= 0 && matched[i].ID == 0 {
				matched[i].ID = free[at].ID
				free = slices.Delete(free, at, at+1)
			}
		}
	}
	for i, n := range listed {
		if n.ID != nil && matched[i].ID == 0 {
			p.Add(indexed("variations", i, "id"), "the flag has no variation %d, or it is listed twice", *n.ID)
		}
	}
	return matched
}

// PatchedVariation returns the flag with one of its variations changed, and that variation.
func (f Flag) PatchedVariation(id int64, c VariationPatch) (Flag, Variation, error) {
	i := slices.IndexFunc(f.Variations, func(v Variation) bool { return v.ID == id })
	if i < 0 {
		return f, Variation{}, Errorf(CodeNotFound, "variation %d of flag %q does not exist", id, f.Key)
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
	for _, other := range before.Variations {
		if other.ID != id && other.Name == v.Name {
			p.Add("name", "variation %d already has the name %q", other.ID, v.Name)
		}
		if other.ID != id && f.FlagType.Same(other.Value, v.Value) {
			p.Add("value", "variation %d already has the value %q", other.ID, v.Value)
		}
	}
	f.followValues(before)
	return f, *v, p.Err()
}
