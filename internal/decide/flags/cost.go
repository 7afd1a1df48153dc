package flags

import "github.com/waft-ota/waft/models"

// cost is the number of steps of a comparison with a scalar: base, plus per64 for each 64 bytes of the scalar as a
// string.
type cost struct{ base, per64 int }

// numberBytes is the maximum length of a number as a string.
const numberBytes = 25

// costOf returns the cost of a comparison with the values of a condition.
func costOf(c models.Condition, all patterns) cost {
	n := len(c.Values)
	switch c.Operator {
	case models.OpMatches:
		instructions := 0
		for _, text := range c.Values {
			if p := all[text]; p != nil {
				instructions += p.Instructions
			}
		}
		return cost{1 + instructions, 64 * instructions}
	case models.OpContains, models.OpNotContains:
		return cost{n, 16 * n}
	case models.OpSemverEq, models.OpSemverNeq, models.OpSemverGt, models.OpSemverGte, models.OpSemverLt, models.OpSemverLte:
		return cost{n, 32 * (n + 1)}
	case models.OpStartsWith, models.OpEndsWith:
		return cost{n, n}
	case models.OpBefore, models.OpAfter, models.OpGt, models.OpGte, models.OpLt, models.OpLte:
		return cost{1, 256}
	default:
		return cost{1, 1}
	}
}

// steps returns the number of steps of a comparison with the scalar.
func (c *condition) steps(v value) int {
	bytes := len(v.text)
	if v.kind == number {
		bytes = numberBytes
	}
	if c.Operator == models.OpMatches && bytes > models.MaxMatchedBytes {
		return 1 // the pattern is not tried
	}
	return c.cost.base + c.cost.per64*bytes/64
}
