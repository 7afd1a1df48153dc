package models

import "time"

// MaxPasskeys is how many passkeys an account may have.
const MaxPasskeys = 20

// Passkey is a WebAuthn credential that a user signs in with.
type Passkey struct {
	ID, UserID int64
	// Name is for the person who has several.
	Name string
	// RPID is the domain that the passkey works on.
	RPID string `gorm:"column:rp_id"`
	// CredentialID is what its authenticator calls it, PublicKey what verifies its signatures, as a COSE key.
	CredentialID, PublicKey []byte
	// Flags are those of the authenticator data at the last use, SignCount the highest count of uses.
	Flags     uint8
	SignCount uint32
	// CloneWarning says that a login had a count that was used before, so that the passkey may exist twice.
	CloneWarning bool
	CreatedAt    time.Time
	LastUsedAt   *time.Time
}

func (Passkey) TableName() string { return "passkeys" }

// Challenge is what an authenticator has signed. It is good for one answer.
type Challenge struct {
	// Hash is its SHA-256.
	Hash []byte
	// Expires is when no answer to it is taken any more.
	Expires time.Time
}

// PasskeyLogin is a verified answer of an authenticator.
type PasskeyLogin struct {
	// Passkey is the one that it was verified by, as it was stored then.
	Passkey   Passkey
	Challenge Challenge
	// Flags and SignCount are those of the answer.
	Flags     uint8
	SignCount uint32
	// Cloned says that the count should be higher.
	Cloned bool
}

// LoginWays are the ways to sign in that an installation offers.
type LoginWays struct {
	// SSOOnly turns passwords and passkeys off.
	SSOOnly bool
	// Domain is the one that passkeys work on, "" when there can be none.
	Domain string
	// Issuers are the identity providers.
	Issuers []string
}

// PasskeyRefused is what a login with a passkey that is not valid is told, whatever the reason, because a reason would help
// to guess.
const PasskeyRefused = "the passkey is not valid here; sign in another way"

// ValidatePasskeyName accepts the name of a passkey.
func ValidatePasskeyName(name string) error {
	var p Problems
	checkName(&p, "name", name)
	return p.Err()
}
