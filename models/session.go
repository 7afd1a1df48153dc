package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

const (
	// SessionLife is the maximum duration of a session.
	SessionLife = 14 * 24 * time.Hour
	// SessionIdle is how long a session lasts without a request that a person caused.
	SessionIdle = 12 * time.Hour
	// RecentLogin is the maximum age of a sign-in for changes to the security of a project, such as its keys.
	RecentLogin = 15 * time.Minute
	// KnownNetworkLife is how long a network stays known for an account after the last sign-in from the network.
	KnownNetworkLife = 90 * 24 * time.Hour
	// MaxKnownNetworks is the maximum number of known networks per account. The network with the oldest sign-in is forgotten
	// first.
	MaxKnownNetworks = 50
	// MaxKnownAccounts is the maximum number of accounts for which a network is known.
	MaxKnownAccounts = 10_000
	// SetupLinkLife is how long the link for the first account works.
	SetupLinkLife = time.Hour
)

// LoginMethod is the sign-in method of a session.
type LoginMethod string

const (
	LoginPassword   LoginMethod = "password"
	LoginOIDC       LoginMethod = "oidc"
	LoginPasskey    LoginMethod = "passkey"
	LoginSetup      LoginMethod = "setup"
	LoginInvitation LoginMethod = "invitation"
	// LoginTerminal is the method of a session that a person confirmed for `waft login`.
	LoginTerminal LoginMethod = "terminal"
)

// Session is the result of one sign-in of a user.
type Session struct {
	ID, UserID int64
	// TokenHash is the SHA-256 of the token in the cookie.
	TokenHash []byte
	Method    LoginMethod
	// Address and UserAgent are recorded at sign-in.
	Address, UserAgent               string
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

func (Session) TableName() string { return "sessions" }

// Usable reports whether the session has neither ended nor been idle for too long.
func (s Session) Usable(now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Before(s.LastSeenAt.Add(SessionIdle))
}

// Recent reports whether the sign-in is recent enough for changes to the security of a project.
func (s Session) Recent(now time.Time) bool { return !now.After(s.CreatedAt.Add(RecentLogin)) }

// NewSession is a session to create at sign-in.
type NewSession struct {
	TokenHash          []byte
	Method             LoginMethod
	Address, UserAgent string
	// Network is the hash of the network of the sign-in, 0 for a network that does not become known for the account.
	Network NetworkHash
	// Replaces is the hash of the token of the session that the sign-in ends, nil for none.
	Replaces []byte
}

const maxUserAgent = 256

// Session returns the session of a user, beginning at the given time.
func (n NewSession) Session(userID int64, at time.Time) Session {
	return Session{
		UserID: userID, TokenHash: n.TokenHash, Method: n.Method, Address: StorableText(n.Address, maxUserAgent),
		UserAgent: StorableText(n.UserAgent, maxUserAgent), CreatedAt: at, LastSeenAt: at, ExpiresAt: at.Add(SessionLife),
	}
}

const secretTokenBytes = 32

// SecretToken is a random 256-bit token of a session, a setup link, an invitation or a password reset.
type SecretToken struct{ text string }

// NewSecretToken returns a random token.
func NewSecretToken() SecretToken {
	raw := make([]byte, secretTokenBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return SecretToken{base64.RawURLEncoding.EncodeToString(raw)}
}

// ParseSecretToken parses a token; ok is false if it does not have the form of a token.
func ParseSecretToken(text string) (t SecretToken, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return SecretToken{text}, err == nil && len(raw) == secretTokenBytes
}

// Reveal returns the token as a string. Show it only once, to its intended holder.
func (t SecretToken) Reveal() string { return t.text }

// Hash returns the SHA-256 of the token, which the store keeps. The store looks tokens up by their hash, so the time of a
// look-up does not reveal anything about stored tokens.
func (t SecretToken) Hash() []byte {
	sum := sha256.Sum256([]byte(t.text))
	return sum[:]
}
