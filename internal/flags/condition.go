package flags

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// condition is a condition whose values are parsed.
type condition struct {
	models.Condition
	at attribute
	// texts has the values when they are many; see has.
	texts map[string]struct{}
	// The others are the values that parse as such.
	numbers  []float64
	times    []time.Time
	versions []version
	patterns []*regexp.Regexp
}

// fewValues is up to how many values a scan is faster than a map.
const fewValues = 8

// compileCondition parses the values of a condition. A value that does not parse matches nothing; Validate
// of the rule or segment has rejected it.
func compileCondition(c models.Condition) condition {
	compiled := condition{Condition: c, at: attributeNamed(c.Attribute)}
	switch c.Operator {
	case models.OpEq, models.OpNeq, models.OpIn, models.OpNotIn:
		if len(c.Values) > fewValues {
			compiled.texts = setOf(c.Values)
		}
		compiled.numbers = parsed(c.Values, parseNumber)
		slices.Sort(compiled.numbers)
	case models.OpGt, models.OpGte, models.OpLt, models.OpLte:
		compiled.numbers = parsed(c.Values, parseNumber)
	case models.OpBefore, models.OpAfter:
		compiled.times = parsed(c.Values, models.ParseFlagTime)
	case models.OpMatches:
		compiled.patterns = parsed(c.Values, func(v string) (*regexp.Regexp, bool) {
			p, err := models.ParseFlagPattern(v)
			return p, err == nil
		})
	case models.OpSemverEq, models.OpSemverNeq, models.OpSemverGt, models.OpSemverGte, models.OpSemverLt, models.OpSemverLte:
		compiled.versions = parsed(c.Values, parseVersion)
	default: // they compare texts
	}
	return compiled
}

func compileConditions(list []models.Condition) []condition {
	compiled := make([]condition, len(list))
	for i, c := range list {
		compiled[i] = compileCondition(c)
	}
	return compiled
}

func setOf(values []string) map[string]struct{} {
	set := make(map[string]struct{}, len(values))
	for _, v := range values {
		set[v] = struct{}{}
	}
	return set
}

// parsed returns those of the texts that parse.
func parsed[T any](texts []string, parse func(string) (T, bool)) []T {
	var all []T
	for _, v := range texts {
		if p, ok := parse(v); ok {
			all = append(all, p)
		}
	}
	return all
}

// holds reports whether the condition holds for its attribute of a context. For a missing one only
// not_exists does, not even a negated operator; for an array what does for any of its elements.
func (c *condition) holds(of *Context) bool {
	v := of.get(c.at)
	switch {
	case v.kind == missing:
		return c.Operator == models.OpNotExists
	case c.Operator == models.OpExists:
		return true
	case v.kind == list:
		return slices.ContainsFunc(v.list, func(element any) bool {
			e := valueOf(element)
			return e.kind != missing && e.kind != list && e.kind != other && c.fits(e)
		})
	case v.kind == other:
		return false
	}
	return c.fits(v)
}

// fits compares a scalar.
func (c *condition) fits(v value) bool {
	switch c.Operator {
	case models.OpEq, models.OpIn:
		return c.has(v)
	case models.OpNeq, models.OpNotIn:
		return !c.has(v)
	case models.OpGt, models.OpGte, models.OpLt, models.OpLte:
		return c.fitsNumber(v)
	default: // the others compare texts
	}
	s, _ := v.string()
	switch c.Operator {
	case models.OpContains:
		return slices.ContainsFunc(c.Values, func(v string) bool { return strings.Contains(s, v) })
	case models.OpNotContains:
		return !slices.ContainsFunc(c.Values, func(v string) bool { return strings.Contains(s, v) })
	case models.OpStartsWith:
		return slices.ContainsFunc(c.Values, func(v string) bool { return strings.HasPrefix(s, v) })
	case models.OpEndsWith:
		return slices.ContainsFunc(c.Values, func(v string) bool { return strings.HasSuffix(s, v) })
	case models.OpMatches:
		return slices.ContainsFunc(c.patterns, func(p *regexp.Regexp) bool { return p.MatchString(s) })
	case models.OpBefore, models.OpAfter:
		t, ok := models.ParseFlagTime(s)
		return ok && slices.ContainsFunc(c.times, func(at time.Time) bool { return ordered(c.Operator, t.Compare(at)) })
	default:
		return c.fitsVersion(s)
	}
}

// has reports whether a value is one of the condition's: numbers by their value, others by their text.
func (c *condition) has(v value) bool {
	if v.kind == number {
		_, found := slices.BinarySearch(c.numbers, v.number)
		return found
	}
	if c.texts != nil {
		_, found := c.texts[v.text]
		return found
	}
	return slices.Contains(c.Values, v.text)
}

// fitsNumber compares a number, or a text that is one.
func (c *condition) fitsNumber(v value) bool {
	n := v.number
	if v.kind != number {
		var ok bool
		if n, ok = parseNumber(v.text); !ok {
			return false
		}
	}
	return slices.ContainsFunc(c.numbers, func(bound float64) bool { return ordered(c.Operator, cmp.Compare(n, bound)) })
}

func (c *condition) fitsVersion(s string) bool {
	v, ok := parseVersion(s)
	if !ok {
		return false
	}
	if c.Operator == models.OpSemverNeq {
		return !slices.ContainsFunc(c.versions, func(w version) bool { return v.compare(w) == 0 })
	}
	return slices.ContainsFunc(c.versions, func(w version) bool { return ordered(c.Operator, v.compare(w)) })
}

// ordered reports whether the order of the attribute and a value fits the operator.
func ordered(o models.Operator, order int) bool {
	switch o {
	case models.OpGt, models.OpAfter, models.OpSemverGt:
		return order > 0
	case models.OpGte, models.OpSemverGte:
		return order >= 0
	case models.OpLt, models.OpBefore, models.OpSemverLt:
		return order < 0
	case models.OpLte, models.OpSemverLte:
		return order <= 0
	case models.OpSemverEq:
		return order == 0
	default:
		return false
	}
}

// Segment is a segment whose conditions are parsed.
type Segment struct {
	any        bool
	conditions []condition
}

// CompileSegment parses the conditions of a segment.
func CompileSegment(g models.Segment) *Segment {
	return &Segment{g.MatchType == models.MatchAny, compileConditions(g.Conditions)}
}

// Includes reports whether the context satisfies the segment.
func (g *Segment) Includes(c *Context) bool { return satisfied(g.conditions, g.any, c, nil) }

// satisfied reports whether any or all of the conditions hold. It explains them when why is not nil.
func satisfied(conditions []condition, any bool, c *Context, why *RuleExplanation) bool {
	result := !any
	for i := range conditions {
		holds := conditions[i].holds(c)
		if holds == any {
			result = any
			if why == nil {
				return result
			}
		}
		if why != nil {
			why.Conditions = append(why.Conditions, conditions[i].explain(c, holds))
		}
	}
	return result
}
