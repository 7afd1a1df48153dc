package delivery

import (
	"encoding/json"
	"slices"

	"github.com/waft-ota/waft/internal/flags"
	"github.com/waft-ota/waft/models"
)

// compiledFlags are a project's flag definitions with what they were made from.
type compiledFlags struct {
	definitions *flags.Definitions
	byKey       map[string]*models.Flag
	flags       []models.Flag
	segments    []models.Segment
	channels    []string
	// linking are the releases with linked flags, aliases those of all releases.
	linking []*models.Release
	aliases []models.ReleaseAlias
}

// next returns the flags of a later state of the project: c itself when they did not change.
func (c compiledFlags) next(p models.ProjectSnapshot) compiledFlags {
	n := compiledFlags{flags: p.Flags, segments: p.Segments, aliases: p.Aliases, channels: make([]string, len(p.Channels))}
	for i, ch := range p.Channels {
		n.channels[i] = ch.Name
	}
	for _, r := range p.Releases {
		if len(r.LinkedFlags) > 0 {
			n.linking = append(n.linking, r)
		}
	}
	if c.definitions != nil && same(c.flags, n.flags) && same(c.segments, n.segments) &&
		slices.Equal(c.channels, n.channels) && slices.Equal(c.linking, n.linking) &&
		(len(n.linking) == 0 || same(c.aliases, n.aliases)) {
		return c
	}
	n.definitions = flags.NewDefinitions(p)
	n.byKey = make(map[string]*models.Flag, len(n.flags))
	for i := range n.flags {
		n.byKey[n.flags[i].Key] = &n.flags[i]
	}
	return n
}

// same reports whether two slices share their elements, or are both empty.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Flags are the definitions of the project's feature flags.
func (s *Snapshot) Flags() *flags.Definitions { return s.flags.definitions }

// HasFlag reports whether the project has the flag.
func (s *Snapshot) HasFlag(key string) bool { return s.flags.byKey[key] != nil }

// HasVariation reports whether the project has the flag with a variation of that value, as text.
func (s *Snapshot) HasVariation(key, value string) bool {
	f := s.flags.byKey[key]
	return f != nil && slices.ContainsFunc(f.Variations, func(v models.Variation) bool { return v.Value == value })
}

// EvaluatedValue returns the text by which telemetry counts a value that a client evaluated the
// flag to: that of the variation or default with the value, else models.OtherValue. ok is false
// when the project does not have the flag.
func (s *Snapshot) EvaluatedValue(flagKey string, value json.RawMessage) (text string, ok bool) {
	f := s.flags.byKey[flagKey]
	if f == nil {
		return "", false
	}
	text, err := f.FlagType.TextOf(value)
	if err != nil {
		return models.OtherValue, true
	}
	if v, ok := f.Variation(text); ok {
		return v.Value, true
	}
	if f.FlagType.Same(f.DefaultValue, text) {
		return f.DefaultValue, true
	}
	for _, e := range f.Environments {
		if _, value := e.Effective(*f); f.FlagType.Same(value, text) {
			return value, true
		}
	}
	return models.OtherValue, true
}
