package flags

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/waft-ota/waft/models"
)

// Holds reports whether a text compares to the condition's values as its operator says
// (contract, section 3); present says that there is the attribute at all. What is
// missing never matches, negated or not, not_exists aside.
func Holds(c models.Condition, text string, present bool) bool {
	if !present {
		return c.Operator == models.OpNotExists
	}
	anyValue := func(fits func(value string) bool) bool { return slices.ContainsFunc(c.Values, fits) }
	switch c.Operator {
	case models.OpExists:
		return true
	case models.OpNotExists:
		return false
	case models.OpEq, models.OpIn:
		return slices.Contains(c.Values, text)
	case models.OpNeq, models.OpNotIn:
		return !slices.Contains(c.Values, text)
	case models.OpContains:
		return anyValue(func(v string) bool { return strings.Contains(text, v) })
	case models.OpNotContains:
		return !anyValue(func(v string) bool { return strings.Contains(text, v) })
	case models.OpStartsWith:
		return anyValue(func(v string) bool { return strings.HasPrefix(text, v) })
	case models.OpEndsWith:
		return anyValue(func(v string) bool { return strings.HasSuffix(text, v) })
	case models.OpMatches:
		return anyValue(func(v string) bool {
			matched, err := regexp.MatchString(v, text)
			return err == nil && matched
		})
	case models.OpGt, models.OpGte, models.OpLt, models.OpLte:
		return anyValue(func(v string) bool { return numbersCompare(c.Operator, text, v) })
	case models.OpBefore, models.OpAfter:
		return anyValue(func(v string) bool { return timesCompare(c.Operator, text, v) })
	case models.OpSemverEq, models.OpSemverNeq, models.OpSemverGt, models.OpSemverGte, models.OpSemverLt, models.OpSemverLte:
		return versionsCompare(c.Operator, text, c.Values)
	default:
		return false
	}
}

func numbersCompare(o models.Operator, text, value string) bool {
	a, errA := strconv.ParseFloat(text, 64)
	b, errB := strconv.ParseFloat(value, 64)
	if errA != nil || errB != nil {
		return false
	}
	switch o {
	case models.OpGt:
		return a > b
	case models.OpGte:
		return a >= b
	case models.OpLt:
		return a < b
	default:
		return a <= b
	}
}

func timesCompare(o models.Operator, text, value string) bool {
	a, okA := models.ParseFlagTime(text)
	b, okB := models.ParseFlagTime(value)
	if !okA || !okB {
		return false
	}
	if o == models.OpBefore {
		return a.Before(b)
	}
	return a.After(b)
}

// versionsCompare is false for what is no version, also negated.
func versionsCompare(o models.Operator, text string, values []string) bool {
	a, err := semver.NewVersion(text)
	if err != nil {
		return false
	}
	fits := func(value string) bool {
		b, err := semver.NewVersion(value)
		if err != nil {
			return false
		}
		switch order := a.Compare(b); o {
		case models.OpSemverGt:
			return order > 0
		case models.OpSemverGte:
			return order >= 0
		case models.OpSemverLt:
			return order < 0
		case models.OpSemverLte:
			return order <= 0
		default:
			return order == 0
		}
	}
	return slices.ContainsFunc(values, fits) != (o == models.OpSemverNeq)
}

// InSegment reports whether attributes, all of them texts, satisfy a segment.
func InSegment(g models.Segment, attributes map[string]string) bool {
	holds := func(c models.Condition) bool {
		text, present := attributes[c.Attribute]
		return Holds(c, text, present)
	}
	if g.MatchType == models.MatchAny {
		return slices.ContainsFunc(g.Conditions, holds)
	}
	return !slices.ContainsFunc(g.Conditions, func(c models.Condition) bool { return !holds(c) })
}
