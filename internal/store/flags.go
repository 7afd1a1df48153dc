package store

// Flags has the records of feature flags, their rules and the segments that rules use.
// It is safe for concurrent use.
type Flags struct {
	db    *DB
	units *Units
}

// newFlags reads from db, and changes records in units of work.
func newFlags(db *DB, units *Units) *Flags { return &Flags{db, units} }
