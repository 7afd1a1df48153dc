package models

import (
	"maps"
	"time"
)

// EvaluatedContext says that flags were evaluated for a context. It comes from anybody,
// so it is kept with those that were seen last, and no audit entry tells of it.
type EvaluatedContext struct {
	ProjectID    int64
	Kind         ContextKind
	TargetingKey string
	// Name is "" where the client does not say.
	Name string
	// Attributes replace those of the same name and leave the others.
	Attributes  map[string]any
	Evaluations int64
	SeenAt      time.Time
}

// Plus is what is known after c and then later of the same context.
func (c EvaluatedContext) Plus(later EvaluatedContext) EvaluatedContext {
	merged := make(map[string]any, len(c.Attributes)+len(later.Attributes))
	for _, attributes := range []map[string]any{c.Attributes, later.Attributes} {
		maps.Copy(merged, attributes)
	}
	if later.Name != "" {
		c.Name = later.Name
	}
	c.Attributes, c.SeenAt = merged, later.SeenAt
	c.Evaluations += later.Evaluations
	return c
}

// Tidy leaves out what no context can have, and returns why there cannot be one at all.
func (c *EvaluatedContext) Tidy() error {
	attributes := SeenContext{Kind: c.Kind, TargetingKey: "any", Attributes: c.Attributes}
	if attributes.Validate() != nil || (EvaluationContext{Attributes: c.Attributes}).checkSize() != nil {
		c.Attributes = nil
	}
	named := SeenContext{Kind: c.Kind, TargetingKey: "any", Name: &c.Name}
	if named.Validate() != nil {
		c.Name = ""
	}
	return SeenContext{Kind: c.Kind, TargetingKey: c.TargetingKey}.Validate()
}
