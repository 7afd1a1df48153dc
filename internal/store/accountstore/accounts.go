// Package accountstore stores the accounts and keys that may call Waft.
package accountstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Accounts stores everything that identifies callers: accounts, their sessions, passkeys and memberships, invitations,
// API keys and trusted publishers. It is safe for concurrent use.
type Accounts struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Accounts that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Accounts { return &Accounts{db, units} }
