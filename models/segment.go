package models

import "time"

// MatchType determines whether all of a segment's conditions must be true, or only one.
type MatchType string

const (
	MatchAll MatchType = "all"
	MatchAny MatchType = "any"
)

// Segment is a named set of contexts that flag rules can refer to.
type Segment struct {
	Versioned
	ID, ProjectID          int64
	Key, Name, Description string
	MatchType              MatchType
	Conditions             []Condition `gorm:"type:jsonb;serializer:json"`
	CreatedAt, UpdatedAt   time.Time

	// ReferencedBy are the flag rules that refer to the segment, sorted by rule ID.
	ReferencedBy []SegmentReference `gorm:"-"`
}

// SegmentReference is a flag rule that refers to a segment.
type SegmentReference struct {
	FlagID  int64
	FlagKey string
	RuleID  int64
}

type NewSegment struct {
	Key, Name, Description string
	MatchType              MatchType
	Conditions             []Condition

	keyDerived bool
}

func (n *NewSegment) Normalize() {
	if n.Key == "" {
		n.Key, n.keyDerived = keyFrom(n.Name), true
	}
}

// Validate checks every field of a normalized segment.
func (n NewSegment) Validate() error {
	var p Problems
	checkName(&p, "name", n.Name)
	if n.Name != "" || n.Key != "" {
		checkKey(&p, n.Key, n.keyDerived)
	}
	checkLongText(&p, "description", n.Description)
	checkMatchType(&p, "matchType", n.MatchType)
	checkSegmentConditions(&p, "conditions", n.Conditions)
	return p.Err()
}

// SegmentPatch changes the fields that are set. Conditions replace all conditions of the segment.
type SegmentPatch struct {
	Name        *string      `json:"name,omitempty"`
	Description *string      `json:"description,omitempty"`
	MatchType   *MatchType   `json:"matchType,omitempty"`
	Conditions  *[]Condition `json:"conditions,omitempty"`
}

func (c SegmentPatch) Validate() error {
	var p Problems
	ifSet(&p, "name", c.Name, checkName)
	ifSet(&p, "description", c.Description, checkLongText)
	ifSet(&p, "matchType", c.MatchType, checkMatchType)
	ifSet(&p, "conditions", c.Conditions, checkSegmentConditions)
	return p.Err()
}

func checkMatchType(p *Problems, field string, m MatchType) {
	checkOneOf(p, field, m, MatchAll, MatchAny)
}

func checkSegmentConditions(p *Problems, field string, conditions []Condition) {
	checkConditions(p, field, "valuesJson", conditions)
}
