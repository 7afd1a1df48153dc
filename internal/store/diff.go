package store

import "reflect"

// diff collects the fields that a change gave new values, for the audit log.
type diff map[string]any

// note adds the field unless it kept its value. What pointers point to is compared.
func note[T any](d diff, field string, before, after T) {
	if !reflect.DeepEqual(before, after) {
		d[field] = map[string]any{"before": before, "after": after}
	}
}

// mapDiff notes every field whose value differs. Both have the same fields.
func mapDiff(before, after map[string]any) diff {
	d := diff{}
	for field, was := range before {
		note(d, field, was, after[field])
	}
	return d
}
