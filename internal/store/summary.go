package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/models"
)

// This file has the parts of the sentences by which people judge a change of what devices get.
// A sentence has only facts that stay the same while nothing about the change does.

// maxShown bounds what a sentence shows of a value, in bytes.
const maxShown = 200

func shown(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return models.StorableText(text, maxShown) + "…"
}

// changesSummary lists changed fields in their order: `a: 1 → 2, b: "x" → null`.
func changesSummary(changes diff) string {
	return strings.Join(each(slices.Sorted(maps.Keys(changes)), func(field string) string {
		change, ok := changes[field].(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: %s", field, jsonOf(changes[field]))
		}
		return fmt.Sprintf("%s: %s → %s", field, jsonOf(change["before"]), jsonOf(change["after"]))
	}), ", ")
}

func jsonOf(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return shown(string(raw))
}

// onChannel says where a rule applies.
func onChannel(name *string) string {
	if name == nil {
		return "every channel"
	}
	return fmt.Sprintf("channel %q", *name)
}
