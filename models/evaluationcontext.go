package models

import (
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

// MaxContexts is how many contexts a project keeps; the ones not seen for longest
// go first.
const MaxContexts = 10_000

// EvaluationContext is whom flags are evaluated for, as the project knows them.
type EvaluationContext struct {
	ID           int64
	ProjectID    int64
	Kind         ContextKind
	TargetingKey string
	Name         string
	// Attributes are JSON values by name.
	Attributes      map[string]any `gorm:"type:jsonb;serializer:json"`
	FirstSeenAt     time.Time
	LastSeenAt      time.Time
	EvaluationCount int64
}

// TableName is the table of contexts.
func (EvaluationContext) TableName() string { return "contexts" }

// ContextFilter narrows a list of contexts; zero fields do not.
type ContextFilter struct {
	Kind ContextKind
	// Search is looked for in key, name and the values of attributes, whatever the
	// case.
	Search string
}

// SeenContext is a context, new or known, as a caller describes it.
type SeenContext struct {
	Kind         ContextKind
	TargetingKey string
	// Name stays as it is when nil.
	Name *string
	// Attributes replace those of the same name and leave the others; a nil value
	// removes the attribute.
	Attributes map[string]any
}

// Limits of a context.
const (
	MaxContextAttributes     = 100
	MaxContextAttributeBytes = 16 << 10
)

// Validate reports every bad field.
func (s SeenContext) Validate() error {
	var p Problems
	if !slices.Contains(ContextKinds, s.Kind) {
		p.Add("kind", "must be one of user, device, organization, service, environment")
	}
	checkRequiredText(&p, "targetingKey", s.TargetingKey, 256)
	ifSet(checkText, &p, "name", s.Name, 200)
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

// Merge returns c as it is after s was seen at now, and an error when that makes
// it too large. c stays as it is.
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
	return c, c.checkSize()
}

func (c EvaluationContext) checkSize() error {
	var p Problems
	if len(c.Attributes) > MaxContextAttributes {
		p.Add("attributes", "must be at most %d, together with those that the context has already", MaxContextAttributes)
	}
	data, err := json.Marshal(c.Attributes)
	switch {
	case err != nil:
		p.Add("attributes", "must be JSON values")
	case len(data) > MaxContextAttributeBytes:
		p.Add("attributes", "must be at most %d bytes of JSON, together with those that the context has already", MaxContextAttributeBytes)
	}
	return p.Err()
}
