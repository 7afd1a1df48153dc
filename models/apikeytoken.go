package models

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// An API key reads waft_<prefix>_<secret>: 8 characters that may be shown, then
// 32 random bytes in hex that may not.
const (
	keyScheme     = "waft"
	prefixBytes   = 4
	secretBytes   = 32
	prefixLength  = 2 * prefixBytes
	minSecretHexs = 2 * secretBytes
)

// APIKeyToken is a key in its readable form, taken apart.
type APIKeyToken struct {
	Prefix string
	secret string
}

// NewAPIKeyToken makes a random key.
func NewAPIKeyToken() APIKeyToken {
	raw := make([]byte, prefixBytes+secretBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return APIKeyToken{
		Prefix: hex.EncodeToString(raw[:prefixBytes]),
		secret: hex.EncodeToString(raw[prefixBytes:]),
	}
}

// ParseAPIKeyToken takes a key apart; ok is false when it is not of the form.
func ParseAPIKeyToken(token string) (t APIKeyToken, ok bool) {
	scheme, rest, _ := strings.Cut(token, "_")
	prefix, secret, found := strings.Cut(rest, "_")
	if scheme != keyScheme || !found || len(prefix) != prefixLength || len(secret) < minSecretHexs || len(secret) > 512 {
		return APIKeyToken{}, false
	}
	return APIKeyToken{Prefix: prefix, secret: secret}, true
}

// Reveal returns the whole key. Show it once, to its creator.
func (t APIKeyToken) Reveal() string { return keyScheme + "_" + t.Prefix + "_" + t.secret }

// Hash is the SHA-256 of the secret, which is what the store keeps.
func (t APIKeyToken) Hash() []byte {
	sum := sha256.Sum256([]byte(t.secret))
	return sum[:]
}

// Matches compares the secret with a kept hash in constant time.
func (t APIKeyToken) Matches(hash []byte) bool {
	return subtle.ConstantTimeCompare(t.Hash(), hash) == 1
}
