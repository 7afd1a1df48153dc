// Package snapshotstore reads projects as devices are served, whole, by what changed, and as a change would serve them.
package snapshotstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
)

// SnapshotReader reads projects as they are served, and as a change would serve them. It is safe for concurrent use.
type SnapshotReader struct {
	db       *pg.DB
	units    *unit.Units
	projects *projectstore.Projects
	releases *releasestore.Releases
}

// New reads from db, with what it needs of projects and releases.
func New(db *pg.DB, units *unit.Units, projects *projectstore.Projects, releases *releasestore.Releases) *SnapshotReader {
	return &SnapshotReader{db, units, projects, releases}
}
