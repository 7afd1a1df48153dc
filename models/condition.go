package models

import (
	"fmt"
	"regexp"
	"strconv"
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

// Operators are all of them.
var Operators = []Operator{
	OpEq, OpNeq, OpIn, OpNotIn, OpContains, OpNotContains, OpStartsWith, OpEndsWith, OpGt, OpGte, OpLt, OpLte,
	OpBefore, OpAfter, OpMatches, OpExists, OpNotExists,
	OpSemverEq, OpSemverNeq, OpSemverGt, OpSemverGte, OpSemverLt, OpSemverLte,
}

// Condition holds when an attribute compares to the values as the operator says.
type Condition struct {
	// ID is 0 except in conditions of segments.
	ID        int64    `json:"id,omitempty"`
	Attribute string   `json:"attribute"`
	Operator  Operator `json:"operator"`
	// Values are texts: a number or time among them is written out.
	Values []string `json:"values"`
}

// Limits of a list of conditions.
const (
	maxConditions      = 100
	maxConditionValues = 10_000
	maxAttributeBytes  = 128
	maxMatchBytes      = 1024
)

// checkConditions notes what is wrong with the conditions in field. valuesField
// is what an element calls its values.
func checkConditions(p *Problems, field, valuesField string, conditions []Condition) {
	if len(conditions) == 0 || len(conditions) > maxConditions {
		p.Add(field, "must hold 1 to %d conditions", maxConditions)
		return
	}
	for i, c := range conditions {
		checkRequiredText(p, indexed(field, i, "attribute"), c.Attribute, maxAttributeBytes)
		c.check(p, indexed(field, i, "operator"), indexed(field, i, valuesField))
	}
}

// check notes what is wrong with the operator and with the values for it.
func (c Condition) check(p *Problems, operatorField, valuesField string) {
	least, most, form := c.Operator.operands()
	switch {
	case form == nil:
		p.Add(operatorField, "the operator %q is not known", c.Operator)
		return
	case most == 0 && len(c.Values) > 0:
		p.Add(valuesField, "must be empty: %s takes no values", c.Operator)
		return
	case most == 1 && len(c.Values) != 1:
		p.Add(valuesField, "must hold exactly one value for %s", c.Operator)
		return
	case len(c.Values) < least || len(c.Values) > most:
		p.Add(valuesField, "must hold 1 to %d values", most)
		return
	}
	for i, v := range c.Values {
		at := fmt.Sprintf("%s[%d]", valuesField, i)
		checkText(p, at, v, 4096)
		if err := form(v); err != nil {
			p.Add(at, "%v", err)
		}
	}
}

// operands says how many values the operator takes and what each must look like.
// An operator that is not known has no form.
func (o Operator) operands() (least, most int, form func(string) error) {
	switch o {
	case OpExists, OpNotExists:
		return 0, 0, anyText
	case OpEq, OpNeq, OpIn, OpNotIn, OpContains, OpNotContains, OpStartsWith, OpEndsWith:
		return 1, maxConditionValues, anyText
	case OpGt, OpGte, OpLt, OpLte:
		return 1, 1, aNumber
	case OpBefore, OpAfter:
		return 1, 1, aTime
	case OpMatches:
		return 1, maxConditions, aPattern
	case OpSemverEq, OpSemverNeq:
		return 1, maxConditionValues, aVersion
	case OpSemverGt, OpSemverGte, OpSemverLt, OpSemverLte:
		return 1, 1, aVersion
	default:
		return 0, 0, nil
	}
}

func anyText(string) error { return nil }

func aNumber(v string) error {
	_, err := canonicalNumber(v)
	return err
}

func aTime(v string) error {
	if _, ok := ParseFlagTime(v); !ok {
		return fmt.Errorf("must be a time as RFC 3339 has it, a date, or Unix milliseconds")
	}
	return nil
}

func aPattern(v string) error {
	if len(v) > maxMatchBytes {
		return fmt.Errorf("must be at most %d bytes", maxMatchBytes)
	}
	if _, err := regexp.Compile(v); err != nil {
		return fmt.Errorf("must be a regular expression in RE2's syntax")
	}
	return nil
}

func aVersion(v string) error {
	if _, err := semver.NewVersion(v); err != nil {
		return fmt.Errorf("must be a semantic version, such as 1.4.0")
	}
	return nil
}

// ParseFlagTime reads the time that a value or an attribute stands for: RFC 3339,
// a date (midnight in UTC), or Unix milliseconds.
func ParseFlagTime(v string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, v); err == nil {
			return t, true
		}
	}
	ms, err := strconv.ParseInt(v, 10, 64)
	return time.UnixMilli(ms).UTC(), err == nil
}
