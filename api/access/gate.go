// Package access says who makes a request and whether they may: keys, sessions, roles, and event
// streams whose key is checked again.
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

// Gate says who makes a request and whether they may, for every package of the API.
type Gate struct {
	Keys     Keys
	Sessions Sessions
	Projects Projects
	// RootKeyHash is models.APIKeyToken.Hash of the installation's root key.
	RootKeyHash []byte
	// CookieKey encrypts what browsers keep of a login that has begun, 32 bytes.
	CookieKey []byte
	// SessionKeys tag the tokens in sessions' cookies, 32 bytes each: the first makes tags, all are taken.
	SessionKeys [][]byte
	// NetworkKeys hash the networks from which people sign in, 32 bytes each: the first hashes what is stored, all find it.
	NetworkKeys [][]byte
	// BaseURL is the URL that browsers reach this API at, without a slash at its end.
	BaseURL string
	// SecureCookies says that people reach this API by https only, so that every cookie is Secure.
	SecureCookies bool
	// Streams ends all event streams when it is done.
	Streams context.Context
	// Heartbeat is the time between heartbeats of an event stream; 0 is 15 s, which keeps proxies from closing a quiet one.
	Heartbeat time.Duration
	// StreamWriteTime ends an event stream whose client reads nothing for that long; 0 is 30 s.
	StreamWriteTime time.Duration
	Limits          *limit.Set
	Log             *slog.Logger
	Now             func() time.Time

	// crossOrigin refuses requests that pages of other origins send with a session.
	crossOrigin *http.CrossOriginProtection
	// wrongKeys and endedSessions were refused lately, validKeys were not.
	wrongKeys, validKeys, endedSessions *recentKeys
}

// New returns the gate, or an error that names what is missing.
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

// IdentifyRecent is identify by keys as they were lately, which works while Postgres is away.
func (g *Gate) IdentifyRecent(ctx context.Context, from rest.Sender, header string, who *rest.Caller) (models.APIKey, error) {
	return g.identify(ctx, from, header, who, g.Keys.RecentAPIKey)
}
