package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestLinkingIsBoundToItsSession tries to sign in as a person with what the person's browser stored when a linking
// began.
func TestLinkingIsBoundToItsSession(t *testing.T) {
	t.Parallel()
	server, idp, env := withProvider(t)
	p := server.tenant(t)
	identities := func(session string) (ids []int64) {
		for _, each := range p.ownMethods(session)["identities"].([]any) {
			ids = append(ids, object(each.(map[string]any)).id("id"))
		}
		return ids
	}
	reset := func(email string) (password string) {
		done := launch(t, env, "reset-password", email)
		require.NoError(t, <-done.exited, done.log)
		return strings.TrimSpace(done.log.String())
	}
	refused := func(t *testing.T, v *browser, back, name string) {
		t.Helper()
		status, _, body := v.get(back)
		require.Equal(t, http.StatusUnauthorized, status, body)
		status, _, body = newBrowser(t, p.url).signIn(idp, name, "")
		require.Equal(t, http.StatusForbidden, status, "the identity was not linked: %s", body)
	}
	p.owner()

	t.Run("a GET begins no linking", func(t *testing.T) {
		who := p.verifies(p.person(models.RoleAdmin))
		idp.put("greta", who.email, true)
		v := newBrowser(t, p.url)
		v.signedInAs(who.session)
		status, _, body := v.signIn(idp, "greta", "?link=true")
		require.Equal(t, http.StatusForbidden, status, body)
		require.Empty(t, identities(who.session))
	})
	t.Run("a page of another origin begins no linking", func(t *testing.T) {
		who := p.person(models.RoleAdmin)
		p.do(request{
			method: http.MethodPost, path: "/v1/auth/oidc/zitadel/link", session: who.session, body: object{},
		}.with("Sec-Fetch-Site", "cross-site")).problem(403, models.CodeForbidden)
	})
	t.Run("after logout", func(t *testing.T) {
		who := p.person(models.RoleAdmin)
		idp.put("lea", "lea@example.com", true)
		v := newBrowser(t, p.url)
		v.signedInAs(who.session)
		back := v.linking(idp, "lea")
		p.do(request{method: http.MethodPost, path: "/v1/auth/logout", session: who.session})
		refused(t, v, back, "lea")
	})
	t.Run("in another session, even of the same person", func(t *testing.T) {
		who := p.person(models.RoleAdmin)
		idp.put("sara", "sara@example.com", true)
		v := newBrowser(t, p.url)
		v.signedInAs(who.session)
		back := v.linking(idp, "sara")
		v.signedInAs(p.signIn(who.email))
		refused(t, v, back, "sara")
	})
	t.Run("a password reset ends it and removes what was linked", func(t *testing.T) {
		who := p.person(models.RoleAdmin)
		idp.put("first", "first@example.com", true)
		idp.put("second", "second@example.com", true)
		v := newBrowser(t, p.url)
		v.signedInAs(who.session)
		status, _, body := v.get(v.linking(idp, "first"))
		require.Equal(t, http.StatusSeeOther, status, body)
		back := v.linking(idp, "second")
		require.NotEmpty(t, reset(who.email))
		refused(t, v, back, "second")
		status, _, body = newBrowser(t, p.url).signIn(idp, "first", "")
		require.Equal(t, http.StatusForbidden, status, body)
		require.Contains(t, p.actions(), "user.password_reset")
	})
	t.Run("a linked identity is listed and removed", func(t *testing.T) {
		who := p.person(models.RoleAdmin)
		idp.put("rita", "rita@example.com", true)
		v := newBrowser(t, p.url)
		v.signedInAs(who.session)
		status, _, body := v.get(v.linking(idp, "rita"))
		require.Equal(t, http.StatusSeeOther, status, body)
		ids := identities(v.session())
		require.Len(t, ids, 1)
		remove := func(session string) answer {
			return p.do(request{method: http.MethodDelete, path: path("/v1/auth/identities/%d", ids[0]), session: session})
		}
		remove(p.person(models.RoleAdmin).session).problem(404, models.CodeNotFound)
		p.sql("UPDATE users SET password_hash = '' WHERE email = $1", who.email)
		remove(v.session()).problem(409, models.CodeInUse)
		p.sql("UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE password_hash <> '' LIMIT 1) WHERE email = $1", who.email)
		require.Equal(t, http.StatusNoContent, remove(v.session()).status)
		require.Empty(t, identities(v.session()))
		status, _, body = newBrowser(t, p.url).signIn(idp, "rita", "")
		require.Equal(t, http.StatusForbidden, status, body)
	})
}
