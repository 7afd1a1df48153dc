package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
)

// RetryForever returns the retry policy of activities that must succeed in the end.
func RetryForever() *temporal.RetryPolicy { return retryForever() }

// WithTimeouts sets the timeouts of a client.
func (c *Client) WithTimeouts(command, life, start time.Duration) *Client {
	c.commandTimeout, c.commandLife, c.startTimeout = command, life, start
	return c
}
