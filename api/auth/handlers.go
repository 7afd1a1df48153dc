// Package auth has the endpoints by which people log in and look after their accounts, and by which a project gets members.
package auth

import (
	"log/slog"
	"time"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/identity/passkey"
)

// Handlers handle what people do with their accounts, and who is a member of a project.
type Handlers struct {
	People            People
	Members           Members
	Sessions          access.Sessions
	Networks          KnownNetworks
	Passkeys          Passkeys
	Passwords         Passwords
	IdentityProviders IdentityProviders
	Publishers        Publishers
	IDTokens          IDTokens
	// BaseURL is the URL that browsers reach this API at, without a slash at its end.
	BaseURL string
	// RelyingParty registers and verifies passkeys; nil when there can be none.
	RelyingParty *passkey.RelyingParty
	// SSOOnly turns passwords and passkeys off.
	SSOOnly bool
	// ByMail says that Waft mails links to the addresses that they are for. Otherwise the callers hand them over.
	ByMail bool
	Gate   *access.Gate
	Limits *limit.Set
	Log    *slog.Logger
	Now    func() time.Time

	logins *loginGuard
	// forgotten delays requests for mails as logins delays logins. It is apart, so that neither delays the other.
	forgotten *loginGuard
	attacks   *attackLog
}

// Open gives the handlers what the API shares, before they serve. The error names what is missing.
func (h *Handlers) Open(shared access.Shared) error {
	h.Gate, h.Limits, h.Log, h.Now = shared.Gate, shared.Limits, shared.Log, shared.Now
	if err := rest.Complete("auth", *h); err != nil {
		return err
	}
	h.logins = newLoginGuard("logins", "too many failed logins; wait before the next one", h.Limits, h.Networks, h.Now)
	h.forgotten = newLoginGuard("password_requests", "too many requests for a new password; wait before the next one",
		h.Limits, h.Networks, h.Now)
	h.attacks = newAttackLog(h.Log, h.Now)
	return nil
}
