package unit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// This file has the parts of the sentences by which people judge a change of what devices get.
// A sentence has only facts that stay the same while nothing about the change does.

// maxShown bounds what a sentence shows of a value, in bytes.
const maxShown = 200

// Shown cuts a long value for a sentence.
func Shown(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return models.StorableText(text, maxShown) + "…"
}

// ChangesSummary lists changed fields in their order: `a: 1 → 2, b: "x" → null`.
func ChangesSummary(changes Diff) string {
	return strings.Join(pg.Each(slices.Sorted(maps.Keys(changes)), func(field string) string {
		change, ok := changes[field].(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: %s", field, JSONOf(changes[field]))
		}
		return fmt.Sprintf("%s: %s → %s", field, JSONOf(change["before"]), JSONOf(change["after"]))
	}), ", ")
}

// JSONOf shows a value as JSON.
func JSONOf(value any) string {
	raw, _ := json.Marshal(value) // the fields of records can be marshalled
	return Shown(string(raw))
}

// OnChannel says where a rule applies.
func OnChannel(name *string) string {
	if name == nil {
		return "every channel"
	}
	return fmt.Sprintf("channel %q", *name)
}
