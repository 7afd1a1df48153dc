package models

import "time"

// MaxPasskeys is the maximum number of passkeys per account.
const MaxPasskeys = 20

// Passkey is a WebAuthn credential that a user signs in with.
type Passkey struct {
	ID, UserID int64
	// Name helps a person to tell their passkeys apart.
	Name string
	// RPID is the domain that the passkey works on.
	RPID string `gorm:"column:rp_id"`
	// CredentialID is the authenticator's name for the passkey. PublicKey verifies its signatures; it is a COSE key.
	CredentialID, PublicKey []byte
	// Flags are the flags in the authenticator data at the last use. SignCount is the highest count of uses.
	Flags     uint8
	SignCount uint32
	// CloneWarning means that a sign-in had a count that was used before, so a copy of the passkey may exist.
	CloneWarning bool
	CreatedAt    time.Time
	LastUsedAt   *time.Time
}

func (Passkey) TableName() string { return "passkeys" }

// Challenge is a challenge that an authenticator has signed. Waft accepts only one response to it.
type Challenge struct {
	// Hash is the SHA-256 of the challenge.
	Hash []byte
	// Expires is the time after which Waft no longer accepts a response to the challenge.
	Expires time.Time
}

// PasskeyLogin is a verified response of an authenticator.
type PasskeyLogin struct {
	// Passkey is the passkey that verified the response, as stored at that time.
	Passkey   Passkey
	Challenge Challenge
	// Flags and SignCount are copied from the response.
	Flags     uint8
	SignCount uint32
	// Cloned means that SignCount is lower than it should be.
	Cloned bool
}

// LoginWays are the ways to sign in that an installation offers.
type LoginWays struct {
	// SSOOnly disables passwords and passkeys.
	SSOOnly bool
	// Domain is the domain that passkeys work on, "" if passkeys are not possible.
	Domain string
	// Issuers are the identity providers.
	Issuers []string
}

// PasskeyRefused is the message for every failed sign-in with a passkey. It does not contain the reason, because a reason would help
// an attacker to guess.
const PasskeyRefused = "the passkey is not valid here; sign in another way"

// ValidatePasskeyName accepts the name of a passkey.
func ValidatePasskeyName(name string) error {
	var p Problems
	checkName(&p, "name", name)
	return p.Err()
}
