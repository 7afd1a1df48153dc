package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// passkeyURL is the public URL of servers in tests of passkeys.
const passkeyURL = "https://ota.example.com"

var passkeyParty = virtualwebauthn.RelyingParty{ID: "ota.example.com", Name: "Waft", Origin: passkeyURL}

// authenticator is a virtual authenticator that has one passkey. Its browser is on the page of party.
type authenticator struct {
	virtualwebauthn.Authenticator
	credential virtualwebauthn.Credential
	party      virtualwebauthn.RelyingParty
}

func newAuthenticator() *authenticator {
	a := &authenticator{Authenticator: virtualwebauthn.NewAuthenticator(), party: passkeyParty}
	const encodedKey = 77 // bytes; the library omits the leading zeros of a coordinate
	for a.credential.Key == nil || len(a.credential.Key.AttestationData()) != encodedKey {
		a.credential = virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
	}
	return a
}

// begun is the state that a browser keeps after it has begun a registration or sign-in.
type begun struct{ options, cookie string }

// begin begins a registration with a session, or a sign-in if session is "".
func (p *tenant) begin(session string) begun {
	p.t.Helper()
	path := "/v1/auth/passkeys/register/begin"
	if session == "" {
		path = "/v1/auth/passkeys/login/begin"
	}
	a := p.do(request{method: http.MethodPost, path: path, session: session}.with("Authorization", ""))
	b := begun{options: string(mustJSON(p.t, a.record(http.StatusOK)))}
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if strings.HasSuffix(cookie.Name, "waft_passkey") {
			b.cookie = cookie.Value
		}
	}
	require.NotEmpty(p.t, b.cookie)
	return b
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

// create returns the authenticator's response to a registration.
func (a *authenticator) create(t *testing.T, b begun) json.RawMessage {
	t.Helper()
	options, err := virtualwebauthn.ParseAttestationOptions(b.options)
	require.NoError(t, err)
	a.Options.UserHandle = []byte(options.UserID)
	return json.RawMessage(virtualwebauthn.CreateAttestationResponse(a.party, a.Authenticator, a.credential, *options))
}

// get returns the authenticator's response to a sign-in.
func (a *authenticator) get(t *testing.T, b begun) json.RawMessage {
	t.Helper()
	options, err := virtualwebauthn.ParseAssertionOptions(b.options)
	require.NoError(t, err)
	return json.RawMessage(virtualwebauthn.CreateAssertionResponse(a.party, a.Authenticator, a.credential, *options))
}

// ofPasskey returns the cookies of a registration or sign-in, under both names: without and with https in
// WAFT_BASE_URL.
func ofPasskey(value string) string {
	return "waft_passkey=" + value + "; __Host-waft_passkey=" + value
}

// finishRegistration returns the request that ends a registration.
func finishRegistration(b begun, session, name string, credential json.RawMessage) request {
	return request{
		method: http.MethodPost, path: "/v1/auth/passkeys/register/finish", session: session,
		body: object{"name": name, "credential": credential},
	}.with("Cookie", ofPasskey(b.cookie)+"; waft_session="+session+"; __Host-waft_session="+session)
}

// finishLogin returns the request that ends a sign-in.
func finishLogin(b begun, credential json.RawMessage) request {
	return request{
		method: http.MethodPost, path: "/v1/auth/passkeys/login/finish", body: object{"credential": credential},
	}.with("Authorization", "").with("Cookie", ofPasskey(b.cookie))
}

// passkey adds a passkey to the person's account, and returns its authenticator and ID.
func (p *tenant) passkey(who human) (*authenticator, int64) {
	p.t.Helper()
	a := newAuthenticator()
	b := p.begin(who.session)
	return a, p.do(finishRegistration(b, who.session, p.marker, a.create(p.t, b))).record(http.StatusCreated).id("id")
}

// logIn signs in with the authenticator's passkey.
func (p *tenant) logIn(a *authenticator) answer {
	p.t.Helper()
	b := p.begin("")
	return p.do(finishLogin(b, a.get(p.t, b)))
}

// servePasskeys serves the API for passkeyURL.
func servePasskeys(t *testing.T, env map[string]string) installation {
	t.Helper()
	env["WAFT_BASE_URL"] = passkeyURL
	return installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
}

// installWithPasskeys creates an installation, with a worker, for passkeyURL.
func installWithPasskeys(t *testing.T) installation {
	t.Helper()
	env := settings(t)
	env["WAFT_BASE_URL"] = passkeyURL
	return installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
}

// ownMethods returns the sign-in methods of the person whose session it is.
func (p *tenant) ownMethods(session string) object {
	p.t.Helper()
	return p.do(request{method: http.MethodGet, path: "/v1/auth/methods/own", session: session}).record(http.StatusOK)
}

// TestPasskeys registers a passkey and signs in with it, without an email address.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	p := servePasskeys(t, settings(t)).tenant(t)
	require.Equal(t, true, p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)["passkeys"])
	who := p.person(models.RoleEditor)
	a := newAuthenticator()
	b := p.begin(who.session)
	options := object{}
	require.NoError(t, json.Unmarshal([]byte(b.options), &options))
	creation := options["publicKey"].(map[string]any)
	require.Equal(t, map[string]any{"id": "ota.example.com", "name": "Waft"}, creation["rp"])
	require.Equal(t, who.email, creation["user"].(map[string]any)["name"])
	require.Equal(t, map[string]any{
		"residentKey": "required", "requireResidentKey": true, "userVerification": "required",
	}, creation["authenticatorSelection"])
	made := p.do(finishRegistration(b, who.session, "Laptop", a.create(t, b))).record(http.StatusCreated)
	require.Equal(t, "Laptop", made["name"])
	require.Equal(t, object{"password": true, "passkeys": true, "oidc": []any{}, "identities": []any{}}, p.ownMethods(who.session))
	require.Equal(t, object{"password": true, "passkeys": false, "oidc": []any{}, "identities": []any{}}, p.ownMethods(p.person(models.RoleViewer).session))
	require.Nil(t, made["lastUsedAt"])

	login := p.begin("")
	options = object{}
	require.NoError(t, json.Unmarshal([]byte(login.options), &options))
	asked := options["publicKey"].(map[string]any)
	require.Equal(t, "required", asked["userVerification"])
	require.NotContains(t, asked, "allowCredentials", "the options must not name an account")
	a.credential.Counter = 7
	answered := p.do(finishLogin(login, a.get(t, login)))
	require.Equal(t, who.email, answered.record(http.StatusOK)["user"].(map[string]any)["email"])
	session := answered.session()
	require.NotEqual(t, who.session, session)
	require.Equal(t, http.StatusOK, p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: session}).status)
	sessions := p.do(request{method: http.MethodGet, path: "/v1/auth/sessions", session: session}).list()
	require.Equal(t, "passkey", sessions[0]["method"])

	own := path("/v1/auth/passkeys/%d", made.id("id"))
	renamed := p.do(request{method: http.MethodPatch, path: own, session: session, body: object{"name": "Work"}}).record(200)
	require.Equal(t, "Work", renamed["name"])
	list := p.do(request{method: http.MethodGet, path: "/v1/auth/passkeys", session: session}).list()
	require.Len(t, list, 1)
	require.Equal(t, "Work", list[0]["name"])
	require.NotNil(t, list[0]["lastUsedAt"])
	require.Equal(t, false, list[0]["cloneWarning"])

	// The browser does not register the same passkey again.
	again := p.begin(session)
	excluded, err := virtualwebauthn.ParseAttestationOptions(again.options)
	require.NoError(t, err)
	require.True(t, a.credential.IsExcludedForAttestation(*excluded))
	p.do(finishRegistration(again, session, "twice", a.create(t, again))).problem(http.StatusConflict, models.CodeAlreadyExists)

	require.Equal(t, http.StatusNoContent, p.do(request{method: http.MethodDelete, path: own, session: session}).status)
	p.logIn(a).problem(http.StatusUnauthorized, models.CodeUnauthenticated)
	require.Subset(t, p.actions(), []string{
		"user.passkey_added", "user.passkey_updated", "user.passkey_removed", "session.created",
	})
	var methods []any
	for _, e := range p.do(request{method: http.MethodGet, path: "/v1/ota/audit-log?action=session.created"}).list() {
		methods = append(methods, e["details"].(map[string]any)["method"])
	}
	require.Contains(t, methods, "passkey")
}

// TestPasskeysNeedAPublicURL checks that passkeys are off without a public URL, and if only providers may sign people
// in.
func TestPasskeysNeedAPublicURL(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]map[string]string{
		"no URL": {},
		"SSO only": {
			"WAFT_BASE_URL": passkeyURL, "WAFT_SSO_ONLY": "true",
			"WAFT_OIDC_PROVIDERS": `[{"id":"idp","name":"IdP","issuer":"https://idp.example.com","clientId":"c"}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := settings(t)
			for variable, value := range change {
				env[variable] = value
			}
			p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
			methods := p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)
			require.Equal(t, false, methods["passkeys"])
			session := p.owner().session
			credential := object{"credential": object{}}
			for path, body := range map[string]object{
				"/v1/auth/passkeys/login/begin": nil, "/v1/auth/passkeys/login/finish": credential,
				"/v1/auth/passkeys/register/begin": nil, "/v1/auth/passkeys/register/finish": {"name": "x", "credential": object{}},
			} {
				call := request{method: http.MethodPost, path: path, session: session}.with("Authorization", "")
				if body != nil {
					call.body = body
				}
				require.Contains(t, p.do(call).problem(http.StatusForbidden, models.CodeForbidden)["detail"], "passkeys are off on this server")
			}
		})
	}
}
