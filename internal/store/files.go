package store

// Files has the records of builds and of the files in the asset store.
// It is safe for concurrent use.
type Files struct {
	db    *DB
	units *Units
}

// newFiles reads from db, and changes records in units of work.
func newFiles(db *DB, units *Units) *Files { return &Files{db, units} }
