package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// terminal begins the sign-in of a terminal.
func (p *tenant) terminal() object {
	p.t.Helper()
	return p.do(to(object{"name": "build-7"}, "/v1/auth/terminal-logins").by(http.MethodPost).with("Authorization", "")).
		record(http.StatusCreated)
}

// polls asks for the session of a terminal.
func (p *tenant) polls(begun object) answer {
	p.t.Helper()
	return p.do(to(object{"secret": begun["secret"]}, "/v1/auth/terminal-session").by(http.MethodPost).with("Authorization", ""))
}

// decides confirms or refuses the sign-in of a terminal in the browser.
func (p *tenant) decides(who human, begun object, decision string) answer {
	p.t.Helper()
	return p.do(to(nil, "/v1/auth/terminal-logins/%s/%s", begun["code"], decision).by(http.MethodPost).in(who.session))
}

// A person compares what the terminal shows, and confirms. The terminal gets a session of its own, and gets the same one
// if it asks again soon, because the response may have been lost. The session approves as the person does, and Settings
// lists and ends it.
func TestATerminalSignsIn(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	who := p.person(models.RoleEditor)
	begun := p.terminal()
	require.Regexp(t, `^[B-Z]{4}-[B-Z]{4}$`, begun["code"])
	require.Equal(t, p.url[len("http://127.0.0.1"):]+"/app/terminal#"+begun["code"].(string), begun["url"].(string)[len("http://localhost"):])

	pending := p.polls(begun)
	require.Equal(t, object{"state": "pending"}, pending.record(http.StatusOK))
	require.Empty(t, pending.header.Get("Set-Cookie"))

	shown := p.do(to(nil, "/v1/auth/terminal-logins/%s", begun["code"]).by(http.MethodGet).in(who.session)).record(http.StatusOK)
	require.Equal(t, "build-7", shown["name"])
	require.Equal(t, "127.0.0.1", shown["address"])
	require.Equal(t, true, shown["sameNetwork"])
	require.Equal(t, begun["expiresAt"], shown["expiresAt"])
	require.NotContains(t, shown, "secret")

	require.Equal(t, http.StatusNoContent, p.decides(who, begun, "confirm").status)
	p.decides(who, begun, "confirm").problem(404, models.CodeNotFound)
	p.decides(who, begun, "refuse").problem(404, models.CodeNotFound)
	confirmed := p.polls(begun)
	require.Equal(t, who.email, confirmed.record(http.StatusOK)["user"].(map[string]any)["email"])
	session := confirmed.session()
	require.NotEqual(t, who.session, session)
	require.Equal(t, session, p.polls(begun).session(), "the response was lost")
	p.sql("UPDATE terminal_logins SET expires_at = expires_at - interval '2 minutes' WHERE code = $1", codeOf(begun))
	p.polls(begun).problem(401, models.CodeUnauthenticated)
	p.decides(human{who.email, session}, p.terminal(), "confirm").problem(403, models.CodeForbidden)

	sessions := p.do(request{method: http.MethodGet, path: "/v1/auth/sessions", session: who.session}).list()
	require.Len(t, sessions, 2)
	require.Equal(t, "waft on build-7", sessions[0]["userAgent"])
	require.Equal(t, "terminal", sessions[0]["method"])
	require.Equal(t, false, sessions[0]["isCurrent"])
	var actor string
	p.sqlValue("SELECT actor_name FROM audit_log WHERE project_id = $1 AND action = 'session.created' "+
		"AND details->>'method' = 'terminal'", &actor, p.id)
	require.Equal(t, who.email, actor)

	p.protect("production", 1)
	approval := p.pending(p.publishCall())
	require.Equal(t, "carried_out", p.carriedOut(approval.id("id"), human{email: who.email, session: session})["status"])

	require.Equal(t, http.StatusNoContent,
		p.do(to(nil, "/v1/auth/sessions/%d", sessions[0].id("id")).by(http.MethodDelete).in(who.session)).status)
	p.do(request{method: http.MethodGet, path: "/v1/me", session: session}).problem(401, models.CodeUnauthenticated)
	require.Equal(t, http.StatusOK, p.do(request{method: http.MethodGet, path: "/v1/me", session: who.session}).status)
}

// A terminal does not get a session if the person refuses, if the sign-in has expired, or if the person ended the session
// before the terminal got it.
func TestATerminalThatIsRefusedOrLate(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	who := p.person(models.RoleViewer)
	refused := p.terminal()
	require.Equal(t, http.StatusNoContent, p.decides(who, refused, "refuse").status)
	p.decides(who, refused, "confirm").problem(404, models.CodeNotFound)
	p.polls(refused).problem(403, models.CodeForbidden)
	p.polls(refused).problem(401, models.CodeUnauthenticated)

	late, gone := p.terminal(), p.terminal()
	p.sql("UPDATE terminal_logins SET expires_at = now() WHERE code = $1", codeOf(late))
	p.decides(who, late, "confirm").problem(404, models.CodeNotFound)
	p.polls(late).problem(401, models.CodeUnauthenticated)

	require.Equal(t, http.StatusNoContent, p.decides(who, gone, "confirm").status)
	p.sql("DELETE FROM sessions WHERE method = 'terminal' AND user_id = (SELECT id FROM users WHERE email = $1)", who.email)
	p.polls(gone).problem(403, models.CodeForbidden)

	early := p.terminal()
	p.polls(early).record(http.StatusOK)
	again := p.polls(early)
	again.problem(429, models.CodeRateLimited)
	require.Equal(t, "10", again.header.Get("Retry-After"))
	require.Equal(t, http.StatusNoContent, p.decides(who, early, "confirm").status)
	p.polls(early).record(http.StatusOK)
}

// A stolen session of a browser cannot get another session from a sign-in that is not recent.
func TestConfirmingATerminalNeedsARecentLogin(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	who := p.person(models.RoleAdmin)
	begun := p.terminal()
	p.sql("UPDATE sessions SET created_at = now() - interval '16 minutes' WHERE user_id = (SELECT id FROM users WHERE email = $1)", who.email)
	p.decides(who, begun, "confirm").problem(403, models.CodeReauthenticate)
	require.Equal(t, http.StatusNoContent, p.decides(who, begun, "refuse").status)
}

// A change of the password ends the terminal's session, even before the terminal has got it.
func TestAPasswordEndsSessionsOfTerminals(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	who := p.person(models.RoleViewer)
	begun, waiting := p.terminal(), p.terminal()
	require.Equal(t, http.StatusNoContent, p.decides(who, begun, "confirm").status)
	require.Equal(t, http.StatusNoContent, p.decides(who, waiting, "confirm").status)
	session := p.polls(begun).session()
	change := to(object{"current": goodPassword, "new": goodPassword + "!"}, "/v1/auth/password").by(http.MethodPost)
	require.Equal(t, http.StatusNoContent, p.hashes(change.in(who.session)).status)
	p.do(request{method: http.MethodGet, path: "/v1/me", session: session}).problem(401, models.CodeUnauthenticated)
	p.polls(waiting).problem(403, models.CodeForbidden)
}

// A secret is neither a session before the person confirms, nor may a page of another origin use the routes.
func TestSecretsOfTerminalsAreNotSessions(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	who := p.person(models.RoleViewer)
	begun := p.terminal()
	p.do(request{method: http.MethodGet, path: "/v1/me", session: begun["secret"].(string)}).problem(401, models.CodeUnauthenticated)
	for _, call := range []request{
		to(object{"name": "x"}, "/v1/auth/terminal-logins"), to(object{"secret": begun["secret"]}, "/v1/auth/terminal-session"),
		to(nil, "/v1/auth/terminal-logins/%s/confirm", begun["code"]).in(who.session),
	} {
		p.do(call.by(http.MethodPost).with("Sec-Fetch-Site", "cross-site")).problem(403, models.CodeForbidden)
	}
	require.Equal(t, http.StatusNoContent, p.decides(who, begun, "confirm").status)
	p.do(request{method: http.MethodGet, path: "/v1/me", session: begun["secret"].(string)}).problem(401, models.CodeUnauthenticated)
}

// TestTerminalsThatWaitAreBounded begins sign-ins in one network, and afterwards in another. Both limits of a network hold
// only for clients elsewhere, so the server trusts a proxy.
func TestTerminalsThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	begin := func(address string) answer {
		return p.do(to(object{"name": "x"}, "/v1/auth/terminal-logins").by(http.MethodPost).with("Authorization", "").
			with("X-Forwarded-For", address))
	}
	var calls []request
	for i := range 2 * models.MaxTerminalLogins {
		calls = append(calls, to(object{"name": "x"}, "/v1/auth/terminal-logins").by(http.MethodPost).with("Authorization", "").
			with("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)))
	}
	begun := 0
	for _, a := range p.together(calls...) {
		if a.status == http.StatusCreated {
			begun++
			continue
		}
		a.problem(429, models.CodeRateLimited)
		require.NotEmpty(t, a.header.Get("Retry-After"))
	}
	require.Equal(t, models.MaxTerminalLogins, begun)
	elsewhere := begin("198.51.100.7").record(http.StatusCreated)
	who := p.person(models.RoleViewer)
	shown := p.do(to(nil, "/v1/auth/terminal-logins/%s", elsewhere["code"]).by(http.MethodGet).in(who.session).
		with("X-Forwarded-For", "203.0.113.9")).record(http.StatusOK)
	require.Equal(t, "198.51.100.7", shown["address"])
	require.Equal(t, false, shown["sameNetwork"])

	p.sql("UPDATE terminal_logins SET expires_at = now() - interval '1 second'")
	begin("203.0.113.7").record(http.StatusCreated)
	var left int
	p.sqlValue("SELECT count(*) FROM terminal_logins", &left)
	require.Equal(t, 1, left)
}

func TestWrongCodesOfTerminalsAreDelayed(t *testing.T) {
	t.Parallel()
	p := behindProxy(t)
	who := p.person(models.RoleViewer)
	ask := func(address, code string) answer {
		return p.do(to(nil, "/v1/auth/terminal-logins/%s", code).by(http.MethodGet).in(who.session).with("X-Forwarded-For", address))
	}
	right := p.terminal()["code"].(string)
	for _, code := range []string{"BBBB-BBBB", "BBBB-BBBC", "BBBB-BBBD", "x", "BBBB-BBBF", "BBBB-BBBG"} {
		ask("203.0.113.7", right).record(http.StatusOK)
		ask("203.0.113.7", code).problem(404, models.CodeNotFound)
	}
	ask("203.0.113.8", right).problem(429, models.CodeRateLimited)
	ask("198.51.100.7", right).record(http.StatusOK)
}

// behindProxy returns a tenant of a server that trusts the addresses in X-Forwarded-For.
func behindProxy(t *testing.T) *tenant {
	t.Helper()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	return installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
}

// codeOf returns the code of a sign-in as it is stored.
func codeOf(begun object) models.TerminalCode {
	code, _ := models.ParseTerminalCode(begun["code"].(string))
	return code
}
