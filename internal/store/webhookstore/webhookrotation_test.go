package webhookstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// signing returns the secrets that sign a delivery.
func (h *hooked) signing(d models.WebhookDelivery) []models.WebhookSecret {
	h.T.Helper()
	job, err := h.DeliveryJob(h.T.Context(), h.try(d, 1))
	require.NoError(h.T, err)
	return job.Secrets
}

func (h *hooked) rotate() models.WebhookSecret {
	h.T.Helper()
	_, secret, err := h.RotateWebhookSecret(h.T.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, false)
	require.NoError(h.T, err)
	return secret
}

func TestARotatedSecretSignsForAnotherDay(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	second := h.rotate()
	require.Equal(t, []models.WebhookSecret{second, h.secret}, h.signing(d))
	require.Equal(t, h.now.Add(24*time.Hour), h.current().PreviousSecretUntil.UTC())
	storetest.RequireNoTrace(h.Fixture, h.secret.Reveal())

	third := h.rotate()
	require.Equal(t, []models.WebhookSecret{third, second}, h.signing(d), "two secrets sign, not three")
	n, err := h.DropPreviousSecrets(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)

	h.now = h.now.Add(24*time.Hour - time.Millisecond)
	require.Equal(t, []models.WebhookSecret{third, second}, h.signing(d))
	h.now = h.now.Add(time.Millisecond)
	require.Equal(t, []models.WebhookSecret{third}, h.signing(d), "even before the old secret is deleted")
	n, err = h.DropPreviousSecrets(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), n)
	require.Nil(t, h.current().PreviousSecretUntil)
	require.Equal(t, []string{""}, storetest.Query[string](h.Fixture, "SELECT sealed_previous_secret FROM webhooks"))
	require.Equal(t, []models.WebhookSecret{third}, h.signing(d))
}

func TestASecretOfOnesOwnEndsTheOthersAtOnce(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	h.rotate()
	given := models.WebhookSecretOf("given")
	_, err := h.UpdateWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, models.WebhookPatch{Secret: &given})
	require.NoError(t, err)
	require.Equal(t, []models.WebhookSecret{given}, h.signing(d))
}

func TestALeakedSecretIsRevokedImmediately(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	h.rotate()
	w, fresh, err := h.RotateWebhookSecret(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, true)
	require.NoError(t, err)
	require.Nil(t, w.PreviousSecretUntil)
	require.Equal(t, []models.WebhookSecret{fresh}, h.signing(d))
	require.Equal(t, []string{""}, storetest.Query[string](h.Fixture, "SELECT sealed_previous_secret FROM webhooks"))
}
