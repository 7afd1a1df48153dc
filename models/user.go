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
	// Email is as the person wrote it; EmailKey is what accounts are found and compared by.
	Email, EmailKey string
	Name            string
	// PasswordHash is a PHC string of Argon2id, or "" for an account without a password.
	PasswordHash string
	// IsOwner says that the user is an admin of every project.
	IsOwner bool
	// EmailVerified says that the person has proved the address, or that the operator vouches for it. Other accounts belong to
	// HomeProjectID alone.
	EmailVerified bool
	// HomeProjectID is the project whose invitation made the account, nil for an account that was verified from the start.
	HomeProjectID *int64
	// Handle names the user to authenticators. It says nothing about the person.
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

// EmailKey is the form of an e-mail address that accounts are compared by: two addresses that look the
// same, in any case and any Unicode form, are one.
func EmailKey(email string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.TrimSpace(email)))
	return norm.NFKC.String(folded) // folding may leave the normal form
}

// checkEmail accepts a bare address.
func checkEmail(p *Problems, field, v string) {
	v = strings.TrimSpace(v)
	if v == "" {
		p.Add(field, "is required")
		return
	}
	parsed, err := mail.ParseAddress(v)
	if err != nil || parsed.Address != v || parsed.Name != "" || !IsText(v) || strings.ContainsAny(v, "\r\n") {
		p.Add(field, "must be an e-mail address such as jo@example.com")
	} else if len(v) > maxEmailBytes || len(EmailKey(v)) > 2*maxEmailBytes {
		p.Add(field, "must be at most %d bytes", maxEmailBytes)
	}
}

// CheckPassword accepts a new password. What may be in it is not restricted, as NIST SP 800-63B advises.
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

// NewUser is an account to make.
type NewUser struct {
	Email, Name string
	// PasswordHash is "" for an account without a password.
	PasswordHash string
	IsOwner      bool
	// EmailVerified and HomeProjectID are those of User.
	EmailVerified bool
	HomeProjectID *int64
}

// Validate reports every bad field.
func (n NewUser) Validate() error {
	var p Problems
	checkEmail(&p, "email", n.Email)
	checkName(&p, "name", n.Name)
	return p.Err()
}

// User is the account, made at the given time.
func (n NewUser) User(at time.Time) User {
	handle := make([]byte, userHandleBytes)
	rand.Read(handle) // never fails: crypto/rand ends the process instead
	email := strings.TrimSpace(n.Email)
	return User{
		Email: email, EmailKey: EmailKey(email), Name: strings.TrimSpace(n.Name), PasswordHash: n.PasswordHash,
		IsOwner: n.IsOwner, EmailVerified: n.EmailVerified, HomeProjectID: n.HomeProjectID, Handle: handle, CreatedAt: at,
	}
}

// Admission is how an invitation is accepted.
type Admission string

const (
	// AdmitNew makes an account.
	AdmitNew Admission = "new"
	// AdmitAccount takes the account's session or password.
	AdmitAccount Admission = "account"
	// AdmitClaim gives the account to the holder of the link, who has the address: what was set before may be a stranger's.
	AdmitClaim Admission = "claim"
)

var errUnverifiedElsewhere = Errorf(CodeForbidden,
	"the address has an account that another project made and nobody has verified: prove the address by mail or with an identity "+
		"provider, or have the operator run `waftd reset-password`")

// Admit returns how the account of an invited address accepts the invitation. An account whose address is not verified may be a
// stranger's: it accepts invitations of its own project only.
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

// Credentials are an e-mail address and a password, as a person types them.
type Credentials struct{ Email, Password string }

// Validate bounds what is compared. It does not say whether such an account may exist.
func (c Credentials) Validate() error {
	var p Problems
	checkRequiredText(&p, "email", c.Email, 2*maxEmailBytes)
	if c.Password == "" {
		p.Add("password", "is required")
	}
	checkText(&p, "password", c.Password, maxPasswordBytes)
	return p.Err()
}
