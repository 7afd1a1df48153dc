// Package accountstore keeps the records of who may call.
package accountstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Accounts has the records of who may call: people, their sessions, passkeys and memberships, invitations, API keys and trusted publishers.
// It is safe for concurrent use.
type Accounts struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Accounts { return &Accounts{db, units} }
