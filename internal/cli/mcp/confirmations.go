package mcp

import (
	"crypto/rand"
	"errors"
	"sync"
	"time"
)

// confirmFor is the time for which a token is valid.
const confirmFor = 10 * time.Minute

// errToken is the error for a token that does not confirm the change.
var errToken = errors.New("the confirmation token is not valid for exactly these arguments: it expired, was used, or belongs to another " +
	"change; call the tool without confirmationToken for a new preview")

// confirmations are the previews that a client has seen, by their tokens.
type confirmations struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[string]confirmation
}

type confirmation struct {
	change, preview string
	expires         time.Time
}

func newConfirmations() *confirmations {
	return &confirmations{now: time.Now, seen: map[string]confirmation{}}
}

// add returns a token for a change whose preview is shown.
func (c *confirmations) add(change, preview string) (token string, expires time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for token, old := range c.seen {
		if c.now().After(old.expires) {
			delete(c.seen, token)
		}
	}
	token, expires = rand.Text(), c.now().Add(confirmFor).UTC().Truncate(time.Second)
	c.seen[token] = confirmation{change, preview, expires}
	return token, expires
}

// take returns the preview that was shown for the change, and makes the token invalid.
func (c *confirmations) take(token, change string) (preview string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of, known := c.seen[token]
	delete(c.seen, token)
	if !known || of.change != change || c.now().After(of.expires) {
		return "", errToken
	}
	return of.preview, nil
}
