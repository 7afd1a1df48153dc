package models

import "time"

// MatchType says how many of a segment's conditions must hold.
type MatchType string

// Match types.
const (
	MatchAll MatchType = "all"
	MatchAny MatchType = "any"
)

// Segment is a named set of contexts that flag rules can refer to.
type Segment struct {
	ID          int64
	ProjectID   int64
	Key         string
	Name        string
	Description string
	MatchType   MatchType
	Conditions  []Condition `gorm:"type:jsonb;serializer:json"`
	CreatedAt   time.Time
	UpdatedAt   time.Time

	// ReferencedBy are the flag rules that refer to it, by rule id.
	ReferencedBy []SegmentReference `gorm:"-"`
}

// SegmentReference is a flag rule that refers to a segment.
type SegmentReference struct {
	FlagID  int64
	FlagKey string
	RuleID  int64
}

// NewSegment is what a caller says to create a segment.
type NewSegment struct {
	Key         string
	Name        string
	Description string
	MatchType   MatchType
	Conditions  []Condition

	keyMade bool
}

// Normalize fills what the caller may leave out.
func (n *NewSegment) Normalize() {
	if n.Key == "" {
		n.Key, n.keyMade = keyFrom(n.Name), true
	}
}

// Validate reports every bad field of a normalized segment.
func (n NewSegment) Validate() error {
	var p Problems
	checkRequiredText(&p, "name", n.Name, 200)
	if n.Name != "" || n.Key != "" {
		checkKey(&p, n.Key, n.keyMade)
	}
	checkText(&p, "description", n.Description, 4096)
	checkMatchType(&p, n.MatchType)
	checkConditions(&p, "conditions", "valuesJson", n.Conditions)
	return p.Err()
}

// SegmentPatch changes the fields that are set. Conditions replace all that the
// segment has.
type SegmentPatch struct {
	Name        *string
	Description *string
	MatchType   *MatchType
	Conditions  *[]Condition
}

// Validate reports every bad field.
func (c SegmentPatch) Validate() error {
	var p Problems
	ifSet(checkRequiredText, &p, "name", c.Name, 200)
	ifSet(checkText, &p, "description", c.Description, 4096)
	if c.MatchType != nil {
		checkMatchType(&p, *c.MatchType)
	}
	if c.Conditions != nil {
		checkConditions(&p, "conditions", "valuesJson", *c.Conditions)
	}
	return p.Err()
}

func checkMatchType(p *Problems, m MatchType) {
	checkOneOf(p, "matchType", m, MatchAll, MatchAny)
}
