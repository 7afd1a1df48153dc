package delivery

import (
	"slices"

	"github.com/waft-ota/waft/internal/flags"
	"github.com/waft-ota/waft/models"
)

// compiledFlags are a project's flags with what they were made from.
type compiledFlags struct {
	definitions *flags.Definitions
	flags       []models.Flag
	segments    []models.Segment
	channels    []string
	// linking are the releases that link flags, aliases what any are known by.
	linking []*models.Release
	aliases []models.ReleaseAlias
}

// next is c for a later state of the project: c itself when nothing of it changed.
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
	return n
}

// same reports whether two slices are one, or both empty.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
