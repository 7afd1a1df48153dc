// Package webhookstore stores webhooks and their deliveries.
package webhookstore

import (
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
)

// Webhooks stores webhooks and their deliveries. It is safe for concurrent use.
type Webhooks struct {
	db    *pg.DB
	units *unit.Units
}

// New returns Webhooks that read from db and change records in units of work.
func New(db *pg.DB, units *unit.Units) *Webhooks { return &Webhooks{db, units} }
