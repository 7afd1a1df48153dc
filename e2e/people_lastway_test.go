package e2e

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// remove deletes a passkey of a person and returns the status.
func (p *tenant) remove(who human, id int64) int {
	p.t.Helper()
	return p.do(request{method: http.MethodDelete, path: path("/v1/auth/passkeys/%d", id), session: who.session}).status
}

// withoutPassword creates a person without a password, who can sign in only by methods that the test adds.
func (p *tenant) withoutPassword() human {
	p.t.Helper()
	who := p.person(models.RoleViewer)
	p.sql("UPDATE users SET password_hash = '' WHERE email = $1", who.email)
	return who
}

// link links the person to an identity at a provider.
func (p *tenant) link(who human, issuer string) {
	p.t.Helper()
	p.sql("INSERT INTO identities (user_id, issuer, subject, created_at) SELECT id, $2, email, now() FROM users WHERE email = $1", who.email, issuer)
}

// identity links the person to an identity and returns the ID of the link.
func (p *tenant) identity(who human) int64 {
	p.t.Helper()
	p.link(who, "https://former.example.com")
	return object(p.ownMethods(who.session)["identities"].([]any)[0].(map[string]any)).id("id")
}

// TestTheLastUsableWayToSignInStays checks that a sign-in method that does not work on this server does not count as
// another way to sign in.
func TestTheLastUsableWayToSignInStays(t *testing.T) {
	t.Parallel()
	const issuer = "https://idp.example.com"
	env := settings(t)
	env["WAFT_OIDC_PROVIDERS"] = `[{"id":"idp","name":"IdP","issuer":"` + issuer + `","clientId":"c","clientSecret":"s"}]`
	p := servePasskeys(t, env).tenant(t)
	restarted := maps.Clone(env)
	restarted["WAFT_SSO_ONLY"], restarted["WAFT_DATA_DIR"] = "true", t.TempDir()
	ssoOnly := *p
	ssoOnly.url = serveAPI(t, restarted)

	t.Run("an identity of a provider that is not configured", func(t *testing.T) {
		who := p.withoutPassword()
		_, id := p.passkey(who)
		p.link(who, "https://former.example.com")
		require.Equal(t, http.StatusConflict, p.remove(who, id))
		p.link(who, issuer)
		require.Equal(t, http.StatusNoContent, p.remove(who, id))
	})
	t.Run("a passkey of another domain", func(t *testing.T) {
		who := p.withoutPassword()
		_, id := p.passkey(who)
		_, elsewhere := p.passkey(who)
		p.sql("UPDATE passkeys SET rp_id = 'old.example.com' WHERE id = $1", elsewhere)
		require.Equal(t, http.StatusConflict, p.remove(who, id))
		require.Equal(t, http.StatusNoContent, p.remove(who, elsewhere), "a passkey of another domain does not count, so it can be deleted")
	})
	t.Run("where only providers sign people in", func(t *testing.T) {
		who := p.person(models.RoleViewer)
		_, id := p.passkey(who)
		_, other := p.passkey(who)
		require.Equal(t, http.StatusConflict, ssoOnly.remove(who, id), "neither the password nor the other passkey works")
		require.Equal(t, http.StatusNoContent, p.remove(who, id))
		ssoOnly.link(who, issuer)
		require.Equal(t, http.StatusNoContent, ssoOnly.remove(who, other))
	})
	t.Run("the last two at the same time", func(t *testing.T) {
		who := p.withoutPassword()
		_, first := p.passkey(who)
		_, second := p.passkey(who)
		statuses := make(chan int, 2)
		for _, id := range []int64{first, second} {
			go func() {
				a, _ := p.send(http.DefaultClient, request{
					method: http.MethodDelete, path: path("/v1/auth/passkeys/%d", id), session: who.session,
				})
				statuses <- a.status
			}()
		}
		require.ElementsMatch(t, []int{http.StatusNoContent, http.StatusConflict}, []int{<-statuses, <-statuses})
	})
}
