package models

import "time"

// Role is what an API key may do within its project.
type Role string

// Roles, each including the ones before it.
const (
	RoleViewer Role = "viewer"
	RoleEditor Role = "editor"
	RoleAdmin  Role = "admin"
)

// Valid reports whether r is a known role.
func (r Role) Valid() bool { return r.rank() > 0 }

// Allows reports whether a holder of r may do what needs role needed.
func (r Role) Allows(needed Role) bool { return r.rank() >= needed.rank() && r.Valid() }

func (r Role) rank() int {
	switch r {
	case RoleViewer:
		return 1
	case RoleEditor:
		return 2
	case RoleAdmin:
		return 3
	default:
		return 0
	}
}

// APIKey is a caller's credential for one project. Only a hash of the secret is
// kept.
type APIKey struct {
	ID         int64
	ProjectID  int64
	Name       string
	Role       Role
	Prefix     string
	SecretHash []byte
	ExpiresAt  *time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
	CreatedAt  time.Time
}

// TableName keeps GORM from splitting the acronym.
func (APIKey) TableName() string { return "api_keys" }

// Usable reports whether the key may still be used at now.
func (k APIKey) Usable(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// NewAPIKey is what a caller says to create a key.
type NewAPIKey struct {
	Name      string
	Role      Role
	ExpiresAt *time.Time
}

// Validate reports every bad field; now decides whether ExpiresAt is in the past.
func (n NewAPIKey) Validate(now time.Time) error {
	var p Problems
	checkRequiredText(&p, "name", n.Name, 200)
	if !n.Role.Valid() {
		p.Add("role", "must be one of viewer, editor, admin")
	}
	if n.ExpiresAt != nil && !n.ExpiresAt.After(now) {
		p.Add("expiresAt", "must lie in the future")
	}
	checkTime(&p, "expiresAt", n.ExpiresAt)
	return p.Err()
}
