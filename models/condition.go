package models

import (
	"errors"
	"fmt"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Operator compares an attribute of a context with values.
type Operator string

// Operators of rules and segments.
const (
	OpEq          Operator = "eq"
	OpNeq         Operator = "neq"
	OpIn          Operator = "in"
	OpNotIn       Operator = "not_in"
	OpContains    Operator = "contains"
	OpNotContains Operator = "not_contains"
	OpStartsWith  Operator = "starts_with"
	OpEndsWith    Operator = "ends_with"
	OpGt          Operator = "gt"
	OpGte         Operator = "gte"
	OpLt          Operator = "lt"
	OpLte         Operator = "lte"
	OpBefore      Operator = "before"
	OpAfter       Operator = "after"
	OpMatches     Operator = "matches"
	OpExists      Operator = "exists"
	OpNotExists   Operator = "not_exists"
	OpSemverEq    Operator = "semver_eq"
	OpSemverNeq   Operator = "semver_neq"
	OpSemverGt    Operator = "semver_gt"
	OpSemverGte   Operator = "semver_gte"
	OpSemverLt    Operator = "semver_lt"
	OpSemverLte   Operator = "semver_lte"
)

var Operators = []Operator{
	OpEq, OpNeq, OpIn, OpNotIn, OpContains, OpNotContains, OpStartsWith, OpEndsWith, OpGt, OpGte, OpLt, OpLte,
	OpBefore, OpAfter, OpMatches, OpExists, OpNotExists,
	OpSemverEq, OpSemverNeq, OpSemverGt, OpSemverGte, OpSemverLt, OpSemverLte,
}

// Condition is true for a context if the operator accepts the context's attribute and the values.
type Condition struct {
	// ID is 0 except in conditions of segments.
	ID        int64    `json:"id,omitempty"`
	Attribute string   `json:"attribute"`
	Operator  Operator `json:"operator"`
	// Values are strings, even for numbers and times.
	Values []string `json:"values"`
}

const (
	maxConditions      = 100
	maxConditionValues = 10_000
	maxAttributeBytes  = 128
	maxMatchBytes      = 1024
)

// checkConditions checks the conditions in field. valuesField is the name of the field for the values of a condition.
func checkConditions(p *Problems, field, valuesField string, conditions []Condition) {
	if len(conditions) == 0 || len(conditions) > maxConditions {
		p.Add(field, "must contain 1 to %d conditions", maxConditions)
		return
	}
	for i, c := range conditions {
		checkRequiredText(p, indexed(field, i, "attribute"), c.Attribute, maxAttributeBytes)
		c.check(p, indexed(field, i, "operator"), indexed(field, i, valuesField))
	}
	checkPatternTotal(p, field, conditions)
}

func (c Condition) check(p *Problems, operatorField, valuesField string) {
	most, form := c.Operator.operands()
	switch {
	case form == nil:
		p.Add(operatorField, "the operator %q is unknown", c.Operator)
	case most == 0 && len(c.Values) > 0:
		p.Add(valuesField, "must be empty for %s", c.Operator)
	case most == 1 && len(c.Values) != 1:
		p.Add(valuesField, "must contain exactly one value for %s", c.Operator)
	case len(c.Values) < min(1, most) || len(c.Values) > most:
		p.Add(valuesField, "must contain 1 to %d values", most)
	default:
		for i, v := range c.Values {
			at := fmt.Sprintf("%s[%d]", valuesField, i)
			checkLongText(p, at, v)
			if err := form(v); err != nil {
				p.Add(at, "%v", err)
			}
		}
	}
}

// operands returns the maximum number of values of the operator, and the check for each value. At least one value is required
// unless most is 0. form is nil for an unknown operator.
func (o Operator) operands() (most int, form func(string) error) {
	anyText := func(string) error { return nil }
	switch o {
	case OpExists, OpNotExists:
		return 0, anyText
	case OpEq, OpNeq, OpIn, OpNotIn, OpContains, OpNotContains, OpStartsWith, OpEndsWith:
		return maxConditionValues, anyText
	case OpGt, OpGte, OpLt, OpLte:
		return 1, isNumber
	case OpBefore, OpAfter:
		return 1, isTime
	case OpMatches:
		return maxConditions, isPattern
	case OpSemverEq, OpSemverNeq:
		return maxConditionValues, isVersion
	case OpSemverGt, OpSemverGte, OpSemverLt, OpSemverLte:
		return 1, isVersion
	}
	return 0, nil
}

func isNumber(v string) error {
	_, err := canonicalNumber(v)
	return err
}

func isTime(v string) error {
	if _, ok := ParseFlagTime(v); !ok {
		return errors.New("must be a time in RFC 3339 format, such as 2026-03-14T09:26:53Z")
	}
	return nil
}

func isPattern(v string) error {
	_, _, err := measureFlagPattern(v)
	return err
}

// checkPatternTotal checks that the patterns of the conditions do not exceed the limit for a whole project.
func checkPatternTotal(p *Problems, field string, conditions []Condition) {
	if n := PatternInstructions(conditions); n > MaxProjectPatternInstructions {
		p.Add(field, "the patterns compile to %d instructions together, the maximum is %d; shorten their repetitions or use fewer patterns",
			n, MaxProjectPatternInstructions)
	}
}

func isVersion(v string) error {
	if _, err := semver.NewVersion(v); err != nil {
		return errors.New("must be a semantic version, such as 1.4.0")
	}
	return nil
}

// flagTime is the exact syntax of RFC 3339. Package time accepts more.
var flagTime = compiled(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseFlagTime parses a time in RFC 3339 format.
func ParseFlagTime(v string) (t time.Time, ok bool) {
	if !flagTime().MatchString(v) {
		return t, false
	}
	t, err := time.Parse(time.RFC3339Nano, v)
	return t, err == nil
}
