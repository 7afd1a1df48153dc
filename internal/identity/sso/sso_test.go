package sso

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const callback = "https://ota.example.com/v1/auth/oidc/idp/callback"

// issuer is a provider with any responses.
type issuer struct {
	*httptest.Server
	t        *testing.T
	now      time.Time
	key      *ecdsa.PrivateKey
	kid      string
	keyReads atomic.Int64
	// change adapts the claims of tokens.
	change func(claims map[string]any)
	// signer replaces the key that signs.
	signer *ecdsa.PrivateKey
	asked  url.Values
	flow   Flow
	status int
	// hostile replaces the token endpoint.
	hostile http.HandlerFunc
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t, now: time.Now().Truncate(time.Second), change: func(map[string]any) {}, status: 200}
	i.rotate("first")
	mux := http.NewServeMux()
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	answer := func(w http.ResponseWriter, status int, v any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		require.NoError(t, json.NewEncoder(w).Encode(v))
	}
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 200, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.keyReads.Add(1)
		answer(w, 200, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: i.kid, Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if i.hostile != nil {
			i.hostile(w, r)
			return
		}
		require.NoError(t, r.ParseForm())
		i.asked = r.PostForm
		if i.status != 200 {
			answer(w, i.status, map[string]any{"error": "invalid_grant"})
			return
		}
		answer(w, 200, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": i.token()})
	})
	return i
}

func (i *issuer) rotate(kid string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(i.t, err)
	i.key, i.kid = key, kid
}

func (i *issuer) token() string {
	claims := map[string]any{
		"iss": i.URL, "sub": "subject-1", "aud": "waft", "nonce": i.flow.Nonce, "iat": i.now.Unix(), "exp": i.now.Add(5 * time.Minute).Unix(),
		"email": "jo@example.com", "email_verified": true, "name": "Jo Doe", "groups": []string{"mobile", "everybody"},
	}
	i.change(claims)
	key := i.key
	if i.signer != nil {
		key = i.signer
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", i.kid))
	require.NoError(i.t, err)
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(i.t, err)
	return text
}

func (i *issuer) provider() Provider {
	return Provider{ID: "idp", Name: "IdP", Issuer: i.URL, ClientID: "waft", ClientSecret: "secret", Roles: []Role{
		{Group: "mobile", Project: "demo", Role: models.RoleEditor}, {Group: "everybody", Project: "demo", Role: models.RoleViewer},
		{Group: "leads", Project: "demo", Role: models.RoleAdmin}, {Group: "platform", Owner: true},
	}}
}

// clients returns the clients of an installation whose clock shows the issuer's time.
func (i *issuer) clients() *Clients {
	return New([]Provider{i.provider()}, func() time.Time { return i.now })
}

// login begins a login and comes back with the right state.
func (i *issuer) login(c *Clients) (Person, error) {
	i.t.Helper()
	_, flow, err := c.Begin(i.t.Context(), "idp", callback)
	require.NoError(i.t, err)
	i.flow = flow
	return c.Finish(i.t.Context(), flow, flow.State, "", "code", callback)
}

func TestALoginHasStateNonceAndPKCE(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	c := i.clients()
	authURL, flow, err := c.Begin(t.Context(), "idp", callback)
	require.NoError(t, err)
	u, err := url.Parse(authURL)
	require.NoError(t, err)
	query := u.Query()
	require.Equal(t, i.URL+"/authorize", u.Scheme+"://"+u.Host+u.Path)
	require.Equal(t, "code", query.Get("response_type"))
	require.Equal(t, "S256", query.Get("code_challenge_method"))
	require.NotEmpty(t, query.Get("code_challenge"))
	require.Equal(t, flow.State, query.Get("state"))
	require.Equal(t, flow.Nonce, query.Get("nonce"))
	require.Equal(t, callback, query.Get("redirect_uri"))
	require.NotContains(t, authURL, flow.Verifier)
	_, other, err := c.Begin(t.Context(), "idp", callback)
	require.NoError(t, err)
	require.NotEqual(t, flow, other)

	i.flow = flow
	p, err := c.Finish(t.Context(), flow, flow.State, i.URL, "code", callback)
	require.NoError(t, err)
	require.Equal(t, flow.Verifier, i.asked.Get("code_verifier"))
	require.Equal(t, Person{
		Issuer: i.URL, Subject: "subject-1", Email: "jo@example.com", Name: "Jo Doe", EmailVerified: true,
		Grants: models.GroupGrants{Managed: true, OwnerManaged: true, Projects: map[string]models.Role{"demo": models.RoleEditor}},
	}, p)
	_, _, err = c.Begin(t.Context(), "nowhere", callback)
	require.Equal(t, models.CodeNotFound, models.CodeOf(err))
}

// Each of these would be a login of somebody else, or of nobody.
func TestAnswersThatAreNotOfTheLogin(t *testing.T) {
	t.Parallel()
	claim := func(name string, value any) func(i *issuer) {
		return func(i *issuer) { i.change = func(claims map[string]any) { claims[name] = value } }
	}
	at := func(name string, offset time.Duration) func(i *issuer) {
		return func(i *issuer) {
			i.change = func(claims map[string]any) { claims[name] = i.now.Add(offset).Unix() }
		}
	}
	for name, change := range map[string]func(i *issuer){
		"another nonce":            claim("nonce", "other"),
		"no nonce":                 claim("nonce", ""),
		"another audience":         claim("aud", "another-client"),
		"another issuer":           claim("iss", "https://evil.example"),
		"another authorised party": claim("azp", "another-client"),
		"no subject":               claim("sub", ""),
		"expired":                  at("exp", -2*time.Minute),
		"issued long ago":          at("iat", -11*time.Minute),
		"issued in the future":     at("iat", 2*time.Minute),
		"not signed by the issuer": func(i *issuer) { i.signer, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader) },
		"a code that was used":     func(i *issuer) { i.status = 400 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			change(i)
			_, err := i.login(i.clients())
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), "%v", err)
		})
	}
	t.Run("another state", func(t *testing.T) {
		t.Parallel()
		i := newIssuer(t)
		c := i.clients()
		_, flow, err := c.Begin(t.Context(), "idp", callback)
		require.NoError(t, err)
		for _, state := range []string{"", "other", flow.Nonce} {
			_, err = c.Finish(t.Context(), flow, state, "", "code", callback)
			require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err))
		}
		_, err = c.Finish(t.Context(), Flow{Provider: "idp"}, "", "", "code", callback)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), "no state is not the same as none")
		_, err = c.Finish(t.Context(), flow, flow.State, "https://evil.example", "code", callback)
		require.Equal(t, models.CodeUnauthenticated, models.CodeOf(err), "RFC 9207")
		require.Nil(t, i.asked, "no code was exchanged")
	})
}

func TestClocksMayDifferALittle(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-50 * time.Second, 50 * time.Second} {
		i := newIssuer(t)
		own := i.now.Add(skew)
		i.change = func(claims map[string]any) { claims["exp"] = i.now.Unix() + 1 }
		_, err := i.login(New([]Provider{i.provider()}, func() time.Time { return own }))
		require.NoError(t, err, skew)
	}
}

// A provider can rotate its keys without a change in Waft. Waft keeps keys as long as they are used.
func TestRotatedKeysAreFetched(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	c := i.clients()
	for range 3 {
		_, err := i.login(c)
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, i.keyReads.Load())
	i.rotate("second")
	_, err := i.login(c)
	require.NoError(t, err)
	require.EqualValues(t, 2, i.keyReads.Load())
}

func TestAProviderThatIsAway(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	c := i.clients()
	_, flow, err := c.Begin(t.Context(), "idp", callback)
	require.NoError(t, err)
	i.Close()
	_, err = c.Finish(t.Context(), flow, flow.State, "", "code", callback)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	_, _, err = i.clients().Begin(t.Context(), "idp", callback)
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
}

// A flood of beginning sign-ins sends one request to a slow provider.
func TestLoginsThatBeginTogetherAskTheProviderOnce(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan bool, 10), make(chan bool)
	i := &issuer{t: t, now: time.Now()}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked <- true
		<-answer
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(i.Close)
	c, ended := i.clients(), make(chan error, 10)
	begin := func() {
		_, _, err := c.Begin(t.Context(), "idp", callback)
		ended <- err
	}
	go begin()
	<-asked
	for range cap(ended) - 1 {
		go begin()
	}
	quiet, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	select {
	case <-asked:
		require.Fail(t, "the provider was asked again while it had not answered")
	case <-quiet.Done():
	}
	close(answer)
	for range cap(ended) {
		require.Equal(t, models.CodeUnavailable, models.CodeOf(<-ended))
	}
}

func TestParseProviders(t *testing.T) {
	t.Parallel()
	providers, err := ParseProviders("")
	require.NoError(t, err)
	require.Empty(t, providers)
	good := map[string]any{
		"id": "okta", "name": "Okta", "issuer": "https://acme.okta.com", "clientId": "c", "clientSecret": "s",
		"roles": []any{map[string]any{"group": "a", "project": "demo", "role": "editor"}, map[string]any{"group": "b", "owner": true}},
	}
	parse := func(changes map[string]any) error {
		provider := maps.Clone(good)
		maps.Copy(provider, changes)
		text, err := json.Marshal([]any{provider})
		require.NoError(t, err)
		_, err = ParseProviders(string(text))
		return err
	}
	require.NoError(t, parse(nil))
	for field, value := range map[string]any{
		"id": "No Id", "issuer": "http://acme.okta.com", "name": "", "clientId": "", "unknown": 1,
	} {
		require.ErrorContains(t, parse(map[string]any{field: value}), field)
	}
	for says, role := range map[string]map[string]any{
		"roles[0].group": {"project": "demo", "role": "editor"},
		"roles[0].role":  {"group": "a", "project": "demo", "role": "king"},
		"roles[0] must":  {"group": "a", "project": "demo", "role": "editor", "owner": true},
	} {
		require.ErrorContains(t, parse(map[string]any{"roles": []any{role}}), says)
	}
	_, err = ParseProviders("{")
	require.ErrorContains(t, err, "JSON")
}
