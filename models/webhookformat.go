package models

import "slices"

// WebhookFormat is the format of the messages to a webhook.
type WebhookFormat string

// Formats of webhooks.
const (
	// FormatStandard is the JSON of Standard Webhooks.
	FormatStandard WebhookFormat = "standard"
	// FormatSlack is a message for an incoming webhook of Slack.
	FormatSlack WebhookFormat = "slack"
	// FormatTeams is a card for a Workflows webhook of Microsoft Teams.
	FormatTeams WebhookFormat = "teams"
)

// WebhookFormats are all formats.
var WebhookFormats = []WebhookFormat{FormatStandard, FormatSlack, FormatTeams}

func checkWebhookFormat(p *Problems, field string, f WebhookFormat) {
	if !slices.Contains(WebhookFormats, f) {
		p.Add(field, "must be standard, slack or teams")
	}
}
