package webhookstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// hooked is a fixture with a webhook that subscribes to changes of branches, and a clock that tests move.
type hooked struct {
	*storetest.Fixture
	now     time.Time
	webhook models.Webhook
	secret  models.WebhookSecret
}

func setupHooked(t *testing.T) *hooked {
	t.Helper()
	h := &hooked{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	h.Fixture = storetest.Setup(t, store.WithNow(func() time.Time { return h.now }))
	h.webhook, h.secret = webhook(h.Fixture, subscribed("branch.created"))
	return h
}

// told makes a change and returns its delivery.
func (h *hooked) told(name string) models.WebhookDelivery {
	h.T.Helper()
	_, err := h.CreateBranch(h.T.Context(), h.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
	require.NoError(h.T, err)
	return deliveriesOf(h.Fixture, h.webhook.ID)[0]
}

func (h *hooked) try(d models.WebhookDelivery, attempt int) models.DeliveryTry {
	return models.DeliveryTry{DeliveryID: d.ID, ProjectID: d.ProjectID, WebhookID: d.WebhookID, Attempt: attempt}
}

// record records an attempt to which the receiver responded with status.
func (h *hooked) record(d models.WebhookDelivery, attempt, status int, v models.DeliveryVerdict) models.DeliveryOutcome {
	h.T.Helper()
	o, err := h.RecordAttempt(h.T.Context(), h.try(d, attempt), models.DeliveryAttempt{At: h.now, ResponseStatus: &status, DurationMs: 5}, v)
	require.NoError(h.T, err)
	return o
}

func (h *hooked) current() models.Webhook {
	h.T.Helper()
	list, err := h.ListWebhooks(h.T.Context(), h.Demo.ID, models.Page{})
	require.NoError(h.T, err)
	for _, w := range list {
		if w.ID == h.webhook.ID {
			return w
		}
	}
	require.Fail(h.T, "the webhook no longer exists")
	return models.Webhook{}
}

var again = models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Minute}

func TestAttemptsAreRecordedOnce(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	job, err := h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryJob{MessageID: d.MessageID, URL: h.webhook.URL, Format: models.FormatStandard,
		Secrets: []models.WebhookSecret{h.secret}, Body: bodyOf(h.Fixture, d)}, job)

	want := models.DeliveryOutcome{Status: models.DeliveryPending, Wait: time.Minute, ResponseStatus: 500}
	require.Equal(t, want, h.record(d, 1, 500, again))
	require.Equal(t, want, h.record(d, 1, 503, models.DeliveryVerdict{Status: models.DeliveryFailed}), "the first result is kept")
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryJob{Outcome: &want}, job, "the attempt is not repeated")
	h.now = h.now.Add(50 * time.Second)
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, 10*time.Second, job.Outcome.Wait)
	require.Equal(t, &d.CreatedAt, h.current().FailingSince)

	require.Equal(t, models.DeliveryOutcome{Status: models.DeliveryDelivered, ResponseStatus: 200},
		h.record(d, 2, 200, models.DeliveryVerdict{Status: models.DeliveryDelivered}))
	after := deliveriesOf(h.Fixture, h.webhook.ID)[0]
	require.Equal(t, models.DeliveryDelivered, after.Status)
	require.Nil(t, after.NextAttemptAt)
	require.Len(t, after.Attempts, 2)
	require.Equal(t, models.DeliveryAttempt{At: d.CreatedAt, ResponseStatus: new(500), DurationMs: 5}, after.Attempts[0])
	require.Nil(t, h.current().FailingSince)
	require.Equal(t, h.webhook.UpdatedAt, h.current().UpdatedAt, "the webhook was not changed by a person")
	job, err = h.DeliveryJob(t.Context(), h.try(d, 3))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryDelivered, job.Outcome.Status)
}

// An attempt uses the webhook's settings at the time of the attempt.
func TestAnAttemptUsesTheNewSecretAndURL(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	_, fresh, err := h.RotateWebhookSecret(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, false)
	require.NoError(t, err)
	_, err = h.UpdateWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, models.WebhookPatch{URL: new("https://new.example.com")})
	require.NoError(t, err)
	job, err := h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, []models.WebhookSecret{fresh, h.secret}, job.Secrets)
	require.Equal(t, "https://new.example.com", job.URL)
	require.Equal(t, bodyOf(h.Fixture, d), job.Body)
}

func TestA410DisablesTheWebhook(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	owner, _ := webhook(h.Fixture, subscribed("webhook.updated"))
	d, waiting := h.told("one"), h.told("two")
	h.MustExec("DELETE FROM outbox")
	require.Equal(t, models.DeliveryFailed, h.record(d, 1, 410, models.DeliveryVerdict{Status: models.DeliveryFailed, Gone: true}).Status)
	w := h.current()
	require.False(t, w.IsActive)
	require.Contains(t, w.DisabledReason, "410")
	entry := h.Audited(1)[0]
	require.Equal(t, models.ActorSystem, entry.ActorType)
	require.Equal(t, "webhook.updated", entry.Action)
	require.Equal(t, map[string]any{"isActive": map[string]any{"before": true, "after": false}, "reason": w.DisabledReason}, entry.Details)
	require.Len(t, deliveriesOf(h.Fixture, owner.ID), 1, "the other webhook is informed")
	cancelled := deliveriesOf(h.Fixture, h.webhook.ID)[0]
	require.Equal(t, waiting.ID, cancelled.ID)
	require.Equal(t, models.DeliveryCancelled, cancelled.Status)
	require.Equal(t, []string{`{"workflowId": "` + waiting.WorkflowID + `"}`}, h.Outbox(models.OutboxWebhookEnded))

	w, err := h.UpdateWebhook(t.Context(), h.Demo.ID, storetest.Alice, w.ID, models.WebhookPatch{IsActive: new(true)})
	require.NoError(t, err)
	require.Empty(t, w.DisabledReason)
	require.Nil(t, w.FailingSince)
}

func TestAWebhookThatFailsForFiveDaysIsDisabled(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("one")
	persistent := models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Hour, Persistent: true}
	h.record(d, 1, 500, again)
	h.now = h.now.Add(5*24*time.Hour - time.Second)
	h.record(d, 2, 500, persistent)
	require.True(t, h.current().IsActive)
	h.now = h.now.Add(time.Second)
	h.record(d, 3, 500, again)
	require.True(t, h.current().IsActive, "a single later failure does not count")
	require.Equal(t, models.DeliveryCancelled, h.record(d, 4, 500, persistent).Status)
	w := h.current()
	require.False(t, w.IsActive)
	require.Equal(t, "every attempt has failed since 2026-03-04T05:06:07Z", w.DisabledReason)
	require.Equal(t, w.DisabledReason, h.Audited(1)[0].Details["reason"])
	require.Len(t, deliveriesOf(h.Fixture, w.ID)[0].Attempts, 4)
}

func TestASuccessEndsTheFailing(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d, e := h.told("one"), h.told("two")
	h.record(d, 1, 500, again)
	h.now = h.now.Add(6 * 24 * time.Hour)
	h.record(e, 1, 200, models.DeliveryVerdict{Status: models.DeliveryDelivered})
	h.record(d, 2, 500, models.DeliveryVerdict{Status: models.DeliveryFailed, Persistent: true})
	require.True(t, h.current().IsActive)
	require.Equal(t, &h.now, h.current().FailingSince)
}

func TestWhatWasCancelledStaysSo(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("one")
	require.NoError(t, h.CancelDelivery(t.Context(), h.Demo.ID, d.ID))
	require.Equal(t, models.DeliveryCancelled, h.record(d, 1, 500, again).Status, "the attempt was already running")
	after := deliveriesOf(h.Fixture, h.webhook.ID)[0]
	require.Len(t, after.Attempts, 1)
	require.Equal(t, models.DeliveryCancelled, after.Status)
	require.Nil(t, h.current().FailingSince)

	// The webhook was disabled while the message was written.
	d = h.told("two")
	h.MustExec("UPDATE webhooks SET is_active = false")
	job, err := h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryCancelled, job.Outcome.Status)
	require.Equal(t, models.DeliveryCancelled, deliveriesOf(h.Fixture, h.webhook.ID)[0].Status)

	require.NoError(t, h.DeleteWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID))
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryCancelled, job.Outcome.Status)
	require.Equal(t, models.DeliveryCancelled, h.record(d, 1, 200, again).Status)
	require.NoError(t, h.CancelDelivery(t.Context(), h.Demo.ID, d.ID))
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("one")
	h.record(d, 1, 500, models.DeliveryVerdict{Status: models.DeliveryFailed})
	h.MustExec("DELETE FROM outbox")
	made, err := h.Redeliver(t.Context(), h.Demo.ID, h.webhook.ID, d.ID)
	require.NoError(t, err)
	require.Equal(t, [3]any{d.MessageID, d.Event, &d.ID}, [3]any{made.MessageID, made.Event, made.RedeliveryOf})
	require.Equal(t, bodyOf(h.Fixture, d), made.Body)
	require.Equal(t, models.DeliveryPending, made.Status)
	require.Len(t, h.Outbox(models.OutboxWebhookDeliver), 1)
	_, err = h.Redeliver(t.Context(), h.Demo.ID, h.webhook.ID, made.ID)
	require.NoError(t, err, "cancelling it again is not an error")

	other, _ := webhook(h.Fixture)
	_, err = h.Redeliver(t.Context(), h.Demo.ID, other.ID, d.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
	foreign := h.NewProject("other").ID
	_, err = h.Redeliver(t.Context(), foreign, h.webhook.ID, d.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = h.TestWebhook(t.Context(), foreign, storetest.Alice, h.webhook.ID)
	storetest.RequireCode(t, models.CodeNotFound, err)

	_, err = h.UpdateWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID, models.WebhookPatch{IsActive: new(bool)})
	require.NoError(t, err)
	_, err = h.Redeliver(t.Context(), h.Demo.ID, h.webhook.ID, d.ID)
	storetest.RequireCode(t, models.CodeInvalidTransition, err)
	_, err = h.TestWebhook(t.Context(), h.Demo.ID, storetest.Alice, h.webhook.ID)
	storetest.RequireCode(t, models.CodeInvalidTransition, err)
}

func TestTheBacklogOfWebhooks(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f, subscribed("branch.created"))
	pending, overdue, err := f.WebhookBacklog(t.Context())
	require.NoError(t, err)
	require.Zero(t, pending)
	require.Zero(t, overdue)
	for _, name := range []string{"a", "b", "c"} {
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
		require.NoError(t, err)
	}
	f.MustExec("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour'")
	pending, overdue, err = f.WebhookBacklog(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), pending)
	require.Zero(t, overdue, "they are not due yet")
	f.MustExec("UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE id = $1", deliveriesOf(f, w.ID)[0].ID)
	_, overdue, err = f.WebhookBacklog(t.Context())
	require.NoError(t, err)
	require.InDelta(t, time.Hour, overdue, float64(10*time.Minute))
}

func TestOldDeliveriesAreDeleted(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		h.record(h.told(name), 1, 200, models.DeliveryVerdict{Status: models.DeliveryDelivered})
	}
	pending := h.told("e")
	before := h.now.Add(time.Hour)
	deleted, err := h.DeleteDeliveries(t.Context(), h.now, 10)
	require.NoError(t, err)
	require.Zero(t, deleted)
	deleted, err = h.DeleteDeliveries(t.Context(), before, 3)
	require.NoError(t, err)
	require.Equal(t, int64(3), deleted)
	deleted, err = h.DeleteDeliveries(t.Context(), before, 3)
	require.NoError(t, err)
	require.Equal(t, int64(1), deleted)
	left := deliveriesOf(h.Fixture, h.webhook.ID)
	require.Len(t, left, 1)
	require.Equal(t, pending.ID, left[0].ID)
}
