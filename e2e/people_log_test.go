package e2e

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// serverLog is everything that a server logs.
type serverLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *serverLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestTheLogHasNothingOfPeople signs in successfully and unsuccessfully in every way. Then it searches the server's
// most detailed log for passwords, tokens, cookies and addresses.
func TestTheLogHasNothingOfPeople(t *testing.T) {
	t.Parallel()
	env := settings(t)
	front, idp := frontWithProvider(t, env, []object{{"group": "platform", "owner": true}})
	var log serverLog
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	address, _ := startLogging(t, env, app.Role{API: true}, logger)
	front.to(address)
	p := installation{url: front.URL, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)

	secrets := []string{goodPassword, "a wrong password"}
	post := func(path, session string, body any) answer {
		return p.do(request{method: http.MethodPost, path: path, session: session, body: body}.with("Authorization", ""))
	}
	setupToken := models.NewSecretToken().Reveal()
	require.Equal(t, 401, post("/v1/auth/setup", "", object{
		"token": setupToken, "email": "owner@example.com", "name": "O", "password": goodPassword,
	}).status)
	owner := p.owner()
	who := p.person(models.RoleAdmin)
	secrets = append(secrets, setupToken, owner.session, who.session, p.signIn(who.email))

	require.Equal(t, 401, post("/v1/auth/login", "", object{"email": who.email, "password": "a wrong password"}).status)
	require.Equal(t, 401, post("/v1/auth/login", "", object{"email": p.address(), "password": "a wrong password"}).status)
	require.Equal(t, 400, post("/v1/auth/login", "", object{"email": who.email, "password": []string{"a wrong password"}}).status)
	require.Equal(t, 400, post("/v1/auth/login", "", `{"email": "sam@example.com", "password": "a wrong password`).status)
	require.Equal(t, 400, post("/v1/auth/setup", "", object{
		"token": setupToken, "email": "no@address@example.com", "name": "", "password": "x",
	}).status)
	require.Equal(t, 400, post("/v1/auth/password", who.session, object{"current": "a wrong password", "new": goodPassword + "1"}).status)
	require.Equal(t, 204, post("/v1/auth/password", who.session, object{"current": goodPassword, "new": goodPassword + "1"}).status)

	for status, body := range map[int]object{
		401: {"token": p.tenant(t).invite(p.verifies(who).email, models.RoleViewer), "password": "a wrong password"},
		400: {"token": p.invite(p.address(), models.RoleViewer), "password": "short"},
		404: {"token": models.NewSecretToken().Reveal(), "password": goodPassword},
	} {
		require.Equal(t, status, post("/v1/auth/invitations/accept", "", body).status)
		secrets = append(secrets, body["token"].(string))
	}
	foreign := p.invite(p.address(), models.RoleViewer)
	require.Equal(t, 403, post("/v1/auth/invitations/accept", who.session, object{"token": foreign}).status)
	secrets = append(secrets, foreign)
	require.Equal(t, 409, p.do(request{
		method: http.MethodPost, path: "/v1/ota/invitations", session: owner.session, body: object{"email": who.email, "role": "viewer"},
	}).status)
	for _, member := range []human{owner, who} {
		require.Contains(t, []int{204, 409}, p.do(request{
			method: http.MethodDelete, path: path("/v1/ota/members/%d", p.member(member)), session: owner.session,
		}).status)
	}

	a := newAuthenticator()
	a.party = virtualwebauthn.RelyingParty{ID: "localhost", Name: "Waft", Origin: front.URL}
	b := p.begin(who.session)
	p.do(finishRegistration(b, who.session, "Laptop", a.create(t, b))).record(http.StatusCreated)
	signedIn := p.logIn(a)
	signedIn.record(http.StatusOK)
	a.party.Origin = "https://evil.example"
	refused := p.begin("")
	assertion := a.get(t, refused)
	require.Equal(t, 401, p.do(finishLogin(refused, assertion)).status)
	var sent struct{ Response map[string]string }
	require.NoError(t, json.Unmarshal(assertion, &sent))
	secrets = append(secrets, b.cookie, refused.cookie, signedIn.session(), sent.Response["signature"], sent.Response["clientDataJSON"])

	idp.put("olga", "olga@example.com", true, "platform")
	idp.put("zoe", "zoe@example.com", true)
	for name, status := range map[string]int{"olga": 303, "zoe": 403} {
		v := newBrowser(t, p.url)
		back := v.returning(idp, name, "")
		query, err := url.Parse(back)
		require.NoError(t, err)
		secrets = append(secrets, query.Query().Get("code"), query.Query().Get("state"))
		got, _, body := newBrowser(t, p.url).get(back)
		require.Equal(t, 401, got, body)
		got, _, body = v.get(back)
		require.Equal(t, status, got, body)
		if v.session() != "" {
			secrets = append(secrets, v.session())
		}
	}

	text := log.String()
	require.Contains(t, text, "/v1/auth/passkeys/login/finish")
	require.Contains(t, text, "/v1/auth/oidc/zitadel/callback")
	for _, secret := range secrets {
		require.NotEmpty(t, secret)
		require.NotContains(t, text, secret)
		token, _, _ := strings.Cut(secret, ".")
		require.NotContains(t, text, token)
	}
	const shown = "such as jo@example.com" // the error for an invalid address shows this example
	for line := range strings.Lines(strings.ReplaceAll(strings.ToLower(text), shown, "")) {
		require.NotContains(t, line, "example.com", "an address")
	}
}
