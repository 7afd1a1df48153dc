package store

// SnapshotReader reads projects as they are served, and as a change would serve them. It is safe for concurrent use.
type SnapshotReader struct {
	db       *DB
	units    *Units
	projects *Projects
	releases *Releases
}

// newSnapshotReader reads from db, with what it needs of projects and releases.
func newSnapshotReader(db *DB, units *Units, projects *Projects, releases *Releases) *SnapshotReader {
	return &SnapshotReader{db, units, projects, releases}
}
