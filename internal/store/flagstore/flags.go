// Package flagstore keeps the records of feature flags.
package flagstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Flags has the records of feature flags, their rules and the segments that rules use.
// It is safe for concurrent use.
type Flags struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Flags { return &Flags{db, units} }
