package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ContextKind is the kind of thing that a context stands for.
type ContextKind string

// ContextKinds are all kinds, in the order in which they are listed.
var ContextKinds = []ContextKind{"user", "device", "organization", "service", "environment"}

const (
	// MaxContextAttributes is the maximum number of attributes of one context; MaxContextAttributeBytes is their maximum size as
	// JSON.
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
	// Pinned means that the context was created manually: evaluations do not rename, change or evict it.
	Pinned bool
}

func (EvaluationContext) TableName() string { return "contexts" }

// ContextFilter selects contexts for a list; zero fields do not filter.
type ContextFilter struct {
	Kind ContextKind
}

// RecentContexts are the contexts that were seen recently. List is a sample if Total is larger than its length.
type RecentContexts struct {
	Total int64
	List  []EvaluationContext
}

// ContextAttribute is an attribute that recent contexts have.
type ContextAttribute struct {
	Name string
	// Contexts is the number of contexts of the sample that have the attribute.
	Contexts int64
	// Values are the most frequent strings, numbers and booleans, the most frequent first.
	Values []any `gorm:"type:jsonb;serializer:json"`
}

const (
	// RecentContextDays is the number of days in which a recent context was seen.
	RecentContextDays = 7
	// MaxSampledContexts is the maximum number of recent contexts that are read together.
	MaxSampledContexts = 2000
	// MaxContextAttributeNames is the maximum number of attributes that are listed, and MaxContextAttributeValues the maximum number
	// of values of each.
	MaxContextAttributeNames  = 100
	MaxContextAttributeValues = 20
)

// SeenContext is a request to create or change a context.
type SeenContext struct {
	Kind         ContextKind
	TargetingKey string
	// Name replaces the name unless nil.
	Name *string
	// Attributes replace the attributes with the same names; a nil value removes an attribute.
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

// Merge returns c with the changes of s at now, and an error if the result is too large.
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
		p.Add("attributes", "must be at most %d, including the existing attributes of the context", MaxContextAttributes)
	}
	if data, err := json.Marshal(attributes); err != nil {
		p.Add("attributes", "must be JSON values")
	} else if len(data) > MaxContextAttributeBytes {
		p.Add("attributes", "must be at most %d bytes of JSON, including the existing attributes of the context",
			MaxContextAttributeBytes)
	}
	return p.Err()
}

// EvaluatedContext is a context in an evaluation. Any device can send one, so the audit log does not record it.
type EvaluatedContext struct {
	ProjectID          int64
	Kind               ContextKind
	TargetingKey, Name string
	// Attributes replace the attributes with the same names and keep the others.
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

// Describe adds attributes of the request to a tidy context, unless the context becomes too large.
func (c *EvaluatedContext) Describe(known map[string]any) {
	merged := make(map[string]any, len(c.Attributes)+len(known))
	maps.Copy(merged, c.Attributes)
	maps.Copy(merged, known)
	if checkAttributesSize(merged) == nil {
		c.Attributes = merged
	}
}

// Tidy removes all attributes if one is invalid, and an invalid name. It fails if the kind or key is invalid.
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
