package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ContextKind says what a context stands for.
type ContextKind string

// ContextKinds are all kinds, in the order in which they are listed.
var ContextKinds = []ContextKind{"user", "device", "organization", "service", "environment"}

const (
	// MaxContextAttributes and MaxContextAttributeBytes, of JSON, bound one context.
	MaxContextAttributes     = 100
	MaxContextAttributeBytes = 16 << 10
)

// EvaluationContext is a person, device or other thing that flags are evaluated for.
type EvaluationContext struct {
	Versioned
	ID, ProjectID      int64
	Kind               ContextKind
	TargetingKey, Name string
	// Attributes are JSON values by name.
	Attributes              map[string]any `gorm:"type:jsonb;serializer:json"`
	FirstSeenAt, LastSeenAt time.Time
	EvaluationCount         int64
	// Pinned says that it was made by hand: evaluations neither rename, change nor evict it.
	Pinned bool
}

func (EvaluationContext) TableName() string { return "contexts" }

// ContextFilter narrows a list of contexts; zero fields do not filter.
type ContextFilter struct {
	Kind ContextKind
	// Search is found in the key, the name and the values of attributes, in any case.
	Search string
}

// SeenContext is a request to create or change a context.
type SeenContext struct {
	Kind         ContextKind
	TargetingKey string
	// Name stays as it is when nil.
	Name *string
	// Attributes replace those of the same name; a nil value removes one.
	Attributes map[string]any
}

func (s SeenContext) Validate() error {
	var p Problems
	checkOneOf(&p, "kind", s.Kind, ContextKinds...)
	checkRequiredText(&p, "targetingKey", s.TargetingKey, 256)
	if s.Name != nil {
		checkText(&p, "name", *s.Name, 200)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		field := fmt.Sprintf("attributes[%q]", name)
		checkRequiredText(&p, field, name, 128)
		if value, err := json.Marshal(s.Attributes[name]); err != nil {
			p.Add(field, "must be a JSON value")
		} else if err := checkJSON(value); err != nil {
			p.Add(field, "must be a JSON value: %v", err)
		}
	}
	return p.Err()
}

// Merge returns c as changed by s at now, and an error when that makes it too large.
func (c EvaluationContext) Merge(s SeenContext, now time.Time) (EvaluationContext, error) {
	merged := map[string]any{}
	maps.Copy(merged, c.Attributes)
	for name, value := range s.Attributes {
		if value == nil {
			delete(merged, name)
		} else {
			merged[name] = value
		}
	}
	c.Attributes = merged
	Assign(&c.Name, s.Name)
	if now.After(c.LastSeenAt) {
		c.LastSeenAt = now
	}
	return c, checkAttributesSize(merged)
}

func checkAttributesSize(attributes map[string]any) error {
	var p Problems
	if len(attributes) > MaxContextAttributes {
		p.Add("attributes", "must be at most %d, together with those that the context has already", MaxContextAttributes)
	}
	if data, err := json.Marshal(attributes); err != nil {
		p.Add("attributes", "must be JSON values")
	} else if len(data) > MaxContextAttributeBytes {
		p.Add("attributes", "must be at most %d bytes of JSON, together with those that the context has already",
			MaxContextAttributeBytes)
	}
	return p.Err()
}

// EvaluatedContext is an evaluation for a context. Any device can send one, so it is not audited.
type EvaluatedContext struct {
	ProjectID          int64
	Kind               ContextKind
	TargetingKey, Name string
	// Attributes replace those of the same name and leave the others.
	Attributes  map[string]any
	Evaluations int64
	SeenAt      time.Time
}

// Plus merges a later evaluation for the same context into c.
func (c EvaluatedContext) Plus(later EvaluatedContext) EvaluatedContext {
	merged := make(map[string]any, len(c.Attributes)+len(later.Attributes))
	maps.Copy(merged, c.Attributes)
	maps.Copy(merged, later.Attributes)
	c.Name = cmp.Or(later.Name, c.Name)
	c.Attributes, c.SeenAt = merged, later.SeenAt
	c.Evaluations += later.Evaluations
	return c
}

// Tidy removes invalid attributes and an invalid name. It fails when the kind or key is invalid.
func (c *EvaluatedContext) Tidy() error {
	attributes := SeenContext{Kind: c.Kind, TargetingKey: "any", Attributes: c.Attributes}
	if attributes.Validate() != nil || checkAttributesSize(c.Attributes) != nil {
		c.Attributes = nil
	}
	named := SeenContext{Kind: c.Kind, TargetingKey: "any", Name: &c.Name}
	if named.Validate() != nil {
		c.Name = ""
	}
	return SeenContext{Kind: c.Kind, TargetingKey: c.TargetingKey}.Validate()
}
