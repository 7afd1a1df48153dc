package flags

import (
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// Set is the flags of a project, ready to be evaluated. It is immutable and safe for concurrent use.
type Set struct {
	flags []*Flag // by key
	byKey map[string]*Flag
	keys  *Keys
}

// Keys are the keys of a project's flags, sorted. Sets with the same keys that follow each other share them.
type Keys struct{ list []string }

// NewSet compiles the flags of a project. It takes over from before, which may be nil, those that did not
// change. It fails when a value is not of its flag's type.
func NewSet(p models.ProjectSnapshot, before *Set) (*Set, error) {
	segments := make(map[string]models.Segment, len(p.Segments))
	for _, g := range p.Segments {
		segments[g.Key] = g
	}
	linked := overrides(p)
	s := &Set{flags: make([]*Flag, 0, len(p.Flags)), byKey: make(map[string]*Flag, len(p.Flags))}
	for _, source := range p.Flags {
		f := before.flag(source.Key)
		if f == nil || !f.same(source, linked[source.ID], segments) {
			var err error
			if f, err = compileFlag(source, linked[source.ID], segments); err != nil {
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

func (s *Set) flag(key string) *Flag {
	if s == nil {
		return nil
	}
	return s.byKey[key]
}

// Flag returns the flag with the key.
func (s *Set) Flag(key string) (*Flag, bool) {
	f, ok := s.byKey[key]
	return f, ok
}

// FlagByID returns the flag with the id.
func (s *Set) FlagByID(id int64) (*Flag, bool) {
	i := slices.IndexFunc(s.flags, func(f *Flag) bool { return f.source.ID == id })
	if i < 0 {
		return nil, false
	}
	return s.flags[i], true
}

// Flags are the flags by key. The caller must not change them.
func (s *Set) Flags() []*Flag { return s.flags }

// Keys are the keys of Flags, in their order.
func (s *Set) Keys() *Keys { return s.keys }

// Evaluate appends what each of Flags is for the context to outcomes.
func (s *Set) Evaluate(c *Context, outcomes []*Outcome) []*Outcome {
	outcomes = slices.Grow(outcomes, len(s.flags))
	for _, f := range s.flags {
		outcomes = append(outcomes, f.Evaluate(c))
	}
	return outcomes
}

// Reevaluate returns what Evaluate would, given the outcomes of another set for the same context at an earlier time. It
// evaluates only what may have another outcome.
func (s *Set) Reevaluate(c *Context, before *Set, outcomes []*Outcome) []*Outcome {
	if s.keys != before.keys {
		return s.Evaluate(c, nil)
	}
	outcomes = slices.Clone(outcomes)
	for i, f := range s.flags {
		if f != before.flags[i] || f.timed {
			outcomes[i] = f.Evaluate(c)
		}
	}
	return outcomes
}

// Has reports whether the key is one of them.
func (k *Keys) Has(key string) bool {
	_, found := slices.BinarySearch(k.list, key)
	return found
}

// AppendJSON appends {"key":{"value":…,"variant":…,"reason":…},…} to dst; outcomes are those of Evaluate.
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
		dst = append(dst, s.flags[i].Key()...) // a key needs no escapes
		dst = append(dst, '"', ':')
		dst = append(dst, o.JSON...)
	}
	return append(dst, '}')
}
