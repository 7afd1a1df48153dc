package manage

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// parsedCondition is a condition as the API takes it.
type parsedCondition struct {
	Attribute  string `json:"attribute"`
	Operator   string `json:"operator"`
	ValuesJSON []any  `json:"valuesJson"`
}

// parseConditions reads the values of --condition.
func parseConditions(texts []string) ([]parsedCondition, error) {
	conditions := make([]parsedCondition, len(texts))
	for i, text := range texts {
		c, err := parseCondition(text)
		if err != nil {
			return nil, err
		}
		conditions[i] = c
	}
	return conditions, nil
}

// parseCondition reads a condition such as: plan in ["beta", "staff"].
func parseCondition(text string) (parsedCondition, error) {
	attribute, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	operator, value, _ := strings.Cut(strings.TrimSpace(rest), " ")
	value = strings.TrimSpace(value)
	c := parsedCondition{Attribute: attribute, Operator: operator, ValuesJSON: []any{}}
	if !slices.Contains(operators(), operator) {
		return c, command.Usagef("--condition %q must be ATTRIBUTE OPERATOR VALUE, with one of the operators %s", text, operatorNames())
	}
	if operator == "exists" || operator == "not_exists" {
		if value != "" {
			return c, command.Usagef("--condition %q: remove the value after the operator %s", text, operator)
		}
		return c, nil
	}
	if value == "" {
		return c, command.Usagef("--condition %q: the value after the operator %s is missing", text, operator)
	}
	var list []any
	if json.Unmarshal([]byte(value), &list) == nil {
		c.ValuesJSON = list
		return c, nil
	}
	var one any
	if json.Unmarshal([]byte(value), &one) != nil {
		one = value
	}
	c.ValuesJSON = []any{one}
	return c, nil
}

// conditionText returns a condition as --condition takes it.
func conditionText(c client.SegmentCondition) string {
	text := c.Attribute + " " + string(c.Operator)
	if c.ValuesJSON == nil || len(*c.ValuesJSON) == 0 {
		return text
	}
	values, err := json.Marshal(*c.ValuesJSON)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%s %s", text, command.OneLine(string(values), 200))
}

func operators() []string {
	names := make([]string, len(models.Operators))
	for i, o := range models.Operators {
		names[i] = string(o)
	}
	return names
}

// operatorNames returns the names of the operators as a sentence has them.
func operatorNames() string { return command.Choice(operators()) }
