package api

import (
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/identity/passkey"
)

// AuthHandlers handle what people do with their accounts, and who is a member of a project.
type AuthHandlers struct {
	People            People
	Members           Members
	Sessions          Sessions
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
	Gate    *Gate
	Limits  *LimitSet
	Log     *slog.Logger
	Now     func() time.Time

	logins *loginGuard
}

// NewAuthHandlers returns the handlers, or an error that names what is missing.
func NewAuthHandlers(h AuthHandlers) (*AuthHandlers, error) {
	if err := complete("auth", h); err != nil {
		return nil, err
	}
	h.logins = newLoginGuard(h.Now)
	return &h, nil
}
