package delivery

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// compiledFlags are a project's compiled flags, with the records that they were compiled from.
type compiledFlags struct {
	set         *flags.Set
	definitions *flags.Definitions
	byKey       map[string]*models.Flag
	flags       []models.Flag
	segments    []models.Segment
	channels    []string
	// branches are the names of the branches. releases are all releases, linking are the releases with linked flags,
	// and aliases are the aliases of all releases.
	branches          []string
	releases, linking []*models.Release
	aliases           []models.ReleaseAlias
}

// next returns the compiled flags of a later state of the project. It reuses everything that did not change.
func (c compiledFlags) next(p models.ProjectSnapshot) (compiledFlags, error) {
	n := compiledFlags{
		set: c.set, definitions: c.definitions, byKey: c.byKey, flags: p.Flags, segments: p.Segments, aliases: p.Aliases,
		releases: p.Releases, channels: make([]string, len(p.Channels)), branches: make([]string, len(p.Branches)),
	}
	for i, ch := range p.Channels {
		n.channels[i] = ch.Name
	}
	for i, b := range p.Branches {
		n.branches[i] = b.Name
	}
	for _, r := range p.Releases {
		if len(r.LinkedFlags) > 0 {
			n.linking = append(n.linking, r)
		}
	}
	sameFlags := c.set != nil && same(c.flags, n.flags) && same(c.segments, n.segments) &&
		slices.Equal(c.linking, n.linking) && (len(n.linking) == 0 || same(c.aliases, n.aliases))
	if !sameFlags {
		var err error
		if n.set, err = flags.NewSet(p, c.set); err != nil {
			return n, err
		}
		n.byKey = make(map[string]*models.Flag, len(n.flags))
		for i := range n.flags {
			n.byKey[n.flags[i].Key] = &n.flags[i]
		}
	}
	if !sameFlags || !slices.Equal(c.channels, n.channels) || !slices.Equal(c.branches, n.branches) ||
		!slices.Equal(c.releases, n.releases) || !same(c.aliases, n.aliases) {
		n.definitions = flags.NewDefinitions(p, n.set)
	}
	return n, nil
}

// same reports whether two slices share their elements, or are both empty.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// FlagDefinitions returns the project's feature flags for clients that evaluate flags themselves.
func (s *Snapshot) FlagDefinitions() *flags.Definitions { return s.flags.definitions }

// Flags returns the project's feature flags, ready to be evaluated for a context of FlagContext.
func (s *Snapshot) Flags() *flags.Set { return s.flags.set }

// FlagContext returns the context with the project's data about the running release. It reads only the UUID of
// c.Update, in any case.
func (s *Snapshot) FlagContext(c flags.Context) flags.Context {
	named := strings.ToLower(c.Update.UUID)
	c.Update = flags.Update{UUID: named, Alias: named}
	if rel := s.releases[named]; rel != nil {
		c.Update = flags.Update{
			UUID: rel.uuid, Alias: named, Branch: rel.branchName, RuntimeVersion: rel.RuntimeVersion, CreatedAt: rel.CreatedAt,
		}
	}
	return c
}

// HasFlag reports whether the project has the flag.
func (s *Snapshot) HasFlag(key string) bool { return s.flags.byKey[key] != nil }

// HasVariation reports whether the project has the flag with a variation of the given value, as a string.
func (s *Snapshot) HasVariation(key, value string) bool {
	f := s.flags.byKey[key]
	return f != nil && slices.ContainsFunc(f.Variations, func(v models.Variation) bool { return v.Value == value })
}

// EvaluatedValue returns the string under which telemetry counts a value that a client evaluated. This is the value
// of the matching variation or default, otherwise models.OtherValue. ok is false if the project does not have the
// flag.
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
