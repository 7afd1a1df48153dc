// Package releasestore keeps the records of releases, of where they go, and of their rollouts.
package releasestore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Releases has the records of what devices are served: releases, branches, channels, user overrides, rollouts and patches.
// It is safe for concurrent use.
type Releases struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Releases { return &Releases{db, units} }
