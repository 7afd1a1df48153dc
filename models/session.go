package models

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

const (
	// SessionLife is how long a session lasts at most.
	SessionLife = 14 * 24 * time.Hour
	// SessionIdle is how long a session lasts without a request that a person caused.
	SessionIdle = 12 * time.Hour
	// RecentLogin is how old a login may be for what protects the project itself, such as keys.
	RecentLogin = 15 * time.Minute
	// KnownNetworkLife is how long a network stays known for an account after the last login from there.
	KnownNetworkLife = 90 * 24 * time.Hour
	// MaxKnownNetworks bounds the known networks of an account. The one of the oldest login is forgotten first.
	MaxKnownNetworks = 50
	// MaxKnownAccounts bounds the accounts for which one network is known.
	MaxKnownAccounts = 10_000
	// SetupLinkLife is how long the link for the first account works.
	SetupLinkLife = time.Hour
)

// LoginMethod is how a session began.
type LoginMethod string

const (
	LoginPassword   LoginMethod = "password"
	LoginOIDC       LoginMethod = "oidc"
	LoginPasskey    LoginMethod = "passkey"
	LoginSetup      LoginMethod = "setup"
	LoginInvitation LoginMethod = "invitation"
)

// Session is one login of a user.
type Session struct {
	ID, UserID int64
	// TokenHash is the SHA-256 of what the cookie holds.
	TokenHash []byte
	Method    LoginMethod
	// Address and UserAgent are those of the login.
	Address, UserAgent               string
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

func (Session) TableName() string { return "sessions" }

// Usable reports whether the session has neither ended nor been idle for too long.
func (s Session) Usable(now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Before(s.LastSeenAt.Add(SessionIdle))
}

// Recent reports whether the login is recent enough for what protects the project itself.
func (s Session) Recent(now time.Time) bool { return !now.After(s.CreatedAt.Add(RecentLogin)) }

// NewSession is a login.
type NewSession struct {
	TokenHash          []byte
	Method             LoginMethod
	Address, UserAgent string
	// Network is the hash of the network of the login, 0 for a network that does not become known for the account.
	Network NetworkHash
	// Replaces is the hash of the token of the session that the login ends, nil for none.
	Replaces []byte
}

const maxUserAgent = 256

// Session is the session of a user that begins at the given time.
func (n NewSession) Session(userID int64, at time.Time) Session {
	return Session{
		UserID: userID, TokenHash: n.TokenHash, Method: n.Method, Address: StorableText(n.Address, maxUserAgent),
		UserAgent: StorableText(n.UserAgent, maxUserAgent), CreatedAt: at, LastSeenAt: at, ExpiresAt: at.Add(SessionLife),
	}
}

const secretTokenBytes = 32

// SecretToken is a random text of 256 bits: of a session, a setup link or an invitation.
type SecretToken struct{ text string }

// NewSecretToken makes a random token.
func NewSecretToken() SecretToken {
	raw := make([]byte, secretTokenBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return SecretToken{base64.RawURLEncoding.EncodeToString(raw)}
}

// ParseSecretToken returns the token of a text; ok is false when Waft made no such token.
func ParseSecretToken(text string) (t SecretToken, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return SecretToken{text}, err == nil && len(raw) == secretTokenBytes
}

// Reveal returns the text. Show it once, to whom it is for.
func (t SecretToken) Reveal() string { return t.text }

// Hash is the SHA-256 of the text, which the store keeps. Tokens are found by it, so that finding one
// takes the same time whatever was sent.
func (t SecretToken) Hash() []byte {
	sum := sha256.Sum256([]byte(t.text))
	return sum[:]
}
