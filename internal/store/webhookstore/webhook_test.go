package webhookstore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func newWebhook() models.NewWebhook {
	return models.NewWebhook{URL: "https://example.com/hook", Events: []string{"build.published", "update.patched"}, IsActive: true}
}

func webhook(f *storetest.Fixture, change ...func(*models.NewWebhook)) (models.Webhook, models.WebhookSecret) {
	f.T.Helper()
	n := newWebhook()
	for _, c := range change {
		c(&n)
	}
	w, secret, err := f.CreateWebhook(f.T.Context(), f.Demo.ID, storetest.Alice, n)
	require.NoError(f.T, err)
	return w, secret
}

// testOf sends a test message to the webhook and returns the first try to deliver it.
func testOf(f *storetest.Fixture, w models.Webhook) models.DeliveryTry {
	f.T.Helper()
	d, err := f.TestWebhook(f.T.Context(), f.Demo.ID, storetest.Alice, w.ID)
	require.NoError(f.T, err)
	return models.DeliveryTry{DeliveryID: d.ID, ProjectID: d.ProjectID, WebhookID: d.WebhookID, Attempt: 1}
}

// signing returns the secrets with which s signs a message to the webhook.
func signing(f *storetest.Fixture, s *store.Store, w models.Webhook) []models.WebhookSecret {
	f.T.Helper()
	job, err := s.DeliveryJob(f.T.Context(), testOf(f, w))
	require.NoError(f.T, err)
	return job.Secrets
}

func TestCreateWebhook(t *testing.T) {
	t.Parallel()

	t.Run("makes a secret that is stored encrypted only", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		var w models.Webhook
		var secret models.WebhookSecret
		f.RequireBumped(false, func() { w, secret = webhook(f) })
		require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, secret.Reveal())
		require.Len(t, secret.Key(), 32)
		storetest.RequireNoTrace(f, secret.Reveal())
		storetest.RequireNoTrace(f, secret.Reveal()[len("whsec_"):])

		list, err := f.ListWebhooks(t.Context(), f.Demo.ID, models.Page{})
		require.NoError(t, err)
		require.Equal(t, []models.Webhook{w}, list)

		entry := f.Audited(1)[0]
		require.Equal(t, "webhook.created", entry.Action)
		require.Equal(t, map[string]any{
			"url": "https://example.com/hook", "description": "", "isActive": true, "events": []any{"build.published", "update.patched"}, "format": "standard",
		}, entry.Details)
		require.Equal(t, []models.WebhookSecret{secret}, signing(f, f.Store, w))
	})

	t.Run("takes a secret of the caller", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		given := models.WebhookSecretOf("a-secret-of-their-own")
		w, secret := webhook(f, func(n *models.NewWebhook) { n.Secret = &given })
		require.Equal(t, given, secret)
		require.Equal(t, "…-own", w.SecretHint)
		storetest.RequireNoTrace(f, given.Reveal())
	})

	t.Run("refuses what it cannot send to", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		n := newWebhook()
		n.Events = []string{"build.published", "nonsense"}
		_, _, err := f.CreateWebhook(t.Context(), f.Demo.ID, storetest.Alice, n)
		storetest.RequireField(t, "events[1]", err)
		_, _, err = f.CreateWebhook(t.Context(), 1<<40, storetest.Alice, newWebhook())
		storetest.RequireCode(t, models.CodeNotFound, err)
	})

	t.Run("needs a key to encrypt with", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, _, err := storetest.Open(t, f.DatabaseURL, store.WithSecrets(nil)).CreateWebhook(t.Context(), f.Demo.ID, storetest.Alice, newWebhook())
		require.ErrorContains(t, err, "without a secret key")
	})
}

func TestUpdateWebhook(t *testing.T) {
	t.Parallel()

	t.Run("changes what is set and nothing else", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		w, _ := webhook(f)
		patched, err := f.UpdateWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID,
			models.WebhookPatch{IsActive: new(bool), Events: new([]string{"*"})})
		require.NoError(t, err)
		require.False(t, patched.IsActive)
		require.Equal(t, []string{"*"}, patched.Events)
		require.Equal(t, w.URL, patched.URL)
		require.Equal(t, map[string]any{
			"isActive": map[string]any{"before": true, "after": false},
			"events":   map[string]any{"before": []any{"build.published", "update.patched"}, "after": []any{"*"}},
		}, f.Audited(1)[0].Details)
		require.Equal(t, w.SealedSecret, patched.SealedSecret)
	})

	t.Run("writes nothing when nothing changes", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		w, _ := webhook(f)
		entries := storetest.Query[int64](f, "SELECT count(*) FROM audit_log")
		same, err := f.UpdateWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID, models.WebhookPatch{URL: &w.URL, IsActive: &w.IsActive})
		require.NoError(t, err)
		require.Equal(t, w, same)
		require.Equal(t, entries, storetest.Query[int64](f, "SELECT count(*) FROM audit_log"))
	})

	t.Run("hides the secrets of its URL in the audit log, and takes no URL without them", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		const whole, masked = "https://example.com/T0000000001?key=hunter2", "https://example.com/…?key=…"
		w, _ := webhook(f, func(n *models.NewWebhook) { n.URL = whole })
		require.Equal(t, masked, f.Audited(1)[0].Details["url"])
		patch := func(url string) (models.Webhook, error) {
			return f.UpdateWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID, models.WebhookPatch{URL: &url})
		}
		same, err := patch(masked)
		require.NoError(t, err)
		require.Equal(t, whole, same.URL)
		require.Equal(t, "webhook.created", f.Audited(1)[0].Action, "the webhook did not change")
		_, err = patch("https://example.org/…?key=…")
		storetest.RequireField(t, "url", err)

		moved, err := patch(whole + "3")
		require.NoError(t, err)
		require.Equal(t, whole+"3", moved.URL)
		require.Equal(t, map[string]any{"url": map[string]any{"before": masked, "after": masked}}, f.Audited(1)[0].Details)
		require.NoError(t, f.DeleteWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID))
		require.Equal(t, masked, f.Audited(1)[0].Details["url"])
		require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM audit_log AS r WHERE strpos(r::text, 'hunter2') > 0")[0])
	})

	t.Run("replaces the secret", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		w, old := webhook(f)
		rotated, fresh, err := f.RotateWebhookSecret(t.Context(), f.Demo.ID, storetest.Alice, w.ID, false)
		require.NoError(t, err)
		require.NotEqual(t, old, fresh)
		require.NotEqual(t, w.SealedSecret, rotated.SealedSecret)
		require.Equal(t, map[string]any{"secret": "replaced"}, f.Audited(1)[0].Details)
		storetest.RequireNoTrace(f, fresh.Reveal())
		require.Equal(t, []models.WebhookSecret{fresh, old}, signing(f, f.Store, w))

		given := models.WebhookSecretOf("given")
		_, err = f.UpdateWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID, models.WebhookPatch{Secret: &given})
		require.NoError(t, err)
		require.Equal(t, []models.WebhookSecret{given}, signing(f, f.Store, w))
	})

	t.Run("of another project is not found", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		w, _ := webhook(f)
		other := f.NewProject("other").ID
		_, err := f.UpdateWebhook(t.Context(), other, storetest.Alice, w.ID, models.WebhookPatch{IsActive: new(bool)})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, _, err = f.RotateWebhookSecret(t.Context(), other, storetest.Alice, w.ID, false)
		storetest.RequireCode(t, models.CodeNotFound, err)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteWebhook(t.Context(), other, storetest.Alice, w.ID))
		_, err = f.ListWebhookDeliveries(t.Context(), other, w.ID, models.DeliveryFilter{}, models.Page{})
		storetest.RequireCode(t, models.CodeNotFound, err)
		_, err = f.TestWebhook(t.Context(), other, storetest.Alice, w.ID)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestWebhookDeliveries(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f)
	quiet, _ := webhook(f)
	none, err := f.ListWebhookDeliveries(t.Context(), f.Demo.ID, w.ID, models.DeliveryFilter{}, models.Page{})
	require.NoError(t, err)
	require.Equal(t, []models.WebhookDelivery{}, none)

	f.MustExec(`INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, event, status, attempts, workflow_id, created_at)
		SELECT $1, $2, 'msg_' || i, 'build.published', 'delivered',
			'[{"at": "2026-03-04T05:06:07Z", "responseStatus": 204, "durationMs": 12, "error": "", "responseSnippet": ""}]', '', now()
		FROM generate_series(1, 3) AS i`, f.Demo.ID, w.ID)
	list, err := f.ListWebhookDeliveries(t.Context(), f.Demo.ID, w.ID, models.DeliveryFilter{}, models.Page{Limit: 2})
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "msg_3", list[0].MessageID)
	require.Equal(t, 204, *list[0].Attempts[0].ResponseStatus)
	list, err = f.ListWebhookDeliveries(t.Context(), f.Demo.ID, w.ID, models.DeliveryFilter{}, models.Page{Before: list[1].ID})
	require.NoError(t, err)
	require.Equal(t, "msg_1", list[0].MessageID)

	webhooks, err := f.ListWebhooks(t.Context(), f.Demo.ID, models.Page{})
	require.NoError(t, err)
	require.Equal(t, quiet.ID, webhooks[0].ID)
	require.Nil(t, webhooks[0].LastDelivery)
	require.Equal(t, "msg_3", webhooks[1].LastDelivery.MessageID)

	require.NoError(t, f.DeleteWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID))
	require.Equal(t, "webhook.deleted", f.Audited(1)[0].Action)
	require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM webhook_deliveries")[0])
	storetest.RequireCode(t, models.CodeNotFound, f.DeleteWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID))
	require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))
}

func TestResealSecrets(t *testing.T) {
	t.Parallel()
	oldKey, newKey := secrets.Key{1}, secrets.Key{2}
	boxOf := func(current secrets.Key, others ...secrets.Key) store.Option {
		box, err := secrets.New(current, others...)
		require.NoError(t, err)
		return store.WithSecrets(box)
	}
	f := storetest.Setup(t, boxOf(oldKey))
	w, secret := webhook(f)
	_, err := f.PutSigningKey(t.Context(), f.Demo.ID, storetest.Alice, storetest.NewSigningKey(t, nil))
	require.NoError(t, err)
	n, err := f.ResealSecrets(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "all are encrypted under the current key")

	wrong := storetest.Open(t, f.DatabaseURL, boxOf(newKey))
	_, err = wrong.ResealSecrets(t.Context())
	require.ErrorIs(t, err, secrets.ErrUnknownKey)

	rotating := storetest.Open(t, f.DatabaseURL, boxOf(newKey, oldKey))
	n, err = rotating.ResealSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, n, "the webhook's secret, the signing key, and the project's hash key")
	n, err = rotating.ResealSecrets(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)

	rotated := storetest.Open(t, f.DatabaseURL, boxOf(newKey))
	_, err = rotated.ResealSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, []models.WebhookSecret{secret}, signing(f, rotated, w))
	_, err = f.DeliveryJob(t.Context(), testOf(f, w))
	require.ErrorIs(t, err, secrets.ErrUnknownKey, "the old key cannot decrypt anything any more")
}

// An encrypted secret that is copied to another row cannot be decrypted there.
func TestASealedSecretBelongsToItsRow(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f)
	other, _ := webhook(f)
	f.MustExec("UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = $1) WHERE id = $2", w.ID, other.ID)
	_, err := f.DeliveryJob(t.Context(), testOf(f, other))
	require.ErrorContains(t, err, "not a sealed secret of this record")
}
