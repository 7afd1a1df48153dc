package auth

import (
	"context"
	"slices"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var ownMethodsDoc = rest.Doc(tagSignIn, "getOwnLoginMethods", "List your sign-in methods",
	"Returns the installation's sign-in methods that your account can use. Offer these when a call fails with "+
		"reauthentication_required.")

// OwnLoginMethods lists the methods with which the person of a session can sign in again.
type OwnLoginMethods struct {
	Password bool               `json:"password" doc:"Whether the account has a password."`
	Passkeys bool               `json:"passkeys" doc:"Whether the account has a passkey for the installation's domain."`
	OIDC     []IdentityProvider `json:"oidc" doc:"Identity providers that the account is linked with."`
	// Identities lists every linked identity separately, including identities of providers that are no longer
	// configured.
	Identities []LinkedIdentity `json:"identities" doc:"Linked identities, oldest first."`
}

func (OwnLoginMethods) Example() any {
	return OwnLoginMethods{
		Password: true, Passkeys: true, OIDC: []IdentityProvider{{ID: "okta", Name: "Okta"}}, Identities: []LinkedIdentity{exampleIdentity},
	}
}

func (h *Handlers) ownMethods(ctx context.Context, _ *struct{}) (*rest.Output[OwnLoginMethods], error) {
	u := rest.CallOf(ctx).Caller.Person.User
	own := OwnLoginMethods{Password: !h.SSOOnly && u.PasswordHash != "", OIDC: []IdentityProvider{}}
	if h.passkeysOff() == nil {
		passkeys, err := h.Passkeys.Passkeys(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		domain := h.RelyingParty.ID()
		own.Passkeys = slices.ContainsFunc(passkeys, func(p models.Passkey) bool { return p.RPID == domain })
	}
	identities, err := h.People.Identities(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	own.Identities = rest.Rendered(identities, identityRecord(h.IdentityProviders.Providers()))
	for _, p := range h.IdentityProviders.Providers() {
		if slices.ContainsFunc(identities, func(i models.UserIdentity) bool { return i.Issuer == p.Issuer }) {
			own.OIDC = append(own.OIDC, IdentityProvider{p.ID, p.Name})
		}
	}
	return &rest.Output[OwnLoginMethods]{Body: own}, nil
}
