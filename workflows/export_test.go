package workflows

import "time"

// WithTimeouts shortens what a client waits for.
func (c *Client) WithTimeouts(command, life, start time.Duration) *Client {
	c.commandTimeout, c.commandLife, c.startTimeout = command, life, start
	return c
}
