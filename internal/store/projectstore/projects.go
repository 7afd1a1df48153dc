// Package projectstore keeps the records of projects and of what each has once.
package projectstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Projects has the records of projects and of what each has once: settings, signing key, contexts, incidents and erasures of devices.
// It is safe for concurrent use.
type Projects struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Projects { return &Projects{db, units} }
