// Package webhookstore keeps the records of webhooks and of their deliveries.
package webhookstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Webhooks has the records of webhooks and their deliveries.
// It is safe for concurrent use.
type Webhooks struct {
	db    *pg.DB
	units *unit.Units
}

// New reads from db, and changes records in units of work.
func New(db *pg.DB, units *unit.Units) *Webhooks { return &Webhooks{db, units} }
