package api

// WebhooksHandlers handle webhooks and their deliveries.
type WebhooksHandlers struct {
	Webhooks Webhooks
}

// NewWebhooksHandlers returns the handlers, or an error that names what is missing.
func NewWebhooksHandlers(h WebhooksHandlers) (*WebhooksHandlers, error) {
	if err := complete("webhooks", h); err != nil {
		return nil, err
	}
	return &h, nil
}
