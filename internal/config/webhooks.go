package config

import (
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/webhook"
)

const (
	// maxWebhookRetries and maxWebhookRetry keep a delivery's history in Temporal bounded.
	maxWebhookRetries = 50
	maxWebhookRetry   = 7 * 24 * time.Hour
)

func (c Config) validateWebhooks(bad func(name, format string, args ...any)) {
	if _, err := webhook.ParseNetworks(c.WebhookAllowedNetworks); err != nil {
		bad("WAFT_WEBHOOK_ALLOWED_NETWORKS", "must list addresses and networks: %v", err)
	}
	wrong := func(wait time.Duration) bool { return wait <= 0 || wait > maxWebhookRetry }
	if len(c.WebhookRetries) > maxWebhookRetries || slices.ContainsFunc(c.WebhookRetries, wrong) {
		bad("WAFT_WEBHOOK_RETRIES", "must list at most %d waits above 0 and up to %s", maxWebhookRetries, maxWebhookRetry)
	}
}
