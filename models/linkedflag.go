package models

import (
	"slices"
	"strconv"
)

// LinkedFlag is a flag with a fixed value for devices that run a release, whatever its rules.
type LinkedFlag struct {
	FlagID  int64  `json:"flagId"`
	FlagKey string `json:"flagKey"`
	Enabled bool   `json:"enabled"`
	// Value is the fixed value, as text.
	Value string `json:"value"`
	// VariationID is the variation with that value, nil for a boolean flag and for a link that is not enabled.
	VariationID *int64 `json:"variationId"`
}

// ReleaseFlag is the row of a linked flag.
type ReleaseFlag struct {
	ReleaseID, FlagID int64
	ProjectID         int64
	Enabled           bool
	VariationID       *int64
}

// FlagLink is a request to link a flag to a release.
type FlagLink struct {
	FlagID  int64 `json:"flagId"`
	Enabled bool  `json:"enabled"`
	// Value is the value of one of the flag's variations, as text.
	Value *string `json:"value,omitempty"`
}

const maxLinkedFlags = 100

// checkFlagLinks checks the links as far as possible without the flags.
func checkFlagLinks(p *Problems, field string, links []FlagLink) {
	if len(links) > maxLinkedFlags {
		p.Add(field, "must contain at most %d flags", maxLinkedFlags)
		return
	}
	var seen []int64
	for i, l := range links {
		switch {
		case l.FlagID <= 0:
			p.Add(indexed(field, i, "flagId"), "is required")
		case slices.Contains(seen, l.FlagID):
			p.Add(indexed(field, i, "flagId"), "flag %d is listed twice", l.FlagID)
		}
		seen = append(seen, l.FlagID)
	}
}

// BindLink resolves the i-th link of a request to the value that devices of the release get.
func (f Flag) BindLink(i int, l FlagLink) (LinkedFlag, error) {
	var p Problems
	at := indexed("linkedFlags", i, "value")
	linked := LinkedFlag{FlagID: f.ID, FlagKey: f.Key, Enabled: l.Enabled, Value: f.DefaultValue}
	if f.FlagType == FlagBoolean {
		linked.Value = strconv.FormatBool(l.Enabled)
		if l.Value != nil && *l.Value != linked.Value {
			p.Add(at, "must be %s to match the field enabled, or be omitted", linked.Value)
		}
		return linked, p.Err()
	}
	if l.Value == nil {
		if l.Enabled {
			p.Add(at, "is required: it must be the value of a variation of flag %q", f.Key)
		}
		return linked, p.Err()
	}
	v, ok := f.Variation(*l.Value)
	if !ok {
		p.Add(at, "flag %q has no variation with the value %q", f.Key, *l.Value)
	}
	if l.Enabled {
		linked.Value, linked.VariationID = v.Value, &v.ID
	}
	return linked, p.Err()
}
