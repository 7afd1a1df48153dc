package store

// Projects has the records of projects and of what each has once: settings, signing key, contexts, incidents and erasures of devices.
// It is safe for concurrent use.
type Projects struct {
	db    *DB
	units *Units
}

// newProjects reads from db, and changes records in units of work.
func newProjects(db *DB, units *Units) *Projects { return &Projects{db, units} }
