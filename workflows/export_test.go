package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
)

// UntilItWorks is how often activities are tried that must not give up.
func UntilItWorks() *temporal.RetryPolicy { return untilItWorks() }

// WithTimeouts shortens what a client waits for.
func (c *Client) WithTimeouts(command, life, start time.Duration) *Client {
	c.commandTimeout, c.commandLife, c.startTimeout = command, life, start
	return c
}
