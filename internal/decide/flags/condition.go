package flags

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/waft-ota/waft/models"
)

// condition is a condition with parsed values.
type condition struct {
	models.Condition
	at   attribute
	cost cost
	// problems describe the patterns that never match.
	problems []string
	// fits reports whether a scalar fits the values. It is nil for patterns.
	fits func(v value) bool
	// patterns are the values of OpMatches that may match.
	patterns []*pattern
}

// compileCondition parses the values of a condition. A value that does not parse never matches; the Validate methods
// of rules and segments reject such values.
func compileCondition(c models.Condition, all patterns) condition {
	compiled := condition{Condition: c, at: attributeNamed(c.Attribute), cost: costOf(c, all)}
	if c.Operator == models.OpMatches {
		compiled.problems, compiled.patterns = all.problems(c.Values), all.admitted(c.Values)
	} else {
		compiled.fits = comparison(c.Operator, c.Values)
	}
	return compiled
}

// compare reports whether a scalar fits the values.
func (c *condition) compare(of *Context, v value) bool {
	if c.fits != nil {
		return c.fits(v)
	}
	text, _ := v.string()
	return slices.ContainsFunc(c.patterns, func(p *pattern) bool { return p.matches(of, text) })
}

// comparison returns a function that compares a scalar with values.
func comparison(o models.Operator, values []string) func(v value) bool {
	switch o {
	case models.OpExists:
		return func(value) bool { return true }
	case models.OpEq, models.OpIn:
		return member(values)
	case models.OpNeq, models.OpNotIn:
		return not(member(values))
	case models.OpGt, models.OpGte, models.OpLt, models.OpLte:
		return fitsNumber(o, parsed(values, parseNumber))
	case models.OpBefore, models.OpAfter:
		return fitsTime(o, parsed(values, models.ParseFlagTime))
	case models.OpSemverEq, models.OpSemverNeq, models.OpSemverGt, models.OpSemverGte, models.OpSemverLt, models.OpSemverLte:
		return fitsVersion(o, parsed(values, parseVersion))
	case models.OpContains:
		return fitsText(values, strings.Contains)
	case models.OpNotContains:
		return not(fitsText(values, strings.Contains))
	case models.OpStartsWith:
		return fitsText(values, strings.HasPrefix)
	case models.OpEndsWith:
		return fitsText(values, strings.HasSuffix)
	default:
		return func(value) bool { return false }
	}
}

func compileConditions(list []models.Condition, all patterns) []condition {
	compiled := make([]condition, len(list))
	for i, c := range list {
		compiled[i] = compileCondition(c, all)
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

// parsed parses strings and omits the strings that do not parse.
func parsed[T any](texts []string, parse func(string) (T, bool)) []T {
	var all []T
	for _, v := range texts {
		if p, ok := parse(v); ok {
			all = append(all, p)
		}
	}
	return all
}

// holds reports whether the condition holds for its attribute of a context. Only not_exists holds for a missing
// attribute; even negated operators do not. A condition holds for an array if it holds for any element. Each
// comparison spends steps.
func (c *condition) holds(of *Context) bool {
	v := of.get(c.at)
	if !of.pay(1) {
		return false
	}
	switch v.kind {
	case missing:
		return c.Operator == models.OpNotExists
	case list:
		elements, _ := of.Attributes[c.at.name].([]any)
		return c.Operator == models.OpExists || slices.ContainsFunc(elements, func(element any) bool {
			e := valueOf(element)
			return e.kind != missing && e.kind != list && e.kind != other && of.pay(c.steps(e)) && c.compare(of, e)
		})
	case other:
		return c.Operator == models.OpExists
	default:
		return of.pay(c.steps(v)) && c.compare(of, v)
	}
}

func not(fits func(v value) bool) func(v value) bool { return func(v value) bool { return !fits(v) } }

// fewValues is the number of values up to which a scan is faster than a map.
const fewValues = 8

// member compares numbers by value and other scalars as strings.
func member(values []string) func(v value) bool {
	numbers := parsed(values, parseNumber)
	slices.Sort(numbers)
	var texts map[string]struct{}
	if len(values) > fewValues {
		texts = setOf(values)
	}
	return func(v value) bool {
		var found bool
		switch {
		case v.kind == number:
			_, found = slices.BinarySearch(numbers, v.number)
		case texts != nil:
			_, found = texts[v.text]
		default:
			found = slices.Contains(values, v.text)
		}
		return found
	}
}

// fitsNumber compares a number, or a string that contains a number.
func fitsNumber(o models.Operator, bounds []float64) func(v value) bool {
	fitting := ordersOf(o)
	return func(v value) bool {
		n := v.number
		if v.kind != number {
			var ok bool
			if n, ok = parseNumber(v.text); !ok {
				return false
			}
		}
		return slices.ContainsFunc(bounds, func(bound float64) bool { return fitting.has(cmp.Compare(n, bound)) })
	}
}

func fitsTime(o models.Operator, bounds []time.Time) func(v value) bool {
	fitting := ordersOf(o)
	return func(v value) bool {
		s, _ := v.string()
		t, ok := models.ParseFlagTime(s)
		return ok && slices.ContainsFunc(bounds, func(bound time.Time) bool { return fitting.has(t.Compare(bound)) })
	}
}

func fitsVersion(o models.Operator, bounds []version) func(v value) bool {
	differing := o == models.OpSemverNeq
	if differing {
		o = models.OpSemverEq
	}
	fitting := ordersOf(o)
	return func(v value) bool {
		s, _ := v.string()
		actual, ok := parseVersion(s)
		return ok && differing != slices.ContainsFunc(bounds, func(bound version) bool { return fitting.has(actual.compare(bound)) })
	}
}

// fitsText compares a scalar as a string.
func fitsText(values []string, fits func(s, value string) bool) func(v value) bool {
	return func(v value) bool {
		s, _ := v.string()
		return slices.ContainsFunc(values, func(value string) bool { return fits(s, value) })
	}
}

// orders are the orders of an attribute and a value, from -1 to 1, that fit an operator.
type orders [3]bool

func ordersOf(o models.Operator) orders { return orders{ordered(o, -1), ordered(o, 0), ordered(o, 1)} }

func (o *orders) has(order int) bool { return o[order+1] }

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
	case models.OpEq, models.OpSemverEq:
		return order == 0
	default:
		return false
	}
}

// satisfied reports whether any or all of the conditions hold. It explains them if why is not nil.
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
