// Package approvals implements the endpoints of approvals.
package approvals

import (
	"log/slog"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle approvals.
type Handlers struct {
	Approvals Approvals
	Endings   Endings
	// TemporalUI makes links to the workflows of approvals.
	TemporalUI rest.TemporalUI
	Log        *slog.Logger
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Log = shared.Log
	return rest.Complete("approvals", *h)
}
