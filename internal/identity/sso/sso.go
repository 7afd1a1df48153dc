// Package sso signs people in with OpenID Connect providers: the code flow with PKCE, state and nonce.
package sso

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/models"
)

const (
	// timeout bounds each request to a provider.
	timeout = 10 * time.Second
	// maxAnswer is the maximum number of bytes of a response that are read.
	maxAnswer = 1 << 20
	// leeway is the maximum error of a provider's clock.
	leeway = time.Minute
	// maxTokenAge is the maximum age of an ID token, which the provider issues at the end of the sign-in.
	maxTokenAge = 10 * time.Minute
)

// Provider is the configuration of one provider.
type Provider struct {
	// ID names the provider in paths.
	ID string `json:"id"`
	// Name is for people.
	Name         string `json:"name"`
	Issuer       string `json:"issuer"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	// Scopes are requested in addition to openid, email and profile.
	Scopes []string `json:"scopes"`
	// GroupsClaim is the claim with a person's groups; "groups" when it is empty.
	GroupsClaim string `json:"groupsClaim"`
	// Roles are the roles that groups give.
	Roles []Role `json:"roles"`
	// TrustEmail takes addresses as verified of a provider that does not say so.
	TrustEmail bool `json:"trustEmail"`
}

// Role gives the members of a group a role in a project, or makes them owners of the installation.
type Role struct {
	Group   string      `json:"group"`
	Project string      `json:"project"`
	Role    models.Role `json:"role"`
	Owner   bool        `json:"owner"`
}

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// ParseProviders parses a JSON array of providers; "" means an empty list. The error names every invalid field.
func ParseProviders(text string) ([]Provider, error) {
	if text == "" {
		return nil, nil
	}
	var providers []Provider
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&providers); err != nil {
		return nil, fmt.Errorf("must be a JSON array of providers: %w", err)
	}
	var errs []error
	seen := map[string]bool{}
	for i, p := range providers {
		check := func(ok bool, field, want string) {
			if !ok {
				errs = append(errs, fmt.Errorf("[%d].%s %s", i, field, want))
			}
		}
		issuer, err := url.Parse(p.Issuer)
		check(idPattern.MatchString(p.ID) && !seen[p.ID], "id", "must be lower-case letters, digits and hyphens, and of one provider")
		check(err == nil && issuer.Host != "" && (issuer.Scheme == "https" || isLoopback(issuer)), "issuer", "must be an https URL")
		check(p.Name != "", "name", "is required")
		check(p.ClientID != "", "clientId", "is required")
		for j, r := range p.Roles {
			field := fmt.Sprintf("roles[%d]", j)
			check(r.Group != "", field+".group", "is required")
			check(r.Owner != (r.Project != ""), field, "must have either owner or a project with a role")
			check(r.Owner || slices.Contains([]models.Role{models.RoleViewer, models.RoleEditor, models.RoleAdmin}, r.Role),
				field+".role", "must be viewer, editor or admin")
		}
		seen[p.ID] = true
	}
	return providers, errors.Join(errs...)
}

// isLoopback reports whether the provider is on this machine, as in tests.
func isLoopback(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && address.IsLoopback())
}

// Flow is a login that has begun. The browser keeps it, encrypted, until the provider sends it back.
type Flow struct {
	Provider, State, Nonce, Verifier string
}

// Person is a person who has signed in at a provider.
type Person struct {
	Issuer, Subject, Email, Name string
	EmailVerified                bool
	Grants                       models.GroupGrants
}

// Clients are the providers of an installation. They are safe for concurrent use.
type Clients struct {
	providers []Provider
	now       func() time.Time
	http      *http.Client

	// discovering makes logins that begin together share one request for a provider's document.
	discovering singleflight.Group

	mu sync.Mutex
	// found are providers whose documents were read, by id.
	found map[string]*oidc.Provider
}

// New returns the clients. Providers are asked for their documents at the first login.
func New(providers []Provider, now func() time.Time) *Clients {
	return &Clients{
		providers: providers, now: now, found: map[string]*oidc.Provider{},
		http: &http.Client{
			Timeout: timeout, Transport: outbound.BodyLimit{Inner: http.DefaultTransport, Bytes: maxAnswer},
			// A redirect of the token endpoint would send the client's secret and the code to wherever it leads.
			CheckRedirect: outbound.NoRedirect,
		},
	}
}

// Providers lists them in the order of the configuration.
func (c *Clients) Providers() []Provider { return c.providers }

// Begin returns the URL to send the browser to.
func (c *Clients) Begin(ctx context.Context, id, redirectURL string) (authURL string, flow Flow, err error) {
	config, _, err := c.config(ctx, id, redirectURL)
	if err != nil {
		return "", flow, err
	}
	flow = Flow{Provider: id, State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier()}
	return config.AuthCodeURL(flow.State, oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier)), flow, nil
}

// errRefused returns the error for an invalid sign-in. Its message does not depend on the cause, so that an attacker does not learn
// anything; the cause is only for the log.
func errRefused(cause error) error {
	return &models.Error{
		Code: models.CodeUnauthenticated, Message: "the identity provider's response is not valid for this sign-in; begin again", Cause: cause,
	}
}

// Finish takes what the provider sent the browser back with: it checks the state, exchanges the code and verifies the token.
func (c *Clients) Finish(ctx context.Context, flow Flow, state, issuer, code, redirectURL string) (Person, error) {
	if flow.State == "" || subtle.ConstantTimeCompare([]byte(flow.State), []byte(state)) != 1 {
		return Person{}, errRefused(errors.New("the state does not belong to the sign-in"))
	}
	config, provider, err := c.config(ctx, flow.Provider, redirectURL)
	if err != nil {
		return Person{}, err
	}
	own := c.provider(flow.Provider)
	if issuer != "" && issuer != own.Issuer { // RFC 9207
		return Person{}, errRefused(errors.New("the response comes from another issuer"))
	}
	token, err := config.Exchange(oidc.ClientContext(ctx, c.http), code, oauth2.VerifierOption(flow.Verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode < http.StatusInternalServerError {
		return Person{}, errRefused(fmt.Errorf("the provider refused the code: %s", refused.ErrorCode))
	}
	if err != nil {
		return Person{}, models.Unavailable("the identity provider", err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: own.ClientID, Now: func() time.Time { return c.now().Add(-leeway) }}).
		Verify(oidc.ClientContext(ctx, c.http), raw)
	if err != nil {
		return Person{}, errRefused(err)
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(flow.Nonce)) != 1 {
		return Person{}, errRefused(errors.New("the nonce does not belong to the sign-in"))
	}
	if age := c.now().Sub(verified.IssuedAt); age > maxTokenAge || age < -leeway {
		return Person{}, errRefused(fmt.Errorf("the token was issued %v ago", age))
	}
	var claims map[string]any
	if err := verified.Claims(&claims); err != nil || verified.Subject == "" {
		return Person{}, errRefused(errors.Join(err, errors.New("the token has no subject")))
	}
	// With the code flow a provider may leave everything but the subject to its user info.
	if (claims["email"] == nil || len(own.Roles) > 0 && claims[own.groupsClaim()] == nil) && provider.UserInfoEndpoint() != "" {
		info, err := provider.UserInfo(oidc.ClientContext(ctx, c.http), oauth2.StaticTokenSource(token))
		if err != nil {
			return Person{}, models.Unavailable("the identity provider", err)
		}
		if info.Subject != verified.Subject {
			return Person{}, errRefused(errors.New("the user info is of another person"))
		}
		if err := info.Claims(&claims); err != nil {
			return Person{}, errRefused(err)
		}
	}
	return own.person(verified, claims)
}

func (p Provider) person(token *oidc.IDToken, claims map[string]any) (Person, error) {
	text := func(name string) string { v, _ := claims[name].(string); return v }
	// Some providers write booleans as texts.
	verified := p.TrustEmail || claims["email_verified"] == true || claims["email_verified"] == "true"
	if azp := text("azp"); azp != "" && azp != p.ClientID {
		return Person{}, errRefused(errors.New("the token is of another client"))
	}
	var groups []string
	list, _ := claims[p.groupsClaim()].([]any)
	for _, g := range list {
		if name, ok := g.(string); ok {
			groups = append(groups, name)
		}
	}
	rules := make([]models.GroupRole, len(p.Roles))
	for i, r := range p.Roles {
		rules[i] = models.GroupRole(r)
	}
	return Person{
		Issuer: token.Issuer, Subject: token.Subject, Email: text("email"), Name: text("name"), EmailVerified: verified,
		Grants: models.GrantsOf(rules, groups),
	}, nil
}

func (p Provider) groupsClaim() string { return cmp.Or(p.GroupsClaim, "groups") }

func (c *Clients) provider(id string) *Provider {
	for i := range c.providers {
		if c.providers[i].ID == id {
			return &c.providers[i]
		}
	}
	return nil
}

// config returns the OAuth 2.0 client of a provider, whose document is read at the first use.
func (c *Clients) config(ctx context.Context, id, redirectURL string) (*oauth2.Config, *oidc.Provider, error) {
	own := c.provider(id)
	if own == nil {
		return nil, nil, models.Errorf(models.CodeNotFound, "identity provider %q is not configured on this server", id)
	}
	c.mu.Lock()
	found := c.found[id]
	c.mu.Unlock()
	if found == nil {
		// Not of the request: the provider keeps the context for its keys.
		kept := oidc.ClientContext(context.WithoutCancel(ctx), c.http)
		discovered, err, _ := c.discovering.Do(id, func() (any, error) { return oidc.NewProvider(kept, own.Issuer) })
		if err != nil {
			return nil, nil, models.Unavailable("the identity provider", err)
		}
		found = discovered.(*oidc.Provider)
		c.mu.Lock()
		c.found[id] = found
		c.mu.Unlock()
	}
	return &oauth2.Config{
		ClientID: own.ClientID, ClientSecret: own.ClientSecret, Endpoint: found.Endpoint(), RedirectURL: redirectURL,
		Scopes: append([]string{oidc.ScopeOpenID, "email", "profile"}, own.Scopes...),
	}, found, nil
}
