package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/identity/password"
	"github.com/waft-ota/waft/models"
)

// TestOnlyActionsExtendASession sends requests that were not caused by a person, and opens an event stream. These do
// not extend the session. A request that a person caused extends it.
func TestOnlyActionsExtendASession(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleEditor)
	const ofPerson = " WHERE user_id = (SELECT id FROM users WHERE email = $1)"
	p.sql("UPDATE sessions SET last_seen_at = now() - interval '11 hours'"+ofPerson, who.email)
	isIdle := func() (idle bool) {
		p.sqlValue("SELECT last_seen_at < now() - interval '10 hours' FROM sessions"+ofPerson, &idle, who.email)
		return idle
	}
	list := request{method: http.MethodGet, path: "/v1/ota/builds", session: who.session}
	require.Equal(t, http.StatusOK, p.do(list.with("Waft-Background", "1")).status)
	stream := request{method: http.MethodGet, path: "/v1/ota/stream", session: who.session}
	require.Equal(t, http.StatusOK, p.do(stream).status)
	require.True(t, isIdle())
	require.Equal(t, http.StatusOK, p.do(list.with("Waft-Background", "0")).status)
	require.False(t, isIdle())

	p.sql("UPDATE sessions SET last_seen_at = now() - interval '12 hours'"+ofPerson, who.email)
	p.do(list.with("Waft-Background", "1")).problem(401, models.CodeUnauthenticated)
}

// TestABusyServerIsNotAFailedLogin signs in during a flood until the server was too busy more often than a person may
// fail. Then the person can sign in without a delay.
func TestABusyServerIsNotAFailedLogin(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	url := serveAPI(t, env, app.WithPasswordCost(password.Current))
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleEditor)
	enough := make(chan struct{})
	var flood errgroup.Group
	for i := range 150 {
		flood.Go(func() error {
			for n := 0; ; n++ {
				select {
				case <-enough:
					return nil
				default:
				}
				_, err := p.send(http.DefaultClient, request{
					method: http.MethodPost, path: "/v1/auth/login", body: object{"email": p.address(), "password": goodPassword},
				}.with("Authorization", "").with("X-Forwarded-For", fmt.Sprintf("100.%d.%d.1", 64+i, n%256)))
				if err != nil {
					return err
				}
			}
		})
	}
	const away = "203.0.113.7"
	busy := 0
	p.eventually(func() bool {
		a := p.signInFrom(away, who.email, goodPassword)
		if a.status == http.StatusOK { // a successful sign-in resets the failures
			busy = 0
			p.sql("DELETE FROM known_networks WHERE user_id = (SELECT id FROM users WHERE email = $1)", who.email)
			return false
		}
		a.problem(429, models.CodeRateLimited)
		require.NotContains(t, a.body, "failed logins")
		busy++
		return busy > 6
	})
	close(enough)
	require.NoError(t, flood.Wait())
	p.signInFrom(away, who.email, goodPassword).record(http.StatusOK)
}

// TestAddressesOfLoginsAreForAdmins reads the audit entry of a sign-in with each role, in the list, in the export and
// in the webhook message.
func TestAddressesOfLoginsAreForAdmins(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, nil)
	hook := p.hook(r, "session.created")
	who := p.person(models.RoleEditor)
	logIn := request{method: http.MethodPost, path: "/v1/auth/login", body: object{"email": who.email, "password": goodPassword}}
	p.hashes(logIn.with("Authorization", "").with("User-Agent", "Netscape/4.0")).record(http.StatusOK)

	const list, export = "/v1/ota/audit-log?action=session.created", "/v1/ota/audit-log/export?action=session.created&format="
	for role, shown := range map[models.Role]bool{models.RoleViewer: false, models.RoleEditor: false, models.RoleAdmin: true} {
		for _, path := range []string{list, export + "jsonl", export + "csv"} {
			body := p.do(request{method: http.MethodGet, path: path, key: p.keys[role]}).body
			require.Contains(t, body, "password", "the sign-in method is missing")
			require.Equal(t, shown, strings.Contains(body, "Netscape/4.0"), "%s %s", role, path)
			require.Equal(t, shown, strings.Contains(body, "127.0.0.1"), "%s %s", role, path)
		}
	}
	require.NotContains(t, p.do(request{method: http.MethodGet, path: list, session: who.session}).body, "Netscape/4.0")
	p.settled(hook, 2)
	messages := r.got("session.created")
	require.Len(t, messages, 2)
	for _, m := range messages {
		require.NotContains(t, m.body, "Netscape")
		require.NotContains(t, m.body, "127.0.0.1")
		require.Contains(t, m.body, `"method"`)
	}
}

// TestCookiesAreSecureBehindTLS signs in through a proxy that terminates TLS and sets its own name in Host, which a
// browser would never see.
func TestCookiesAreSecureBehindTLS(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_BASE_URL"] = "https://ota.example.com"
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	email := p.address()
	accept := request{method: http.MethodPost, path: "/v1/auth/invitations/accept", body: object{
		"token": p.invite(email, models.RoleEditor), "name": p.marker, "password": goodPassword,
	}}.with("Authorization", "")
	p.hashes(accept.with("X-Forwarded-Proto", "http")).record(http.StatusOK)
	logIn := request{method: http.MethodPost, path: "/v1/auth/login", body: object{"email": email, "password": goodPassword}}
	a := p.hashes(logIn.with("Authorization", ""))
	a.record(http.StatusOK)
	cookies := (&http.Response{Header: a.header}).Cookies()
	require.Len(t, cookies, 1)
	require.Equal(t, "__Host-waft_session", cookies[0].Name)
	require.True(t, cookies[0].Secure)
	me := request{method: http.MethodGet, path: "/v1/me"}.with("Authorization", "")
	require.Equal(t, http.StatusOK, p.do(me.with("Cookie", "__Host-waft_session="+cookies[0].Value)).status)
	p.do(me.with("Cookie", "waft_session="+cookies[0].Value)).problem(401, models.CodeUnauthenticated)
}
