package models

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// Role is what an API key may do within its project.
type Role string

const (
	RoleViewer Role = "viewer"
	RoleEditor Role = "editor"
	RoleAdmin  Role = "admin"
	// RoleClient may only evaluate flags over OFREP. Its key may stand in a web page.
	RoleClient Role = "client"
)

// roles are in order: each may do what the ones before it may do. RoleClient may do none of that.
var roles = []Role{RoleViewer, RoleEditor, RoleAdmin}

// KeyRoles are the roles that a key may have.
var KeyRoles = append([]Role{RoleClient}, roles...)

// Allows reports whether a holder of r may do what requires the role needed.
func (r Role) Allows(needed Role) bool {
	rank := slices.Index(roles, r)
	return rank >= 0 && rank >= slices.Index(roles, needed)
}

// APIKey is a credential for one project. Only a hash of its secret is stored.
type APIKey struct {
	ID, ProjectID                    int64
	Name                             string
	Role                             Role
	Prefix                           string
	SecretHash                       []byte
	ExpiresAt, LastUsedAt, RevokedAt *time.Time
	CreatedAt                        time.Time
	// PublisherID is that of the trusted publisher whose job exchanged an id token for the key; nil for other keys. The
	// publisher may have been removed.
	PublisherID *int64
	// Channels are the only ones that the key may change; nil for all.
	Channels []string `gorm:"type:jsonb;serializer:json"`
	// MadeBy is the user who made the key, also by way of another key; nil when no user did.
	MadeBy *int64
}

func (APIKey) TableName() string { return "api_keys" }

// Usable reports whether the key is neither revoked nor expired at now.
func (k APIKey) Usable(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// APIKeyFilter narrows a list of keys.
type APIKeyFilter struct {
	// ShortLived selects the keys of trusted publishers in place of all others.
	ShortLived bool
	// MadeBy selects the keys that the user made, 0 for all.
	MadeBy int64
}

type NewAPIKey struct {
	Name      string
	Role      Role
	ExpiresAt *time.Time
}

// Validate reports every bad field; ExpiresAt must be after now.
func (n NewAPIKey) Validate(now time.Time) error {
	var p Problems
	checkName(&p, "name", n.Name)
	checkOneOf(&p, "role", n.Role, KeyRoles...)
	if n.ExpiresAt != nil && !n.ExpiresAt.After(now) {
		p.Add("expiresAt", "must be in the future")
	}
	checkTime(&p, "expiresAt", n.ExpiresAt)
	return p.Err()
}

// An API key reads waft_<prefix>_<secret>: 8 characters that may be shown, and 32 random bytes in hex.
const (
	keyScheme      = "waft"
	keyPrefixBytes = 4
	keySecretBytes = 32
	maxKeySecret   = 512
)

// APIKeyToken is an API key in the form that callers send.
type APIKeyToken struct {
	Prefix string
	secret string
}

// NewAPIKeyToken makes a random key.
func NewAPIKeyToken() APIKeyToken {
	raw := make([]byte, keyPrefixBytes+keySecretBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return APIKeyToken{hex.EncodeToString(raw[:keyPrefixBytes]), hex.EncodeToString(raw[keyPrefixBytes:])}
}

// ParseAPIKeyToken splits a key into prefix and secret; ok is false when it is malformed.
func ParseAPIKeyToken(token string) (t APIKeyToken, ok bool) {
	scheme, rest, _ := strings.Cut(token, "_")
	prefix, secret, _ := strings.Cut(rest, "_")
	if scheme != keyScheme || len(prefix) != 2*keyPrefixBytes || len(secret) < 2*keySecretBytes || len(secret) > maxKeySecret {
		return APIKeyToken{}, false
	}
	return APIKeyToken{prefix, secret}, true
}

// Reveal returns the whole key. Show it once, to its creator.
func (t APIKeyToken) Reveal() string { return keyScheme + "_" + t.Prefix + "_" + t.secret }

// Hash is the SHA-256 of the secret, which the store keeps.
func (t APIKeyToken) Hash() []byte {
	sum := sha256.Sum256([]byte(t.secret))
	return sum[:]
}

// Fingerprint is a SHA-256 of the whole key, to tell keys apart in memory.
func (t APIKeyToken) Fingerprint() [32]byte { return sha256.Sum256([]byte(t.Prefix + "_" + t.secret)) }

// Matches compares the secret with a stored hash in constant time.
func (t APIKeyToken) Matches(hash []byte) bool {
	return subtle.ConstantTimeCompare(t.Hash(), hash) == 1
}
