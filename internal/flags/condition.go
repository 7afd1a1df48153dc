package flags

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/waft-ota/waft/models"
)

// Holds reports whether a condition holds for an attribute with the given text; present says whether
// the attribute exists. For a missing attribute only not_exists holds, not even a negated operator.
func Holds(c models.Condition, text string, present bool) bool {
	if !present {
		return c.Operator == models.OpNotExists
	}
	anyValue := func(fits func(value string) bool) bool { return slices.ContainsFunc(c.Values, fits) }
	compared := func(compare func(a, b string) (order int, ok bool)) bool {
		return anyValue(func(v string) bool {
			order, ok := compare(text, v)
			return ok && ordered(c.Operator, order)
		})
	}
	switch c.Operator {
	case models.OpExists:
		return true
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
		return compared(compareNumbers)
	case models.OpBefore, models.OpAfter:
		return compared(compareTimes)
	case models.OpSemverEq, models.OpSemverGt, models.OpSemverGte, models.OpSemverLt, models.OpSemverLte:
		return compared(compareVersions)
	case models.OpSemverNeq:
		_, err := semver.NewVersion(text)
		return err == nil && !compared(compareVersions)
	default:
		return false
	}
}

// ordered reports whether the order of the text and a value fits the operator. semver_neq negates the
// result for equal versions.
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
	default:
		return order == 0
	}
}

func compareNumbers(a, b string) (order int, ok bool) {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y), errX == nil && errY == nil && !math.IsNaN(x) && !math.IsNaN(y)
}

func compareTimes(a, b string) (order int, ok bool) {
	x, okX := models.ParseFlagTime(a)
	y, okY := models.ParseFlagTime(b)
	return x.Compare(y), okX && okY
}

func compareVersions(a, b string) (order int, ok bool) {
	x, errX := semver.NewVersion(a)
	y, errY := semver.NewVersion(b)
	if errX != nil || errY != nil {
		return 0, false
	}
	return x.Compare(y), true
}

// InSegment reports whether attributes satisfy a segment.
func InSegment(g models.Segment, attributes map[string]string) bool {
	matchAny := g.MatchType == models.MatchAny
	for _, c := range g.Conditions {
		if text, present := attributes[c.Attribute]; Holds(c, text, present) == matchAny {
			return matchAny
		}
	}
	return !matchAny
}
