// Package webhooks has the endpoints of webhooks and their deliveries.
package webhooks

import "github.com/waft-ota/waft/api/rest"

// Handlers handle webhooks and their deliveries.
type Handlers struct {
	Webhooks Webhooks
}

// New returns the handlers, or an error that names what is missing.
func New(h Handlers) (*Handlers, error) {
	if err := rest.Complete("webhooks", h); err != nil {
		return nil, err
	}
	return &h, nil
}
