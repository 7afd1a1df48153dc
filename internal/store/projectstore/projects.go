// Package projectstore stores projects, with the records that a project has directly, such as its settings and
// incidents.
package projectstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Projects stores projects with their settings, signing keys, contexts, incidents and erasures of devices. It is safe
// for concurrent use.
type Projects struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Projects that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Projects { return &Projects{db, units} }
