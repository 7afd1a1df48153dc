// Package releasestore stores releases, the branches and channels they are published to, and their rollouts.
package releasestore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Releases stores the records that determine the releases served to devices: releases, branches, channels, user
// overrides, rollouts and patches. It is safe for concurrent use.
type Releases struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Releases that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Releases { return &Releases{db, units} }
