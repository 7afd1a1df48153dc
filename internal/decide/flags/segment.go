package flags

import (
	"reflect"

	"github.com/waft-ota/waft/models"
)

// Segment is a segment with parsed conditions. All rules that refer to it share it. It is immutable.
type Segment struct {
	source     models.Segment
	any        bool
	conditions []condition
}

// CompileSegment parses the conditions of a segment.
func CompileSegment(g models.Segment) *Segment {
	return compileSegment(g, admit([]conditionList{{g.ID, g.Conditions}}, nil))
}

func compileSegment(g models.Segment, all patterns) *Segment {
	return &Segment{g, g.MatchType == models.MatchAny, compileConditions(g.Conditions, all)}
}

// compileSegments returns the compiled segments by key. It reuses the unchanged segments of before, which may be nil.
func compileSegments(segments []models.Segment, before map[string]*Segment, all patterns) map[string]*Segment {
	compiled := make(map[string]*Segment, len(segments))
	for _, g := range segments {
		known := before[g.Key]
		if known == nil || !reflect.DeepEqual(known.source, g) {
			known = compileSegment(g, all)
		}
		compiled[g.Key] = known
	}
	return compiled
}

// Includes reports whether the context satisfies the segment. A context has MaxRequestSteps for all segments, and
// each segment may spend MaxEvaluationSteps. ok is false if the segment needs more.
func (g *Segment) Includes(c *Context) (included, ok bool) {
	c.begin()
	included = satisfied(g.conditions, g.any, c, nil)
	return included, !c.end()
}
