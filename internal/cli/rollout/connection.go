package rollout

import "fmt"

// connectionTeller tells when the connection of a watch is lost, and when it works again. A connection that is opened again
// immediately is not worth a line: the server ends each stream from time to time.
type connectionTeller struct {
	breaks int // since the last record
}

// broke returns the line for a connection that broke or could not be opened, or "".
func (c *connectionTeller) broke(err error) string {
	c.breaks++
	if c.breaks != 2 {
		return ""
	}
	return fmt.Sprintf("connection lost, reconnecting: %v", err)
}

// works returns the line for a record that was received, or "".
func (c *connectionTeller) works() string {
	wasLost := c.breaks > 1
	c.breaks = 0
	if !wasLost {
		return ""
	}
	return "connected again"
}
