// Package webhooks has the endpoints of webhooks and their deliveries.
package webhooks

import (
	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
)

// Handlers handle webhooks and their deliveries.
type Handlers struct {
	Webhooks Webhooks
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(_ access.Shared) error {
	return rest.Complete("webhooks", *h)
}
