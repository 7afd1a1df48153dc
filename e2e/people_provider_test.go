package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
	"golang.org/x/text/language"

	"github.com/waft-ota/waft/models"
)

// identityProvider is a real OpenID Connect provider in this process. Its people are in groups.
type identityProvider struct {
	*httptest.Server
	*storage.Storage
	mu     sync.Mutex
	people map[string]*storage.User // by ID, which equals the user name
	groups map[string][]string
}

func (i *identityProvider) ExampleClientID() string { return "service" }

func (i *identityProvider) GetUserByID(id string) *storage.User {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.people[id]
}

func (i *identityProvider) GetUserByUsername(name string) *storage.User { return i.GetUserByID(name) }

// SetUserinfoFromToken adds the groups to the user info.
func (i *identityProvider) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, tokenID, subject, origin string) error {
	err := i.Storage.SetUserinfoFromToken(ctx, info, tokenID, subject, origin)
	i.mu.Lock()
	defer i.mu.Unlock()
	info.AppendClaims("groups", i.groups[subject])
	return err
}

func (i *identityProvider) put(name, email string, verified bool, groups ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.people[name] = &storage.User{
		ID: name, Username: name, Password: "secret", FirstName: name, LastName: "Doe", Email: email, EmailVerified: verified,
	}
	i.groups[name] = groups
}

func newIdentityProvider(t *testing.T, callback func() string) *identityProvider {
	t.Helper()
	i := &identityProvider{people: map[string]*storage.User{}, groups: map[string][]string{}}
	var handler http.Handler
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == loginPath {
			i.serveLogin(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(i.Close)
	i.Storage = storage.NewStorageWithClients(i, map[string]*storage.Client{"waft": storage.WebClient("waft", "secret", callback())})
	provider, err := op.NewProvider(&op.Config{
		CryptoKey: sha256.Sum256([]byte("test")), CodeMethodS256: true, SupportedUILocales: []language.Tag{language.English},
	}, i, op.StaticIssuer(i.URL), op.WithAllowInsecure(), op.WithLogger(slog.New(slog.DiscardHandler)))
	require.NoError(t, err)
	handler = provider
	return i
}

// browser is a browser that does not follow redirects automatically.
type browser struct {
	t        *testing.T
	client   *http.Client
	base     string
	provider string // its ID in Waft
}

func newBrowser(t *testing.T, base string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, base: base, provider: "zitadel", client: &http.Client{
		Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (v *browser) get(address string) (status int, location, body string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, address, nil)
	require.NoError(v.t, err)
	res, err := v.client.Do(req)
	require.NoError(v.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(v.t, err)
	return res.StatusCode, res.Header.Get("Location"), string(text)
}

// session returns the token of the browser's session, or "".
func (v *browser) session() string {
	at, err := url.Parse(v.base)
	require.NoError(v.t, err)
	for _, cookie := range v.client.Jar.Cookies(at) {
		if slices.Contains(sessionCookies, cookie.Name) {
			return cookie.Value
		}
	}
	return ""
}

// returning signs in at the provider, and returns the URL to which the provider sends the browser back.
func (v *browser) returning(i *identityProvider, name, query string) string {
	v.t.Helper()
	status, authorize, body := v.get(v.base + "/v1/auth/oidc/" + v.provider + query)
	require.Equal(v.t, http.StatusSeeOther, status, body)
	return v.returned(i, name, authorize)
}

// returned signs in on the provider's page, and returns the URL to which the provider sends the browser back.
func (v *browser) returned(i *identityProvider, name, authorize string) string {
	v.t.Helper()
	_, login, body := v.get(authorize)
	_, id, ok := strings.Cut(login, "authRequestID=")
	require.True(v.t, ok, "%s %s", login, body)
	require.NoError(v.t, i.CheckUsernamePassword(name, "secret", id))
	_, back, body := v.get(i.URL + "/authorize/callback?id=" + id)
	require.Contains(v.t, back, "/v1/auth/oidc/"+v.provider+"/callback?", body)
	return back
}

// post sends a JSON body with the browser's cookies.
func (v *browser) post(address, body string) (status int, record object) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, address, strings.NewReader(body))
	require.NoError(v.t, err)
	req.Header.Set("Content-Type", "application/json")
	res, err := v.client.Do(req)
	require.NoError(v.t, err)
	defer res.Body.Close()
	_ = json.NewDecoder(res.Body).Decode(&record)
	return res.StatusCode, record
}

// signedInAs sets the session of the browser.
func (v *browser) signedInAs(session string) {
	v.t.Helper()
	at, err := url.Parse(v.base)
	require.NoError(v.t, err)
	for _, name := range sessionCookies {
		v.client.Jar.SetCookies(at, []*http.Cookie{{Name: name, Value: session}})
	}
}

// linking begins a linking, signs in at the provider, and returns the URL to which the provider sends the browser back.
func (v *browser) linking(i *identityProvider, name string) string {
	v.t.Helper()
	status, begun := v.post(v.base+"/v1/auth/oidc/zitadel/link", `{"returnTo":"/app/demo/settings/sign-in"}`)
	require.Equal(v.t, http.StatusOK, status, begun)
	return v.returned(i, name, begun["url"].(string))
}

// signIn signs in with the provider, and returns the response of the callback.
func (v *browser) signIn(i *identityProvider, name, query string) (status int, location, body string) {
	v.t.Helper()
	return v.get(v.returning(i, name, query))
}

// withProvider starts a server whose people sign in with an identity provider. The provider's groups give them roles.
func withProvider(t *testing.T) (server installation, idp *identityProvider, env map[string]string) {
	t.Helper()
	env = settings(t)
	front := newFront(t)
	env["WAFT_BASE_URL"] = front.URL
	idp = newIdentityProvider(t, func() string { return front.URL + "/v1/auth/oidc/zitadel/callback" })
	providers, err := json.Marshal([]object{{
		"id": "zitadel", "name": "Zitadel", "issuer": idp.URL, "clientId": "waft", "clientSecret": "secret",
		"roles": []object{{"group": "mobile", "project": "grouped", "role": "editor"}, {"group": "platform", "owner": true}},
	}})
	require.NoError(t, err)
	env["WAFT_OIDC_PROVIDERS"] = string(providers)
	front.to(serveAPI(t, env))
	server = installation{url: front.URL, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	return server, idp, env
}

// TestSignInWithAProvider signs people in with a real OpenID Connect provider.
func TestSignInWithAProvider(t *testing.T) {
	t.Parallel()
	server, idp, _ := withProvider(t)
	p := server.tenant(t)
	p.do(request{
		method: http.MethodPost, path: "/v1/ota/projects", key: p.rootKey, project: "-", body: object{"name": "g", "slug": "grouped"},
	}).record(201)
	methods := p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)
	require.Equal(t, []any{map[string]any{"id": "zitadel", "name": "Zitadel"}}, methods["oidc"])
	p.owner()
	me := func(session string) object {
		return p.do(request{method: http.MethodGet, path: "/v1/me", session: session}).record(200)
	}

	t.Run("a group gives a role, and takes it", func(t *testing.T) {
		idp.put("gina", "gina@example.com", true, "mobile")
		v := newBrowser(t, p.url)
		status, location, body := v.signIn(idp, "gina", "?returnTo=/app/grouped/overview")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Equal(t, "/app/grouped/overview", location)
		require.Equal(t, []any{map[string]any{"slug": "grouped", "name": "g", "role": "editor"}}, me(v.session())["projects"])
		first := me(v.session())["user"]
		zitadel := []any{map[string]any{"id": "zitadel", "name": "Zitadel"}}
		own := p.ownMethods(v.session())
		require.Len(t, own["identities"], 1)
		delete(own, "identities")
		require.Equal(t, object{"password": false, "passkeys": false, "oidc": zitadel}, own)

		idp.put("gina", "other@example.com", false, "nothing") // an address may change
		old := v.session()
		status, _, body = v.signIn(idp, "gina", "?returnTo=https://evil.example/")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.NotEqual(t, old, v.session())
		require.Equal(t, first, me(v.session())["user"])
		require.Empty(t, me(v.session())["projects"])
		p.do(request{method: http.MethodGet, path: "/v1/me", session: old}).problem(401, models.CodeUnauthenticated)
	})
	t.Run("a group makes an owner", func(t *testing.T) {
		idp.put("olga", "olga@example.com", true, "platform")
		v := newBrowser(t, p.url)
		status, location, body := v.signIn(idp, "olga", "?returnTo=//evil.example/app/")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Equal(t, "/app/", location, "the server must not redirect to another site")
		require.Equal(t, true, me(v.session())["user"].(map[string]any)["isOwner"])
		require.Equal(t, http.StatusOK, p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: v.session()}).status)
		idp.put("olga", "olga@example.com", true)
		_, _, _ = v.signIn(idp, "olga", "")
		require.Equal(t, false, me(v.session())["user"].(map[string]any)["isOwner"])
		p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: v.session()}).problem(403, models.CodeForbidden)
	})
	t.Run("an invited address", func(t *testing.T) {
		idp.put("ivan", "IVAN@example.com", false)
		p.invite("ivan@example.com", models.RoleViewer)
		v := newBrowser(t, p.url)
		status, _, body := v.signIn(idp, "ivan", "")
		require.Equal(t, http.StatusForbidden, status, "an unverified address may belong to anyone: %s", body)
		idp.put("ivan", "IVAN@example.com", true)
		status, _, body = v.signIn(idp, "ivan", "")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Equal(t, []any{map[string]any{"slug": p.slug, "name": p.marker, "role": "viewer"}}, me(v.session())["projects"])
	})
	t.Run("a stranger", func(t *testing.T) {
		idp.put("zoe", "zoe@example.com", true)
		v := newBrowser(t, p.url)
		status, _, body := v.signIn(idp, "zoe", "")
		require.Equal(t, http.StatusForbidden, status, body)
		require.Empty(t, v.session())
	})
	t.Run("an address does not make an account somebody's", func(t *testing.T) {
		who := p.verifies(p.person(models.RoleAdmin))
		idp.put("mallory", who.email, true, "mobile")
		v := newBrowser(t, p.url)
		status, _, body := v.signIn(idp, "mallory", "")
		require.Equal(t, http.StatusForbidden, status, body)
		require.Empty(t, v.session())

		// The account's owner links the identity, and can then sign in with either.
		v.signedInAs(who.session)
		status, location, body := v.get(v.linking(idp, "mallory"))
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Equal(t, "/app/demo/settings/sign-in", location)
		linked := newBrowser(t, p.url)
		status, _, body = linked.signIn(idp, "mallory", "")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Equal(t, who.email, me(linked.session())["user"].(map[string]any)["email"])

		other := newBrowser(t, p.url)
		other.signedInAs(p.person(models.RoleViewer).session)
		status, _, body = other.get(other.linking(idp, "mallory"))
		require.Equal(t, http.StatusConflict, status, body)
		status, _ = newBrowser(t, p.url).post(p.url+"/v1/auth/oidc/zitadel/link", "{}")
		require.Equal(t, http.StatusUnauthorized, status)
	})
	t.Run("another browser cannot finish a login, nor can it be finished twice", func(t *testing.T) {
		idp.put("finn", "finn@example.com", true, "mobile")
		v := newBrowser(t, p.url)
		back := v.returning(idp, "finn", "")
		thief := newBrowser(t, p.url)
		status, _, _ := thief.get(back)
		require.Equal(t, http.StatusUnauthorized, status)
		require.Empty(t, thief.session())
		status, _, _ = thief.get(strings.Replace(back, "state=", "state=x", 1))
		require.Equal(t, http.StatusUnauthorized, status)
		status, _, body := v.get(back)
		require.Equal(t, http.StatusSeeOther, status, body)
		require.NotEmpty(t, v.session())
		status, _, _ = v.get(back)
		require.Equal(t, http.StatusUnauthorized, status)
	})
	require.Subset(t, p.actions(), []string{"user.identity_linked", "session.created", "invitation.accepted"})
}

// TestOnlyTheProviderSignsIn sets WAFT_SSO_ONLY and checks that passwords are never accepted.
func TestOnlyTheProviderSignsIn(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_SSO_ONLY"] = "true"
	env["WAFT_OIDC_PROVIDERS"] = `[{"id":"idp","name":"IdP","issuer":"https://idp.example.com","clientId":"c","clientSecret":"s"}]`
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := server.tenant(t)
	owner := p.owner() // the setup link works even with WAFT_SSO_ONLY
	methods := p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)
	require.Equal(t, false, methods["password"])
	for path, body := range map[string]object{
		"/v1/auth/login":              {"email": owner.email, "password": goodPassword},
		"/v1/auth/invitations/accept": {"token": p.invite(p.address(), models.RoleViewer), "name": "x", "password": goodPassword},
	} {
		p.do(request{method: http.MethodPost, path: path, body: body}.with("Authorization", "")).problem(403, models.CodeForbidden)
	}
	p.do(request{
		method: http.MethodPost, path: "/v1/auth/password", session: owner.session,
		body: object{"current": goodPassword, "new": goodPassword + "!"},
	}).problem(403, models.CodeForbidden)
}

// front is the public URL for a server whose own address is known only once it runs.
type front struct {
	*httptest.Server
	proxy atomic.Pointer[httputil.ReverseProxy]
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.proxy.Load().ServeHTTP(w, r) }))
	t.Cleanup(f.Close)
	f.URL = strings.Replace(f.URL, "127.0.0.1", "localhost", 1) // the host that the server uses for itself
	return f
}

func (f *front) to(address string) {
	target, _ := url.Parse(address)
	f.proxy.Store(&httputil.ReverseProxy{Transport: &http.Transport{}, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
	}})
}

// frontWithProvider returns a front for a server with an identity provider whose groups have the given roles. It sets
// both in env.
func frontWithProvider(t *testing.T, env map[string]string, roles []object) (*front, *identityProvider) {
	t.Helper()
	f := newFront(t)
	env["WAFT_BASE_URL"] = f.URL
	idp := newIdentityProvider(t, func() string { return f.URL + "/v1/auth/oidc/zitadel/callback" })
	env["WAFT_OIDC_PROVIDERS"] = string(mustJSON(t, []object{{
		"id": "zitadel", "name": "Zitadel", "issuer": idp.URL, "clientId": "waft", "clientSecret": "secret", "roles": roles,
	}}))
	return f, idp
}
