// Package filestore stores builds and keeps track of the files in the asset bucket.
package filestore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Files stores builds and keeps track of the files in the asset bucket. It is safe for concurrent use.
type Files struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Files that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Files { return &Files{db, units} }
