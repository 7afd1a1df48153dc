package webhookstore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func (h *hooked) recoverSince(since time.Time) models.WebhookRecovery {
	h.T.Helper()
	r, err := h.RecoverWebhook(h.T.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, since)
	require.NoError(h.T, err)
	return r
}

func TestARecoverySendsWhatFailedOnce(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	failed := models.DeliveryVerdict{Status: models.DeliveryFailed}
	old := h.told("old")
	h.record(old, 1, 500, failed)
	h.now = h.now.Add(time.Hour)
	lost, found, waiting := h.told("lost"), h.told("found"), h.told("waiting")
	h.record(lost, 1, 500, failed)
	h.record(found, 1, 500, failed)
	since := h.now
	delivered, err := h.Redeliver(t.Context(), h.Demo.ID, h.webhook.ID, found.ID)
	require.NoError(t, err)
	h.record(delivered, 1, 200, models.DeliveryVerdict{Status: models.DeliveryDelivered})

	// If calls run at the same time, only one of them sends the message again.
	var all sync.WaitGroup
	results := make([]models.WebhookRecovery, 8)
	for i := range results {
		all.Go(func() {
			results[i], err = h.RecoverWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, since)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	sent := int64(0)
	for _, r := range results {
		sent += r.Redelivered
		require.Zero(t, r.Remaining)
	}
	require.Equal(t, int64(1), sent)
	again := deliveriesOf(h.Fixture, h.webhook.ID)[0]
	require.Equal(t, [3]any{lost.MessageID, &lost.ID, models.DeliveryPending}, [3]any{again.MessageID, again.RedeliveryOf, again.Status})
	require.Equal(t, bodyOf(h.Fixture, lost), bodyOf(h.Fixture, again))

	// A message that fails again is sent again, based on its newest delivery.
	h.record(again, 1, 500, failed)
	require.Equal(t, models.WebhookRecovery{Redelivered: 1}, h.recoverSince(since))
	newest := deliveriesOf(h.Fixture, h.webhook.ID)[0]
	require.Equal(t, &again.ID, newest.RedeliveryOf)
	require.Equal(t, models.WebhookRecovery{Redelivered: 1}, h.recoverSince(since.Add(-2*time.Hour)), "the old message")
	require.Len(t, deliveriesOf(h.Fixture, h.webhook.ID), 8, "a pending delivery is left alone: %s", waiting.MessageID)
	_, err = h.RecoverWebhook(t.Context(), h.NewProject("other").ID, storetest.Alice, h.webhook.ID, since)
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestARecoveryIsBounded(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	h.MustExec(`INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, event, body, status, attempts, workflow_id, created_at)
		SELECT project_id, id, 'msg_' || n, 'branch.created', '{}', 'failed', '[]', 'w' || n, created_at
		FROM webhooks, generate_series(1, $1) AS n`, models.MaxRecovered+5)
	require.Equal(t, models.WebhookRecovery{Redelivered: models.MaxRecovered, Remaining: 5}, h.recoverSince(h.webhook.CreatedAt))
	require.Equal(t, models.WebhookRecovery{Redelivered: 5}, h.recoverSince(h.webhook.CreatedAt))
	started := storetest.Query[int64](h.Fixture, "SELECT count(*) FROM outbox WHERE kind = $1", models.OutboxWebhookDeliver)[0]
	require.Equal(t, int64(models.MaxRecovered+5), started)
}
