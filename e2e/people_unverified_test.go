package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// accepts accepts an invitation with the name and password of a new account.
func (p *tenant) accepts(token, password string) answer {
	p.t.Helper()
	return p.hashes(request{method: http.MethodPost, path: "/v1/auth/invitations/accept", body: object{
		"token": token, "name": p.marker, "password": password,
	}}.with("Authorization", ""))
}

// logsIn signs in with a password, and returns the response.
func (p *tenant) logsIn(email, password string) answer {
	p.t.Helper()
	return p.hashes(request{
		method: http.MethodPost, path: "/v1/auth/login", body: object{"email": email, "password": password},
	}.with("Authorization", ""))
}

// verifies verifies a person's address, as `waftd verify-email` does.
func (p *tenant) verifies(who human) human {
	p.t.Helper()
	p.sql("UPDATE users SET email_verified = true WHERE email = $1", who.email)
	return who
}

// squats creates an account with another person's address. The tenant's admin invites the address and accepts the
// invitation instead of the person.
func (p *tenant) squats(email string) human {
	p.t.Helper()
	a := p.accepts(p.invite(email, models.RoleAdmin), squattersPassword)
	a.record(http.StatusOK)
	return human{email, a.session()}
}

const squattersPassword = "the squatter knows this one"

// verified reports whether the list of members shows the address as verified.
func (p *tenant) verified(email string) bool {
	p.t.Helper()
	for _, m := range p.do(request{method: http.MethodGet, path: "/v1/ota/members?limit=200"}).list() {
		if m["email"] == email {
			return m["emailVerified"].(bool)
		}
	}
	require.FailNow(p.t, "no member", email)
	return false
}

// TestAnUnverifiedAccountBelongsToItsProject lets a project's admin create an account with the address of a person in
// another project.
func TestAnUnverifiedAccountBelongsToItsProject(t *testing.T) {
	t.Parallel()
	server, idp, env := withProvider(t)
	evil, victim := server.tenant(t), server.tenant(t)
	victim.owner()
	me := func(session string) object {
		return victim.do(request{method: http.MethodGet, path: "/v1/me", session: session}).record(200)
	}
	// squatted returns the account of a squatter who has added every other sign-in method, and an open invitation of
	// the victim's project.
	squatted := func(t *testing.T, name string) (squatter human, token string) {
		t.Helper()
		squatter = evil.squats(name + "@example.com")
		idp.put("evil-"+name, "evil-"+name+"@example.com", true)
		v := newBrowser(t, evil.url)
		v.signedInAs(squatter.session)
		status, _, body := v.get(v.linking(idp, "evil-"+name))
		require.Equal(t, http.StatusSeeOther, status, body)
		squatter.session = v.session()
		require.False(t, evil.verified(squatter.email), "an identity with another address must not verify the address")
		return squatter, victim.invite(squatter.email, models.RoleAdmin)
	}
	lockedOut := func(t *testing.T, squatter human) {
		t.Helper()
		evil.logsIn(squatter.email, squattersPassword).problem(401, models.CodeUnauthenticated)
		evil.do(request{method: http.MethodGet, path: "/v1/me", session: squatter.session}).problem(401, models.CodeUnauthenticated)
		status, _, body := newBrowser(t, evil.url).signIn(idp, "evil-"+strings.TrimSuffix(squatter.email, "@example.com"), "")
		require.Equal(t, http.StatusForbidden, status, body)
		require.True(t, evil.verified(squatter.email))
	}

	t.Run("a link that is handed over does not admit it elsewhere", func(t *testing.T) {
		squatter, token := squatted(t, "ann")
		victim.accepts(token, squattersPassword).problem(403, models.CodeForbidden)
		victim.accepts(token, goodPassword).problem(403, models.CodeForbidden)
		victim.do(request{
			method: http.MethodPost, path: "/v1/auth/invitations/accept", session: squatter.session, body: object{"token": token},
		}).problem(403, models.CodeForbidden)
		require.Len(t, me(squatter.session)["projects"], 1)
	})
	t.Run("groups do not admit it elsewhere", func(t *testing.T) {
		squatter, _ := squatted(t, "bob")
		victim.do(request{
			method: http.MethodPost, path: "/v1/ota/projects", key: victim.rootKey, project: "-", body: object{"name": "g", "slug": "grouped"},
		}).record(201)
		idp.put("evil-bob", "evil-bob@example.com", true, "mobile", "platform")
		v := newBrowser(t, evil.url)
		status, _, body := v.signIn(idp, "evil-bob", "")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Len(t, me(v.session())["projects"], 1)
		require.Equal(t, false, me(v.session())["user"].(map[string]any)["isOwner"])
		require.False(t, evil.verified(squatter.email))
	})
	t.Run("the person of the address takes it with an identity provider", func(t *testing.T) {
		squatter, _ := squatted(t, "cleo")
		idp.put("cleo", "CLEO@example.com", false)
		status, _, body := newBrowser(t, victim.url).signIn(idp, "cleo", "")
		require.Equal(t, http.StatusForbidden, status, "the provider has not verified the address: %s", body)
		idp.put("cleo", "CLEO@example.com", true)
		v := newBrowser(t, victim.url)
		status, _, body = v.signIn(idp, "cleo", "")
		require.Equal(t, http.StatusSeeOther, status, body)
		require.Len(t, me(v.session())["projects"], 2, "the account is also a member of the project that invited it")
		lockedOut(t, squatter)
		require.Contains(t, evil.actions(), "user.email_verified")
		again := newBrowser(t, victim.url)
		status, _, body = again.signIn(idp, "cleo", "")
		require.Equal(t, http.StatusSeeOther, status, body)
	})
	t.Run("a linked identity that proves the address takes it", func(t *testing.T) {
		who := evil.squats("dora@example.com")
		idp.put("dora", "dora@example.com", true)
		v := newBrowser(t, evil.url)
		v.signedInAs(who.session)
		status, _, body := v.get(v.linking(idp, "dora"))
		require.Equal(t, http.StatusSeeOther, status, body)
		require.True(t, evil.verified(who.email))
		evil.logsIn(who.email, squattersPassword).problem(401, models.CodeUnauthenticated)
		status, _, body = newBrowser(t, evil.url).signIn(idp, "dora", "")
		require.Equal(t, http.StatusSeeOther, status, body)
	})
	t.Run("the operator gives it to the person", func(t *testing.T) {
		squatter, token := squatted(t, "emil")
		reset := launch(t, env, "reset-password", squatter.email)
		require.NoError(t, <-reset.exited, reset.log)
		lockedOut(t, squatter)
		victim.accepts(token, strings.TrimSpace(reset.log.String())).record(http.StatusOK)
	})
	t.Run("the operator vouches for it", func(t *testing.T) {
		who := evil.squats("fred@example.com")
		token := victim.invite(who.email, models.RoleViewer)
		vouched := launch(t, env, "verify-email", who.email)
		require.NoError(t, <-vouched.exited, vouched.log)
		require.Equal(t, 200, victim.do(request{
			method: http.MethodPost, path: "/v1/auth/invitations/accept", session: who.session, body: object{"token": token},
		}).status)
		unknown := launch(t, env, "verify-email", "nobody@example.com")
		require.Error(t, <-unknown.exited)
	})
	t.Run("its own project may invite it again", func(t *testing.T) {
		who := evil.squats("gwen@example.com")
		removed := request{method: http.MethodDelete, path: path("/v1/ota/members/%d", evil.member(who))}
		require.Equal(t, http.StatusNoContent, evil.do(removed).status)
		require.Equal(t, 200, evil.do(request{
			method: http.MethodPost, path: "/v1/auth/invitations/accept", session: who.session,
			body: object{"token": evil.invite(who.email, models.RoleViewer)},
		}).status)
	})
}
