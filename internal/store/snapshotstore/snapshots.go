// Package snapshotstore reads the data that devices are served: a whole project, the changes since an earlier snapshot,
// or the result of a change that is only previewed.
package snapshotstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/projectstore"
	"github.com/waft-ota/waft/internal/store/releasestore"
	"github.com/waft-ota/waft/internal/store/unit"
)

// SnapshotReader reads the data that projects serve to devices, now or after a previewed change. It is safe for
// concurrent use.
type SnapshotReader struct {
	db       *pg.DB
	units    *unit.Units
	projects *projectstore.Projects
	releases *releasestore.Releases
}

// New returns a SnapshotReader that reads from db. It uses projects for signing keys and releases for rollouts.
func New(db *pg.DB, units *unit.Units, projects *projectstore.Projects, releases *releasestore.Releases) *SnapshotReader {
	return &SnapshotReader{db, units, projects, releases}
}
