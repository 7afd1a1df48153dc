package models

import "time"

// AuditEntry records one change, written in the transaction of that change.
type AuditEntry struct {
	ID         int64
	ProjectID  int64
	Action     string
	ActorType  ActorType
	ActorID    string
	ActorName  string
	EntityType string
	EntityID   string
	// Details say what changed; they never hold a secret.
	Details   map[string]any `gorm:"type:jsonb;serializer:json"`
	RequestID string
	CreatedAt time.Time
}

// TableName is the table of audit entries.
func (AuditEntry) TableName() string { return "audit_log" }
