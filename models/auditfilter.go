package models

// AuditFilter narrows the audit log; zero fields do not filter.
type AuditFilter struct {
	Action     string
	EntityType string
	EntityID   string
}
