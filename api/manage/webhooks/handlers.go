// Package webhooks implements the endpoints of webhooks and their deliveries.
package webhooks

import (
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle webhooks and their deliveries.
type Handlers struct {
	Webhooks Webhooks
	// TemporalUI makes links to the workflows of deliveries.
	TemporalUI rest.TemporalUI
}

// Open checks that no dependency is missing. It returns an error that names the missing dependencies.
func (h *Handlers) Open(_ access.Shared) error {
	return rest.Complete("webhooks", *h)
}
