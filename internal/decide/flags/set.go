package flags

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Set contains the flags of a project, ready to be evaluated. It is immutable and safe for concurrent use.
type Set struct {
	flags []*Flag // sorted by key
	byKey map[string]*Flag
	keys  *Keys
	// segments are the project's segments by key, and patterns are its patterns by text.
	segments map[string]*Segment
	patterns patterns
}

// Keys are the flag keys in a set, sorted. Consecutive sets of a project with the same keys share them.
type Keys struct{ list []string }

// NewSet compiles the flags of a project. It reuses the unchanged flags of before, which may be nil. It returns an
// error if a value is not of its flag's type.
func NewSet(p models.ProjectSnapshot, before *Set) (*Set, error) {
	known := before
	if known == nil {
		known = &Set{}
	}
	s := &Set{flags: make([]*Flag, 0, len(p.Flags)), byKey: make(map[string]*Flag, len(p.Flags)), patterns: patternsOf(p, known.patterns)}
	if known.patterns.differ(s.patterns) {
		known = &Set{} // the flags of before were compiled with other patterns
	}
	s.segments = compileSegments(p.Segments, known.segments, s.patterns)
	linked := overrides(p)
	for _, source := range p.Flags {
		f := known.byKey[source.Key]
		if f == nil || !f.same(source, linked[source.ID], s.segments) {
			var err error
			if f, err = compileFlag(source, linked[source.ID], s.segments, s.patterns); err != nil {
				return nil, err
			}
		}
		s.flags, s.byKey[source.Key] = append(s.flags, f), f
	}
	slices.SortFunc(s.flags, func(a, b *Flag) int { return strings.Compare(a.Key(), b.Key()) })
	list := make([]string, len(s.flags))
	for i, f := range s.flags {
		list[i] = f.Key()
	}
	s.keys = &Keys{list}
	if before != nil && slices.Equal(before.keys.list, list) {
		s.keys = before.keys
	}
	return s, nil
}

// Flag returns the flag with the key.
func (s *Set) Flag(key string) (*Flag, bool) {
	f, ok := s.byKey[key]
	return f, ok
}

// FlagByID returns the flag with the ID.
func (s *Set) FlagByID(id int64) (*Flag, bool) {
	i := slices.IndexFunc(s.flags, func(f *Flag) bool { return f.source.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.flags[i], true
}

// Flags returns the flags, sorted by key. The caller must not change them.
func (s *Set) Flags() []*Flag { return s.flags }

// Keys returns the keys of Flags, in the same order.
func (s *Set) Keys() *Keys { return s.keys }

// Evaluate evaluates all flags for the context and appends their outcomes, in the order of Flags. Together they may
// take MaxRequestSteps.
func (s *Set) Evaluate(c *Context, outcomes []*Outcome) []*Outcome {
	c.meter = meter{}
	outcomes = slices.Grow(outcomes, len(s.flags))
	for _, f := range s.flags {
		outcomes = append(outcomes, f.evaluate(c))
	}
	return outcomes
}

// Evaluated holds the outcomes of a set's flags for a context.
type Evaluated struct {
	Set      *Set
	Context  Context
	Outcomes []*Outcome
}

// Reevaluate returns the same outcomes as Evaluate, given an earlier evaluation of another set for the same context.
// It evaluates only flags whose outcome may differ.
func (s *Set) Reevaluate(c *Context, before Evaluated) []*Outcome {
	if s.keys != before.Set.keys || before.Context.meter.isScarce || before.Context.meter.isStopped {
		return s.Evaluate(c, nil)
	}
	// The steps spent before count again, even for flags that changed. So no flag gets more steps here than from
	// Evaluate.
	c.meter = meter{used: before.Context.meter.used}
	outcomes := slices.Clone(before.Outcomes)
	for i, f := range s.flags {
		if f != before.Set.flags[i] || f.timed {
			outcomes[i] = f.evaluate(c)
		}
	}
	if c.meter.isScarce {
		return s.Evaluate(c, nil)
	}
	return outcomes
}

// Has reports whether the set has a flag with the key.
func (k *Keys) Has(key string) bool {
	_, found := slices.BinarySearch(k.list, key)
	return found
}

// AppendJSON appends {"key":{"value":…,"variant":…,"reason":…},…} to dst. outcomes are the result of Evaluate.
func (s *Set) AppendJSON(dst []byte, outcomes []*Outcome) []byte {
	size := len("{}")
	for i, o := range outcomes {
		size += len(s.flags[i].Key()) + len(o.JSON) + len(`"":,`)
	}
	dst = append(slices.Grow(dst, size), '{')
	for i, o := range outcomes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, s.flags[i].Key()...) // keys do not contain characters that JSON escapes
		dst = append(dst, '"', ':')
		dst = append(dst, o.JSON...)
	}
	return append(dst, '}')
}
