package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
)

// RetryForever is how activities are retried that must not give up.
func RetryForever() *temporal.RetryPolicy { return retryForever() }

// WithTimeouts shortens what a client waits for.
func (c *Client) WithTimeouts(command, life, start time.Duration) *Client {
	c.commandTimeout, c.commandLife, c.startTimeout = command, life, start
	return c
}
