// Package access authenticates and authorizes requests: keys, sessions, roles, and event streams whose key is checked
// repeatedly.
package access

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Gate authenticates and authorizes requests for every package of the API.
type Gate struct {
	Keys     Keys
	Sessions Sessions
	Projects Projects
	// RootKeyHash is models.APIKeyToken.Hash of the installation's root key.
	RootKeyHash []byte
	// CookieKey encrypts the state of a sign-in that browsers keep, 32 bytes.
	CookieKey []byte
	// SessionKeys tag the tokens in sessions' cookies, 32 bytes each. The first key creates tags; tags of all keys
	// are accepted.
	SessionKeys [][]byte
	// NetworkKeys hash the networks from which people sign in, 32 bytes each. The first key hashes networks to store;
	// hashes of all keys are looked up.
	NetworkKeys [][]byte
	// BaseURL is the URL of this API for browsers, without a slash at its end.
	BaseURL string
	// SecureCookies is set if people reach this API only by https. Every cookie is then Secure.
	SecureCookies bool
	// Streams ends all event streams when it is done.
	Streams context.Context
	// Heartbeat is the time between heartbeats of an event stream. 0 stands for 15 s, which keeps proxies from
	// closing a quiet stream.
	Heartbeat time.Duration
	// StreamWriteTime is the time after which an event stream ends if its client stops reading. 0 stands for 30 s.
	StreamWriteTime time.Duration
	Limits          *limit.Set
	Log             *slog.Logger
	Now             func() time.Time

	// crossOrigin refuses requests that pages of other origins send with a session.
	crossOrigin *http.CrossOriginProtection
	// wrongKeys and endedSessions were refused recently; validKeys were accepted recently.
	wrongKeys, validKeys, endedSessions *recentKeys
}

// New returns the gate, or an error that names missing dependencies.
func New(g Gate) (*Gate, error) {
	if err := rest.Complete("access", g); err != nil {
		return nil, err
	}
	g.crossOrigin = newCrossOrigin(g.BaseURL)
	g.wrongKeys, g.validKeys = newRecentKeys(wrongKeyMemory, g.Now), newRecentKeys(validKeyMemory, g.Now)
	g.endedSessions = newRecentKeys(wrongKeyMemory, g.Now)
	g.Heartbeat, g.StreamWriteTime = cmp.Or(g.Heartbeat, streamHeartbeat), cmp.Or(g.StreamWriteTime, streamWriteTime)
	return &g, nil
}

// IdentifyRecent identifies the key in an Authorization header like identify, but accepts keys as they were recently.
// So it works while Postgres is unavailable.
func (g *Gate) IdentifyRecent(ctx context.Context, from rest.Sender, header string, who *rest.Caller) (models.APIKey, error) {
	return g.identify(ctx, from, header, who, g.Keys.RecentAPIKey)
}
