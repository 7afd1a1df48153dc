// Package filestore keeps the records of builds and of the files in the asset store.
package filestore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Files has the records of builds and of the files in the asset store.
// It is safe for concurrent use.
type Files struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Files { return &Files{db, units} }
