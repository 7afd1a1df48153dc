// Package approvals has the endpoints of approvals.
package approvals

import (
	"log/slog"

	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle approvals.
type Handlers struct {
	Approvals Approvals
	Log       *slog.Logger
}

// New returns the handlers, or an error that names what is missing.
func New(h Handlers) (*Handlers, error) {
	if err := rest.Complete("approvals", h); err != nil {
		return nil, err
	}
	return &h, nil
}
