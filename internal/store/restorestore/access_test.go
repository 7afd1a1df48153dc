package restorestore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestEverybodyIsSignedOut(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	invitation := models.NewSecretToken()
	_, err := f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewInvitation{Email: "ada@example.com", Role: models.RoleViewer}, invitation)
	require.NoError(t, err)
	session := models.NewSecretToken()
	u, err := f.JoinAsNew(t.Context(), "req", invitation,
		models.NewUser{Name: "Ada", PasswordHash: "$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA"},
		models.NewSession{TokenHash: session.Hash(), Method: models.LoginPassword, Address: "203.0.113.7"})
	require.NoError(t, err)
	f.MustExec("INSERT INTO password_resets (user_id, created_at, expires_at) VALUES ($1, now(), now() + interval '1 hour')", u.ID)
	f.MustExec(`INSERT INTO terminal_logins (token_hash, code, status, name, address, network, poll_seconds, created_at, expires_at)
		VALUES (sha256('x'), 'ABCD-EFGH', 'confirmed', 'laptop', '203.0.113.7', 0, 5, now(), now() + interval '1 hour')`)
	f.MustExec("INSERT INTO setup_link (token_hash, expires_at) VALUES (sha256('x'), now() + interval '1 hour')")
	_, err = f.CreateInvitation(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewInvitation{Email: "bob@example.com", Role: models.RoleViewer}, models.NewSecretToken())
	require.NoError(t, err)

	report := settle(f, factsOf(f))
	require.Equal(t, 1, report.Sessions)
	_, _, err = f.SessionByToken(t.Context(), session.Hash())
	storetest.RequireCode(t, models.CodeNotFound, err)
	for _, table := range []string{"sessions", "password_resets", "terminal_logins", "setup_link"} {
		require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM "+table), table)
	}
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM invitations"), "an invitation stays")
	require.Equal(t, []int64{1}, storetest.Query[int64](f, "SELECT count(*) FROM members"))
	require.Contains(t, report.String(), "All sessions have ended (1)")
}

func TestTheReportNamesTheKeysNearTheBackup(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	key := func(name string) models.APIKey {
		k, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: name, Role: models.RoleEditor},
			models.NewAPIKeyToken())
		require.NoError(t, err)
		return k
	}
	key("old")
	revoked := key("old and revoked")
	f.MustExec("UPDATE api_keys SET created_at = created_at - interval '3 days'")
	require.NoError(t, f.RevokeAPIKey(t.Context(), f.Demo.ID, storetest.Alice, revoked.ID))
	young := key("young")
	storetest.Exchange(f, storetest.NewExchange(storetest.PutPublishers(f, storetest.NewPublisher())[0].ID, "a CI job", f.Clock()))

	report := settle(f, factsOf(f))
	require.Len(t, report.Keys, 2)
	require.Equal(t, [3]string{"demo", "old and revoked", revoked.Prefix},
		[3]string{report.Keys[0].Project, report.Keys[0].Name, report.Keys[0].Prefix})
	require.NotNil(t, report.Keys[0].RevokedAt)
	require.Equal(t, [3]string{"young", young.Prefix, "editor"}, [3]string{report.Keys[1].Name, report.Keys[1].Prefix, report.Keys[1].Role})
	require.Nil(t, report.Keys[1].RevokedAt)
	text := report.String()
	backup := report.BackedUpAt.Format("2006-01-02 15:04:05 UTC")
	require.Contains(t, text, "API keys that were created after "+backup+" do not work any more")
	require.Contains(t, text, "API keys that were revoked after "+backup+" are valid again")
	require.Contains(t, text, "  demo: young (editor, "+young.Prefix+"), created ")
}

func TestWithoutTheSecretKeyTheProjectIsServed(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
	require.NoError(t, err)
	_, _, err = f.CreateWebhook(t.Context(), f.Demo.ID, storetest.Alice,
		models.NewWebhook{URL: "https://example.com/hook?token=very-secret", Events: []string{"*"}, IsActive: true})
	require.NoError(t, err)
	f.MustPublish()
	other, err := secrets.New(secrets.Key{2})
	require.NoError(t, err)
	started := storetest.Open(t, f.DatabaseURL, store.WithSecrets(other))
	_, err = started.ResealSecrets(t.Context())
	require.Error(t, err, "a server with another key does not start")
	facts := factsOf(f)
	facts.SecretKeyLost = true

	report := settle(f, facts)
	require.Equal(t, []string{"demo"}, report.SigningKeys)
	require.Len(t, report.Webhooks, 1)
	text := report.String()
	require.NotContains(t, text, "very-secret")
	require.Contains(t, text, "demo: the code signing key. Upload it again")
	require.Contains(t, text, "demo: the webhook to https://example.com/hook")

	_, err = started.ResealSecrets(t.Context())
	require.NoError(t, err)
	_, err = started.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	require.Zero(t, report.Deliveries)
}
