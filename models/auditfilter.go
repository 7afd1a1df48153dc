package models

// AuditFilter narrows the audit log; zero fields do not filter.
type AuditFilter struct {
	Action     string
	EntityType string
	EntityID   string
}

// HistoryPage is a keyset page of a history, oldest first: at most Limit entries
// with ids above After and, unless Before is 0, below Before.
type HistoryPage struct {
	Limit  int
	After  int64
	Before int64
}
