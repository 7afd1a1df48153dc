package models

import "fmt"

// Variation is one of the values that a flag can have.
type Variation struct {
	ID        int64
	ProjectID int64
	FlagID    int64
	Name      string
	// Value is the text of a value of the flag's type.
	Value string
	// Position orders the variations of a flag, from 0.
	Position int
}

// TableName is the table of variations.
func (Variation) TableName() string { return "flag_variations" }

// NewVariation is a variation as a caller lists it.
type NewVariation struct {
	// ID names the variation that this one takes the place of. Without one it is
	// found by its value, else by its name.
	ID    *int64
	Name  string
	Value string
}

// VariationPatch changes the fields that are set.
type VariationPatch struct {
	Name  *string
	Value *string
}

// Validate reports every bad field that can be seen without the flag.
func (v VariationPatch) Validate() error {
	var p Problems
	ifSet(checkRequiredText, &p, "name", v.Name, 200)
	return p.Err()
}

// maxVariations is how many variations a flag may have.
const maxVariations = 100

// defaultVariations are those of a boolean flag that came without any.
var defaultVariations = []NewVariation{{Name: "On", Value: "true"}, {Name: "Off", Value: "false"}}

// checkVariations notes what is wrong with the variations of a flag of type t.
func checkVariations(p *Problems, t FlagType, variations []NewVariation) {
	if len(variations) > maxVariations {
		p.Add("variations", "may hold at most %d variations", maxVariations)
		return
	}
	names, values := map[string]bool{}, map[string]bool{}
	for i, v := range variations {
		at := fmt.Sprintf("variations[%d]", i)
		checkRequiredText(p, at+".name", v.Name, 200)
		if names[v.Name] {
			p.Add(at+".name", "the name %q is there twice", v.Name)
		}
		names[v.Name] = true
		canonical, err := t.Canonical(v.Value)
		switch {
		case err != nil:
			p.Add(at+".value", "%v", err)
		case values[canonical]:
			p.Add(at+".value", "the value %q is there twice", v.Value)
		}
		values[canonical] = true
	}
}
