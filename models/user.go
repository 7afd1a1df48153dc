package models

import (
	"crypto/rand"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// User is a person with an account of the installation.
type User struct {
	ID int64
	// Email is the address as the person wrote it. EmailKey is used to find and compare accounts.
	Email, EmailKey string
	Name            string
	// PasswordHash is a PHC string of Argon2id, or "" for an account without a password.
	PasswordHash string
	// IsOwner means that the user is an admin of every project.
	IsOwner bool
	// EmailVerified means that the person has proved ownership of the address, or that the operator has confirmed it. An
	// unverified account belongs only to HomeProjectID.
	EmailVerified bool
	// HomeProjectID is the project whose invitation created the account, nil for an account that was verified from the start.
	HomeProjectID *int64
	// Handle identifies the user to authenticators. It is random, so it does not reveal anything about the person.
	Handle    []byte
	CreatedAt time.Time
}

func (User) TableName() string { return "users" }

const (
	maxEmailBytes    = 254 // RFC 5321
	minPasswordRunes = 12
	maxPasswordBytes = 1024
	userHandleBytes  = 32
)

// EmailKey returns the form of an email address that is used to compare accounts. Two addresses that differ only in case or
// Unicode form have the same key.
func EmailKey(email string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.TrimSpace(email)))
	return norm.NFKC.String(folded) // folding may leave the normal form
}

// checkEmail accepts an address without a display name.
func checkEmail(p *Problems, field, v string) {
	v = strings.TrimSpace(v)
	if v == "" {
		p.Add(field, "is required")
		return
	}
	parsed, err := mail.ParseAddress(v)
	if err != nil || parsed.Address != v || parsed.Name != "" || !IsText(v) || strings.ContainsAny(v, "\r\n") {
		p.Add(field, "must be an email address, such as jo@example.com")
	} else if len(v) > maxEmailBytes || len(EmailKey(v)) > 2*maxEmailBytes {
		p.Add(field, "must be at most %d bytes", maxEmailBytes)
	}
}

// CheckPassword accepts a new password. It checks only the length and the encoding, as NIST SP 800-63B advises.
func CheckPassword(p *Problems, field, v string) {
	switch {
	case v == "":
		p.Add(field, "is required")
	case utf8.RuneCountInString(v) < minPasswordRunes:
		p.Add(field, "must have at least %d characters", minPasswordRunes)
	default:
		checkText(p, field, v, maxPasswordBytes)
	}
}

// NewUser is an account to create.
type NewUser struct {
	Email, Name string
	// PasswordHash is "" for an account without a password.
	PasswordHash string
	IsOwner      bool
	// EmailVerified and HomeProjectID are as in User.
	EmailVerified bool
	HomeProjectID *int64
}

// Validate checks the email address and the name.
func (n NewUser) Validate() error {
	var p Problems
	checkEmail(&p, "email", n.Email)
	checkName(&p, "name", n.Name)
	return p.Err()
}

// User returns the account, created at the given time.
func (n NewUser) User(at time.Time) User {
	handle := make([]byte, userHandleBytes)
	rand.Read(handle) // never fails: crypto/rand ends the process instead
	email := strings.TrimSpace(n.Email)
	return User{
		Email: email, EmailKey: EmailKey(email), Name: strings.TrimSpace(n.Name), PasswordHash: n.PasswordHash,
		IsOwner: n.IsOwner, EmailVerified: n.EmailVerified, HomeProjectID: n.HomeProjectID, Handle: handle, CreatedAt: at,
	}
}

// Admission is the way in which an invitation is accepted.
type Admission string

const (
	// AdmitNew creates an account.
	AdmitNew Admission = "new"
	// AdmitAccount requires a session or the password of the existing account.
	AdmitAccount Admission = "account"
	// AdmitClaim gives the account to the holder of the link, who has proved ownership of the address. The account's previous
	// credentials may belong to a stranger.
	AdmitClaim Admission = "claim"
)

var errUnverifiedElsewhere = Errorf(CodeForbidden,
	"this address has an unverified account that was created for another project; verify the address by email or with an identity "+
		"provider, or ask the operator to run `waftd reset-password`")

// Admit returns the way in which the existing account u of an invited address accepts the invitation. An account with an
// unverified address may belong to a stranger, so it accepts only invitations of its own project.
func (u User) Admit(i Invitation) (Admission, error) {
	switch {
	case u.EmailVerified:
		return AdmitAccount, nil
	case i.ByMail:
		return AdmitClaim, nil
	case u.HomeProjectID != nil && *u.HomeProjectID == i.ProjectID:
		return AdmitAccount, nil
	default:
		return "", errUnverifiedElsewhere
	}
}

// Credentials are an email address and a password, as a person types them.
type Credentials struct{ Email, Password string }

// Validate checks the length of the fields. Its errors do not reveal whether such an account could exist.
func (c Credentials) Validate() error {
	var p Problems
	checkRequiredText(&p, "email", c.Email, 2*maxEmailBytes)
	if c.Password == "" {
		p.Add("password", "is required")
	}
	checkText(&p, "password", c.Password, maxPasswordBytes)
	return p.Err()
}
