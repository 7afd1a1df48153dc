// Package approvals has the endpoints of approvals.
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
	Log       *slog.Logger
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Log = shared.Log
	return rest.Complete("approvals", *h)
}
