package e2e

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// forgets requests a new password, each time from another network.
func (p *tenant) forgets(email string) answer {
	p.t.Helper()
	return p.forgetsFrom(fmt.Sprintf("198.51.%d.1", networks.Add(1)%256), email)
}

// networks counts the networks from which new passwords were requested.
var networks atomic.Int64

func (p *tenant) forgetsFrom(address, email string) answer {
	p.t.Helper()
	return p.do(request{method: http.MethodPost, path: "/v1/auth/password/forgot", body: object{"email": email}}.
		with("Authorization", "").with("X-Forwarded-For", address).with("X-Forwarded-Host", "evil.example").with("Forwarded", "host=evil.example"))
}

// resets sets a password with the token of a mailed link.
func (p *tenant) resets(token, password string) answer {
	p.t.Helper()
	return p.hashes(request{
		method: http.MethodPost, path: "/v1/auth/password/reset", body: object{"token": token, "password": password},
	}.with("Authorization", ""))
}

// TestAForgottenPassword replaces a password through a link that is mailed to the address. The link works once and is
// never logged.
func TestAForgottenPassword(t *testing.T) {
	t.Parallel()
	server, mails, log := withMail(t)
	p := server.tenant(t)
	p.owner()
	var tokens []string
	member := func(t *testing.T) human {
		t.Helper()
		email := p.address()
		p.create("/v1/ota/invitations", object{"email": email, "role": "editor"})
		_, token := mails.await(email, 1).link(t)
		a := p.accepts(token, goodPassword)
		a.record(http.StatusOK)
		return human{email, a.session()}
	}
	// link requests a link and returns its token. It expects the link in the person's n-th mail.
	link := func(t *testing.T, who human, n int) string {
		t.Helper()
		require.Equal(t, http.StatusAccepted, p.forgets(who.email).status)
		page, token := mails.await(who.email, n).link(t)
		require.Equal(t, mailedURL+"/app/reset", page, "the link must not depend on the host in the request")
		tokens = append(tokens, token)
		return token
	}
	methods := p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)
	require.Equal(t, true, methods["forgotPassword"])

	t.Run("a link works once, ends sessions and removes passkeys", func(t *testing.T) {
		who := member(t)
		a := newAuthenticator()
		a.party = virtualwebauthn.RelyingParty{ID: "localhost", Name: "Waft", Origin: mailedURL}
		begun := p.begin(who.session)
		p.do(finishRegistration(begun, who.session, "Laptop", a.create(t, begun))).record(http.StatusCreated)
		token := link(t, who, 2)
		p.resets(token, "short").problem(400, models.CodeInvalid)
		p.resets(models.NewSecretToken().Reveal(), goodPassword).problem(401, models.CodeUnauthenticated)
		require.Equal(t, http.StatusNoContent, p.resets(token, goodPassword+"!").status)
		p.resets(token, goodPassword+"?").problem(401, models.CodeUnauthenticated)
		p.do(request{method: http.MethodGet, path: "/v1/me", session: who.session}).problem(401, models.CodeUnauthenticated)
		p.logIn(a).problem(401, models.CodeUnauthenticated)
		p.logsIn(who.email, goodPassword).problem(401, models.CodeUnauthenticated)
		p.logsIn(who.email, goodPassword+"!").record(http.StatusOK)
		require.Contains(t, p.actions(), "user.password_reset")
	})
	t.Run("two links at the same time set one password", func(t *testing.T) {
		who := member(t)
		both := []string{link(t, who, 2), link(t, who, 3)}
		var group sync.WaitGroup
		statuses := make([]int, len(both))
		for i, token := range both {
			group.Go(func() { statuses[i] = p.resets(token, goodPassword+token).status })
		}
		group.Wait()
		require.ElementsMatch(t, []int{204, 401}, statuses)
	})
	t.Run("a change of the password ends the links", func(t *testing.T) {
		who := member(t)
		token := link(t, who, 2)
		changed := p.hashes(request{
			method: http.MethodPost, path: "/v1/auth/password", session: who.session,
			body: object{"current": goodPassword, "new": goodPassword + "!"},
		})
		require.Equal(t, http.StatusNoContent, changed.status)
		p.resets(token, goodPassword).problem(401, models.CodeUnauthenticated)
	})
	t.Run("a link ends after an hour", func(t *testing.T) {
		who := member(t)
		token := link(t, who, 2)
		p.sql(`UPDATE password_resets SET expires_at = expires_at - interval '1 hour'
			WHERE user_id = (SELECT id FROM users WHERE email = $1)`, who.email)
		p.resets(token, goodPassword).problem(401, models.CodeUnauthenticated)
	})
	t.Run("the holder of the address takes an account that a squatter made", func(t *testing.T) {
		who := member(t)
		p.sql("UPDATE users SET email_verified = false WHERE email = $1", who.email)
		require.Equal(t, http.StatusNoContent, p.resets(link(t, who, 2), goodPassword+"!").status)
		require.True(t, p.verified(who.email))
	})
	t.Run("an address is not flooded, and its links keep working", func(t *testing.T) {
		who, other := member(t), member(t)
		first := link(t, who, 2)
		for n := range models.MaxResetMails - 1 {
			link(t, who, n+3)
		}
		require.Equal(t, http.StatusAccepted, p.forgets(who.email).status)
		link(t, other, 2) // by now the relay has handled the earlier request
		require.Len(t, mails.Accepted(who.email), 1+models.MaxResetMails)
		require.Equal(t, http.StatusNoContent, p.resets(first, goodPassword+"!").status)
	})
	t.Run("an unknown address has the same response, and no mail", func(t *testing.T) {
		known, unknown := member(t), p.address()
		answers := []answer{p.forgets(unknown), p.forgets(known.email)}
		for _, a := range answers {
			require.Equal(t, http.StatusAccepted, a.status)
			require.Empty(t, a.body)
		}
		mails.await(known.email, 2)
		require.Empty(t, mails.Accepted(unknown))
	})
	t.Run("requests are limited as logins are", func(t *testing.T) {
		for n := range 51 {
			require.Equal(t, http.StatusAccepted, p.forgetsFrom("203.0.113.1", fmt.Sprintf("a%d@example.net", n)).status)
		}
		for range 6 {
			require.Equal(t, http.StatusAccepted, p.forgetsFrom("192.0.2.1", "nobody@example.net").status)
		}
		p.forgetsFrom("203.0.113.1", "b@example.net").problem(429, models.CodeRateLimited)
		p.forgetsFrom("192.0.2.2", "NOBODY@example.net").problem(429, models.CodeRateLimited)
	})
	text := log.String()
	require.NotEmpty(t, tokens)
	for _, token := range tokens {
		require.NotContains(t, text, token)
		for _, e := range p.do(request{method: http.MethodGet, path: "/v1/ota/audit-log?limit=200"}).list() {
			require.NotContains(t, jsonOf(t, e), token)
		}
	}
	require.NotContains(t, text, "@example.com")
}

// TestAForgottenPasswordWithoutMail checks that only the operator can reset a password if the server does not send
// mail.
func TestAForgottenPasswordWithoutMail(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	require.Equal(t, false, p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)["forgotPassword"])
	require.Contains(t, p.forgets(p.address()).problem(403, models.CodeForbidden)["detail"], "waftd reset-password")
	p.resets(models.NewSecretToken().Reveal(), goodPassword).problem(403, models.CodeForbidden)
}
