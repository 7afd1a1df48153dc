// Package webhook sends one message to one webhook, as Standard Webhooks
// (https://www.standardwebhooks.com, version 1.0.0) has it: how it is signed, which
// networks it may reach, what counts as success, and how long to wait before the next
// attempt. It stores nothing and knows nothing of Temporal.
package webhook
