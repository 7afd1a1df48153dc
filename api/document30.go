package api

import (
	"encoding/json"
	"maps"
	"path"
	"slices"

	"github.com/waft-ota/waft/api/rest"
)

// document30 returns the document as OpenAPI 3.0.3. huma converts most of it.
func document30(m *rest.Mux) ([]byte, error) {
	old, err := m.API.OpenAPI().Downgrade()
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(old, &tree); err != nil {
		return nil, err
	}
	delete(tree, "webhooks") // 3.0 does not support webhooks
	components, _ := tree["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	older := olderSchemas{schemas}
	older.convert(components)
	older.convert(tree["paths"])
	return json.Marshal(tree)
}

// olderSchemas converts what huma leaves of 3.1 in a document.
type olderSchemas struct {
	named map[string]any
}

// convert changes the schemas in node and everything below it.
func (o olderSchemas) convert(node any) {
	switch value := node.(type) {
	case map[string]any:
		o.convertSchema(value)
		for name, child := range value {
			if name != "example" {
				o.convert(child)
			}
		}
		// Components are converted before the paths, so the schemas that the example follows are in their final form.
		if schema, ok := value["schema"].(map[string]any); ok && o.hasNullRecord(schema, value["example"]) {
			delete(value, "example")
		}
	case []any:
		for _, child := range value {
			o.convert(child)
		}
	}
}

func (o olderSchemas) convertSchema(schema map[string]any) {
	if either, ok := schema["anyOf"].([]any); ok && len(either) == 2 {
		if other, ok := either[1].(map[string]any); ok && other["type"] == "null" {
			delete(schema, "anyOf")
			o.makeNullable(schema, either[0].(map[string]any))
		}
	}
	if ref, ok := schema["$ref"].(string); ok && len(schema) > 1 {
		delete(schema, "$ref") // in 3.0, a reference has no description
		schema["allOf"] = []any{map[string]any{"$ref": ref}}
	}
	if anything, ok := schema["additionalProperties"].(map[string]any); ok && len(anything) == 0 {
		schema["additionalProperties"] = true // some generators read {} as anything except null
	}
	if schema["format"] == "binary" {
		delete(schema, "contentMediaType") // new in 3.1 and redundant
	}
}

// makeNullable makes schema mean inner or null. 3.0 does not have a type null: a record becomes a nullable wrapper around
// the reference, which generators turn into an optional record.
func (o olderSchemas) makeNullable(schema, inner map[string]any) {
	schema["nullable"] = true
	if _, ok := inner["$ref"]; ok {
		schema["type"], schema["allOf"] = o.resolved(inner)["type"], []any{inner}
		return
	}
	maps.Copy(schema, inner)
	if values, ok := schema["enum"].([]any); ok {
		schema["enum"] = append(slices.Clip(values), nil)
	}
}

// resolved returns the schema that a reference, or a wrapper around one, names.
func (o olderSchemas) resolved(schema map[string]any) map[string]any {
	if all, ok := schema["allOf"].([]any); ok && len(all) == 1 {
		schema, _ = all[0].(map[string]any)
	}
	if ref, ok := schema["$ref"].(string); ok {
		schema, _ = o.named[path.Base(ref)].(map[string]any)
	}
	return schema
}

// hasNullRecord reports whether an example has null where 3.0 has a nullable wrapper. Validators apply the wrapped schema
// even to null, so such an example does not match its schema for them.
func (o olderSchemas) hasNullRecord(schema map[string]any, example any) bool {
	if _, wraps := schema["allOf"]; wraps && example == nil {
		return schema["nullable"] == true
	}
	schema = o.resolved(schema)
	switch value := example.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			if child, ok := value[name]; ok && o.hasNullRecord(property.(map[string]any), child) {
				return true
			}
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		return slices.ContainsFunc(value, func(child any) bool { return o.hasNullRecord(items, child) })
	}
	return false
}
