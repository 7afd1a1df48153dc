package unit

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// This file builds the sentences that describe a change to the people who approve it. A sentence contains only facts
// that stay the same as long as the change itself does.

// maxShown is the maximum length in bytes of a value shown in a sentence.
const maxShown = 200

// Shown returns a value for a sentence, shortened if it is long.
func Shown(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return models.StorableText(text, maxShown) + "…"
}

// Quoted returns a user's string in quotes, shortened if it is long.
func Quoted(text string) string { return fmt.Sprintf("%q", Shown(text)) }

// maxNamed is the maximum number of list items that a sentence shows.
const maxNamed = 10

// QuotedList returns users' strings in quotes: `"a", "b" and 3 more`.
func QuotedList(texts []string) string {
	named := pg.Each(texts[:min(len(texts), maxNamed)], Quoted)
	if more := len(texts) - len(named); more > 0 {
		return strings.Join(named, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(named, ", ")
}

// fieldWords maps fields of records to words.
var fieldWords = map[string]string{
	"branchName": "the branch", "conditions": "the conditions", "defaultValue": "the default value", "description": "the description",
	"enabled": "enabled", "isCritical": "critical", "isEnabled": "enabled", "isPaused": "paused", "isProtected": "protected",
	"linkedFlags": "the linked flags", "matchType": "the match type", "minRuntimeVersion": "the minimum runtime version",
	"name": "the name", "releaseMessage": "the release notes", "requiredApprovals": "the required approvals",
	"rolloutBranchName": "the second branch", "rolloutPercentage": "the percentage", "variations": "the variations",
}

// ChangesSummary returns a list of changed fields in alphabetical order: `the release notes from "a" to "b", critical
// from no to yes`.
func ChangesSummary(changes Diff) string {
	return strings.Join(pg.Each(slices.Sorted(maps.Keys(changes)), func(field string) string {
		word := fieldWords[field]
		if word == "" {
			word = field
		}
		change, ok := changes[field].(map[string]any)
		if !ok {
			return word + ": " + worded(changes[field])
		}
		return fmt.Sprintf("%s from %s to %s", word, worded(change["before"]), worded(change["after"]))
	}), ", ")
}

// Sentence is a value of a record that can describe itself.
type Sentence interface{ Sentence() string }

// worded returns a value in words.
func worded(value any) string {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
		value = v.Interface()
	}
	if s, ok := value.(Sentence); ok {
		return s.Sentence()
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Pointer:
		return "none"
	case reflect.Bool:
		if v.Bool() {
			return "yes"
		}
		return "no"
	case reflect.String:
		return Quoted(v.String())
	case reflect.Slice:
		if v.Len() == 0 {
			return "none"
		}
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = worded(v.Index(i).Interface())
		}
		return pg.SomeOf(parts)
	default:
		raw, _ := json.Marshal(value) // a number
		return Shown(string(raw))
	}
}

// ConditionsSummary describes in words when conditions match.
func ConditionsSummary(match models.MatchType, conditions []models.Condition) string {
	joined := " and "
	if match == models.MatchAny {
		joined = " or "
	}
	if len(conditions) == 0 {
		return "no condition"
	}
	parts := pg.Each(conditions[:min(len(conditions), maxNamed)], conditionSummary)
	text := strings.Join(parts, joined)
	if more := len(conditions) - len(parts); more > 0 {
		text += joined + count.Of(more, "more condition")
	}
	return text
}

// operatorWords maps operators to words for sentences.
var operatorWords = map[models.Operator]string{
	models.OpEq: "is", models.OpNeq: "is not", models.OpIn: "is one of", models.OpNotIn: "is not one of",
	models.OpContains: "contains", models.OpNotContains: "does not contain", models.OpStartsWith: "starts with",
	models.OpEndsWith: "ends with", models.OpGt: "is greater than", models.OpGte: "is at least", models.OpLt: "is less than",
	models.OpLte: "is at most", models.OpBefore: "is before", models.OpAfter: "is after", models.OpMatches: "matches",
	models.OpExists: "is given", models.OpNotExists: "is not given",
	models.OpSemverEq: "is version", models.OpSemverNeq: "is not version", models.OpSemverGt: "is newer than version",
	models.OpSemverGte: "is at least version", models.OpSemverLt: "is older than version", models.OpSemverLte: "is at most version",
}

func conditionSummary(c models.Condition) string {
	text := c.Attribute + " " + operatorWords[c.Operator]
	if len(c.Values) > 0 {
		text += " " + QuotedList(c.Values)
	}
	return text
}

// OnChannel describes where a rule applies.
func OnChannel(name *string) string {
	if name == nil {
		return "every channel"
	}
	return fmt.Sprintf("channel %q", *name)
}
