// Package auth implements the endpoints for signing in, for people's own accounts, and for the members of a project.
package auth

import (
	"log/slog"
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// Handlers handle people's accounts and the membership of projects.
type Handlers struct {
	People            People
	Positions         Positions
	Members           Members
	Sessions          access.Sessions
	Networks          KnownNetworks
	Terminals         Terminals
	Passkeys          Passkeys
	Passwords         Passwords
	IdentityProviders IdentityProviders
	Publishers        Publishers
	IDTokens          IDTokens
	// BaseURL is the URL of this API for browsers, without a slash at its end.
	BaseURL string
	// RelyingParty registers and verifies passkeys. It is nil if passkeys are unavailable.
	RelyingParty *passkey.RelyingParty
	// SSOOnly turns passwords and passkeys off.
	SSOOnly bool
	// ByMail reports whether Waft mails links to their addressees. Otherwise the caller passes the links on.
	ByMail bool
	Gate   *access.Gate
	Limits *limit.Set
	Log    *slog.Logger
	Now    func() time.Time

	logins *loginGuard
	// forgotten delays requests for mails as logins delays sign-ins. The two are separate so that neither delays the
	// other.
	forgotten *loginGuard
	// codes delays networks that send wrong codes of terminals.
	codes   *loginGuard
	attacks *attackLog
}

// Open passes in what the handlers share with the rest of the API. It returns an error that names missing
// dependencies.
func (h *Handlers) Open(shared access.Shared) error {
	h.Gate, h.Limits, h.Log, h.Now = shared.Gate, shared.Limits, shared.Log, shared.Now
	if err := rest.Complete("auth", *h); err != nil {
		return err
	}
	h.logins = newLoginGuard("logins", "too many failed sign-ins; wait before you try again", h.Limits, h.Networks, h.Now)
	h.forgotten = newLoginGuard("password_requests", "too many requests for a new password; wait before you try again",
		h.Limits, h.Networks, h.Now)
	h.codes = newLoginGuard("terminal_codes", "too many wrong codes of terminals; wait before you try again", h.Limits, h.Networks, h.Now)
	h.attacks = newAttackLog(h.Log, h.Now)
	return nil
}
