package models

// Page is a keyset page: at most Limit records with an id below Before (0: from
// the newest).
type Page struct {
	Limit  int
	Before int64
}

// HistoryPage is a keyset page of a history, oldest first: at most Limit entries
// with ids above After and, unless Before is 0, below Before.
type HistoryPage struct {
	Limit  int
	After  int64
	Before int64
}
