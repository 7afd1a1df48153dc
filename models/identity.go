package models

import (
	"cmp"
	"time"
)

// UserIdentity is what an OpenID Connect provider knows a user by.
type UserIdentity struct {
	ID, UserID      int64
	Issuer, Subject string
	CreatedAt       time.Time
}

func (UserIdentity) TableName() string { return "identities" }

// IdentityLogin is a login at a provider. Only issuer and subject identify its person.
type IdentityLogin struct {
	Issuer, Subject, Email, Name string
	EmailVerified                bool
	Grants                       GroupGrants
}

// NewUser is the account of a person who has none.
func (l IdentityLogin) NewUser() NewUser {
	return NewUser{Email: l.Email, Name: StorableText(cmp.Or(l.Name, l.Email), 200), EmailVerified: l.EmailVerified}
}

// Proves reports whether the provider says that the person has the address of the account.
func (l IdentityLogin) Proves(u User) bool { return l.EmailVerified && EmailKey(l.Email) == u.EmailKey }
