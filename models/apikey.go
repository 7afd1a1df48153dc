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

// Role is the role of an API key or a member within a project.
type Role string

const (
	RoleViewer Role = "viewer"
	RoleEditor Role = "editor"
	RoleAdmin  Role = "admin"
	// RoleClient may only evaluate flags over OFREP. Its key may be published in a web page.
	RoleClient Role = "client"
)

// roles are in ascending order: each role includes the permissions of the previous roles. RoleClient has none of them.
var roles = []Role{RoleViewer, RoleEditor, RoleAdmin}

// KeyRoles are the roles that a key may have.
var KeyRoles = append([]Role{RoleClient}, roles...)

// Allows reports whether the role r includes the permissions of the role needed.
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
	// PublisherID is the ID of the trusted publisher whose CI job exchanged an ID token for the key; nil for other keys. The
	// publisher may have been removed.
	PublisherID *int64
	// Channels are the only channels that the key may change; nil means all.
	Channels []string `gorm:"type:jsonb;serializer:json"`
	// MadeBy is the user who created the key, directly or with another key; nil if it was not a user.
	MadeBy *int64
}

func (APIKey) TableName() string { return "api_keys" }

// Usable reports whether the key is neither revoked nor expired at now.
func (k APIKey) Usable(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// APIKeyFilter selects keys for a list.
type APIKeyFilter struct {
	// ShortLived selects the keys of trusted publishers; otherwise all other keys are selected.
	ShortLived bool
	// MadeBy selects the keys that the user created, 0 for all.
	MadeBy int64
}

type NewAPIKey struct {
	Name      string
	Role      Role
	ExpiresAt *time.Time
}

// Validate checks every field; ExpiresAt must be after now.
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

// An API key has the form waft_<prefix>_<secret>: 8 characters that may be shown, and 32 random bytes in hex.
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

// NewAPIKeyToken returns a random key.
func NewAPIKeyToken() APIKeyToken {
	raw := make([]byte, keyPrefixBytes+keySecretBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return APIKeyToken{hex.EncodeToString(raw[:keyPrefixBytes]), hex.EncodeToString(raw[keyPrefixBytes:])}
}

// ParseAPIKeyToken splits a key into prefix and secret; ok is false if the key is malformed.
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

// Hash returns the SHA-256 of the secret, which the store keeps.
func (t APIKeyToken) Hash() []byte {
	sum := sha256.Sum256([]byte(t.secret))
	return sum[:]
}

// Fingerprint returns a SHA-256 of the whole key. It identifies the key in memory.
func (t APIKeyToken) Fingerprint() [32]byte { return sha256.Sum256([]byte(t.Prefix + "_" + t.secret)) }

// Matches compares the secret with a stored hash in constant time.
func (t APIKeyToken) Matches(hash []byte) bool {
	return subtle.ConstantTimeCompare(t.Hash(), hash) == 1
}
