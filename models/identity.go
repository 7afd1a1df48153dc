package models

import (
	"cmp"
	"time"
)

// UserIdentity is the identity of a user at an OpenID Connect provider.
type UserIdentity struct {
	ID, UserID      int64
	Issuer, Subject string
	CreatedAt       time.Time
}

func (UserIdentity) TableName() string { return "identities" }

// IdentityLogin is a sign-in at a provider. Only the issuer and subject together identify the person.
type IdentityLogin struct {
	Issuer, Subject, Email, Name string
	EmailVerified                bool
	Grants                       GroupGrants
}

// NewUser returns the account to create for a person who does not have one.
func (l IdentityLogin) NewUser() NewUser {
	return NewUser{Email: l.Email, Name: StorableText(cmp.Or(l.Name, l.Email), 200), EmailVerified: l.EmailVerified}
}

// Proves reports whether the provider confirms that the account's address belongs to the person.
func (l IdentityLogin) Proves(u User) bool { return l.EmailVerified && EmailKey(l.Email) == u.EmailKey }
