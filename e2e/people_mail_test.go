package e2e

import (
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// mailedURL is the base URL of the links in mails. A server at that address is not needed.
const mailedURL = "http://localhost:4321"

// withMail starts a server that sends mail, behind a proxy that names its clients, and returns everything that the
// server logs.
func withMail(t *testing.T) (server installation, mails *mailServer, log *serverLog) {
	t.Helper()
	env := settings(t)
	mails = newMailServer(t)
	env["WAFT_BASE_URL"], env["WAFT_SMTP_URL"], env["WAFT_TRUSTED_PROXIES"] = mailedURL, mails.URL(), "127.0.0.1"
	log = &serverLog{}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	address, _ := startLogging(t, env, app.Role{API: true, Worker: true}, logger)
	return installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}, mails, log
}

// TestAMailedInvitation checks that only the invited address gets the mail, and that its link verifies the address.
func TestAMailedInvitation(t *testing.T) {
	t.Parallel()
	server, mails, log := withMail(t)
	evil, victim := server.tenant(t), server.tenant(t)
	victim.owner()
	// mailed invites an address, and returns the token in the n-th mail to that address.
	mailed := func(t *testing.T, p *tenant, email string, n int) string {
		t.Helper()
		made := p.create("/v1/ota/invitations", object{"email": email, "role": "editor"})
		require.NotContains(t, made, "url", "only the invited person may see the link")
		require.Equal(t, true, made["byMail"])
		mail := mails.await(email, n)
		require.Equal(t, "waft@example.com", mail.From)
		require.Contains(t, mail.Subject, p.slug)
		require.NotContains(t, mail.Text, p.marker, "the mail must not contain text that people typed")
		page, token := mail.link(t)
		require.Equal(t, mailedURL+"/app/invite", page)
		require.NotContains(t, log.String(), token)
		return token
	}
	invitation := func(p *tenant, email string) object {
		for _, each := range p.do(request{method: http.MethodGet, path: "/v1/ota/invitations"}).list() {
			if each["email"] == email {
				return each
			}
		}
		return nil
	}

	t.Run("the person joins with a verified account", func(t *testing.T) {
		email := victim.address()
		token := mailed(t, victim, email, 1)
		victim.eventually(func() bool { return invitation(victim, email)["sentAt"] != nil })
		victim.accepts(token, goodPassword).record(http.StatusOK)
		require.True(t, victim.verified(email))
		victim.accepts(token, goodPassword).problem(404, models.CodeNotFound)
	})
	t.Run("an account that a squatter made goes to the person", func(t *testing.T) {
		email := victim.address()
		squatter := human{email: email}
		taken := evil.accepts(mailed(t, evil, email, 1), squattersPassword)
		taken.record(http.StatusOK)
		squatter.session = taken.session()
		victim.sql("UPDATE users SET email_verified = false WHERE email = $1", email) // as if the inviter had passed the link on
		token := mailed(t, victim, email, 2)
		victim.accepts(token, "short").problem(400, models.CodeInvalid)
		a := victim.accepts(token, goodPassword)
		a.record(http.StatusOK)
		require.True(t, victim.verified(email))
		evil.logsIn(email, squattersPassword).problem(401, models.CodeUnauthenticated)
		evil.do(request{method: http.MethodGet, path: "/v1/me", session: squatter.session}).problem(401, models.CodeUnauthenticated)
		evil.logsIn(email, goodPassword).record(http.StatusOK)
	})
	t.Run("a link that was handed over before stays what it was", func(t *testing.T) {
		email, token := victim.address(), models.NewSecretToken()
		victim.create("/v1/ota/invitations", object{"email": email, "role": "editor"})
		mails.await(email, 1)
		victim.eventually(func() bool { return invitation(victim, email)["sentAt"] != nil })
		victim.sql("UPDATE invitations SET by_mail = false, token_hash = $2 WHERE email = $1", email, token.Hash())
		victim.accepts(token.Reveal(), goodPassword).record(http.StatusOK)
		require.False(t, victim.verified(email))
	})
	t.Run("an address is not flooded", func(t *testing.T) {
		email := victim.address()
		for n := range models.MaxInvitationMails {
			mailed(t, victim, email, n+1)
			id := invitation(victim, email).id("id")
			require.Equal(t, 204, victim.do(request{method: http.MethodDelete, path: path("/v1/ota/invitations/%d", id)}).status)
		}
		for _, p := range []*tenant{victim, evil} {
			p.do(request{method: http.MethodPost, path: "/v1/ota/invitations", body: object{"email": email, "role": "viewer"}}).
				problem(429, models.CodeRateLimited)
		}
	})
	t.Run("a mail server that is away gets the mail later", func(t *testing.T) {
		email := victim.address()
		mails.Refuse(451, "try later, "+email)
		before := mails.Refusals()
		victim.create("/v1/ota/invitations", object{"email": email, "role": "editor"})
		victim.eventually(func() bool { return mails.Refusals() > before })
		require.Nil(t, invitation(victim, email)["sentAt"])
		mails.Refuse(0, "")
		_, token := mails.await(email, 1).link(t)
		victim.accepts(token, goodPassword).record(http.StatusOK)
	})
	t.Run("a revoked invitation is not mailed", func(t *testing.T) {
		email := victim.address()
		mails.Refuse(451, "try later")
		before := mails.Refusals()
		made := victim.create("/v1/ota/invitations", object{"email": email, "role": "editor"})
		victim.eventually(func() bool { return mails.Refusals() > before })
		require.Equal(t, 204, victim.do(request{method: http.MethodDelete, path: path("/v1/ota/invitations/%d", made.id("id"))}).status)
		mails.Refuse(0, "")
		later := victim.address()
		mailed(t, victim, later, 1)
		require.Empty(t, mails.Accepted(email))
	})
	require.NotContains(t, log.String(), "@example.com")
}
