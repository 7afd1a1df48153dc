package api

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/identity/sso"
	"github.com/waft-ota/waft/models"
)

// refusing is an identity provider that refuses every code.
type refusing struct{ asked int }

func (p *refusing) Providers() []sso.Provider { return []sso.Provider{{ID: "okta"}} }

func (p *refusing) Begin(context.Context, string, string) (string, sso.Flow, error) {
	return "https://idp.example/authorize", sso.Flow{Provider: "okta", State: "s"}, nil
}

func (p *refusing) Finish(context.Context, sso.Flow, string, string, string, string) (sso.Person, error) {
	p.asked++
	return sso.Person{}, models.Errorf(models.CodeUnauthenticated, "the identity provider's answer is not valid")
}

// A client with invented codes must wait as after other failed sign-ins, so that the provider is not flooded through
// this server.
func TestInventedCodesDoNotFloodTheProvider(t *testing.T) {
	t.Parallel()
	provider := &refusing{}
	w := newTestAPI(t, func(d *parts) { d.IdentityProviders = provider })
	begun := w.do(request{method: get, path: "/v1/auth/oidc/okta", anonymous: true})
	require.Equal(t, 303, begun.Code)
	finish := request{
		method: get, path: "/v1/auth/oidc/okta/callback?state=s&code=invented", anonymous: true,
		header: map[string]string{"Cookie": "__Host-waft_login=" + cookieOf(t, begun).Value},
	}
	for range 6 {
		w.problem(w.do(finish), 401, models.CodeUnauthenticated)
	}
	for range 10 {
		w.problem(w.do(finish), 429, models.CodeRateLimited)
	}
	require.Equal(t, 6, provider.asked)
}
