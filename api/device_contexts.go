package api

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// EvaluatedContexts records whom flags are evaluated for.
type EvaluatedContexts interface {
	// Evaluated neither waits nor fails.
	Evaluated(c models.EvaluatedContext)
}

// contextBook writes down whom flags were evaluated for.
type contextBook struct{ contexts EvaluatedContexts }

// note leaves out those of whom no context can be made.
func (b contextBook) note(s *delivery.Snapshot, contexts []models.EvaluatedContext) {
	for _, c := range contexts {
		if c.TargetingKey == "" || c.Tidy() != nil {
			continue
		}
		c.ProjectID = s.Project().ID
		if c.Kind == "user" || c.Kind == "device" {
			if hash, _ := s.DeviceIdentity(c.TargetingKey, ""); hash != c.TargetingKey {
				// A project that hashes ids keeps no name beside the hash.
				c.TargetingKey, c.Name = hash, ""
			}
		}
		b.contexts.Evaluated(c)
	}
}

// context reads whom a flag was evaluated for. What is wrong within the context is left
// out; the evaluation counts all the same.
func (p *reportProblems) context(of func(string) reportField, key, value gjson.Result) (c models.EvaluatedContext) {
	if key.Exists() && key.Type != gjson.Null {
		c.TargetingKey = p.text(of("targetingKey"), key, maxDeviceID)
	}
	c.Kind = "user"
	if !value.Exists() || value.Type == gjson.Null {
		return c
	}
	if !value.IsObject() {
		p.add(of("context"), "must be an object")
		return c
	}
	var attributes map[string]any
	if len(value.Raw) > limitedBytes || json.Unmarshal([]byte(value.Raw), &attributes) != nil {
		return c
	}
	if kind, ok := attributes["kind"].(string); ok && slices.Contains(models.ContextKinds, models.ContextKind(kind)) {
		c.Kind = models.ContextKind(kind)
	}
	if named, ok := attributes["targetingKey"].(string); ok && c.TargetingKey == "" {
		c.TargetingKey = named
	}
	c.Name, _ = attributes["name"].(string)
	maps.DeleteFunc(attributes, func(name string, value any) bool {
		return value == nil || name == "kind" || name == "targetingKey" || name == "name"
	})
	c.Attributes = attributes
	return c
}
