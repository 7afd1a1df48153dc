package store

// Webhooks has the records of webhooks and their deliveries.
// It is safe for concurrent use.
type Webhooks struct {
	db    *DB
	units *Units
}

// newWebhooks reads from db, and changes records in units of work.
func newWebhooks(db *DB, units *Units) *Webhooks { return &Webhooks{db, units} }
