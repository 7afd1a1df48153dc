// Package flagstore stores feature flags.
package flagstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Flags stores feature flags, their rules and the segments that rules use. It is safe for concurrent use.
type Flags struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Flags that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Flags { return &Flags{db, units} }
