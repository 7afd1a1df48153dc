package models

import (
	"maps"
	"time"
)

// EvaluatedContext says that flags were evaluated for a context. Any device can send
// one, so a bounded number is kept and no audit entry is written.
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

// Plus merges a later evaluation for the same context into c.
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

// Tidy removes attributes and a name that no context can have. It fails when there can
// be no such context at all.
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
