package flagstore

import (
	"encoding/json"

	"github.com/waft-ota/waft/models"
)

// withNames adds the names of the variations whose values the details of an audit entry contain. flags are the states of the
// flag that the entry is about; a later one overrides the names of an earlier one.
func withNames(details map[string]any, flags ...models.Flag) map[string]any {
	values := textsIn(details)
	names := map[string]string{}
	for _, f := range flags {
		for _, v := range f.Variations {
			if values[v.Value] && v.Name != v.Value {
				names[v.Value] = v.Name
			}
		}
	}
	if len(names) > 0 {
		details["variationNames"] = names
	}
	return details
}

// textsIn returns every string in the details of an audit entry.
func textsIn(details map[string]any) map[string]bool {
	texts := map[string]bool{}
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case string:
			texts[v] = true
		case []any:
			for _, each := range v {
				walk(each)
			}
		case map[string]any:
			for _, each := range v {
				walk(each)
			}
		}
	}
	var plain any
	raw, err := json.Marshal(details)
	if err == nil && json.Unmarshal(raw, &plain) == nil {
		walk(plain)
	}
	return texts
}
