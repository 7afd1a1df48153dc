package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

// hooked is a fixture with a webhook that hears of branches, and a clock that moves
// when it is told to.
type hooked struct {
	*fixture
	now     time.Time
	webhook models.Webhook
	secret  models.WebhookSecret
}

func setupHooked(t *testing.T) *hooked {
	t.Helper()
	h := &hooked{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	h.fixture = setup(t, store.WithNow(func() time.Time { return h.now }))
	h.webhook, h.secret = h.fixture.webhook(subscribed("branch.created"))
	return h
}

// told makes a change and returns its delivery.
func (h *hooked) told(name string) models.WebhookDelivery {
	h.t.Helper()
	_, err := h.CreateBranch(h.t.Context(), h.project.ID, alice, models.NewBranch{Name: name})
	require.NoError(h.t, err)
	return h.deliveries(h.webhook.ID)[0]
}

func (h *hooked) try(d models.WebhookDelivery, attempt int) models.DeliveryTry {
	return models.DeliveryTry{DeliveryID: d.ID, ProjectID: d.ProjectID, WebhookID: d.WebhookID, Attempt: attempt}
}

// record writes an attempt that was answered with a status.
func (h *hooked) record(d models.WebhookDelivery, attempt, status int, v models.DeliveryVerdict) models.DeliveryOutcome {
	h.t.Helper()
	o, err := h.RecordAttempt(h.t.Context(), h.try(d, attempt), models.DeliveryAttempt{At: h.now, ResponseStatus: &status, DurationMs: 5}, v)
	require.NoError(h.t, err)
	return o
}

func (h *hooked) current() models.Webhook {
	h.t.Helper()
	list, err := h.ListWebhooks(h.t.Context(), h.project.ID, models.Page{})
	require.NoError(h.t, err)
	for _, w := range list {
		if w.ID == h.webhook.ID {
			return w
		}
	}
	require.Fail(h.t, "the webhook is gone")
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
		Secrets: []models.WebhookSecret{h.secret}, Body: h.body(d)}, job)

	want := models.DeliveryOutcome{Status: models.DeliveryPending, Wait: time.Minute, ResponseStatus: 500}
	require.Equal(t, want, h.record(d, 1, 500, again))
	require.Equal(t, want, h.record(d, 1, 503, models.DeliveryVerdict{Status: models.DeliveryFailed}), "it is recorded")
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryJob{Outcome: &want}, job, "and is not made again")
	h.now = h.now.Add(50 * time.Second)
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, 10*time.Second, job.Outcome.Wait)
	require.Equal(t, &d.CreatedAt, h.current().FailingSince)

	require.Equal(t, models.DeliveryOutcome{Status: models.DeliveryDelivered, ResponseStatus: 200},
		h.record(d, 2, 200, models.DeliveryVerdict{Status: models.DeliveryDelivered}))
	after := h.deliveries(h.webhook.ID)[0]
	require.Equal(t, models.DeliveryDelivered, after.Status)
	require.Nil(t, after.NextAttemptAt)
	require.Len(t, after.Attempts, 2)
	require.Equal(t, models.DeliveryAttempt{At: d.CreatedAt, ResponseStatus: new(500), DurationMs: 5}, after.Attempts[0])
	require.Nil(t, h.current().FailingSince)
	require.Equal(t, h.webhook.UpdatedAt, h.current().UpdatedAt, "nobody changed it")
	job, err = h.DeliveryJob(t.Context(), h.try(d, 3))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryDelivered, job.Outcome.Status)
}

// An attempt uses what the webhook says when it is made.
func TestAnAttemptUsesTheNewSecretAndURL(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("next")
	_, fresh, err := h.RotateWebhookSecret(t.Context(), h.project.ID, alice, h.webhook.ID)
	require.NoError(t, err)
	_, err = h.UpdateWebhook(t.Context(), h.project.ID, alice, h.webhook.ID, models.WebhookPatch{URL: new("https://new.example.com")})
	require.NoError(t, err)
	job, err := h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, []models.WebhookSecret{fresh, h.secret}, job.Secrets)
	require.Equal(t, "https://new.example.com", job.URL)
	require.Equal(t, h.body(d), job.Body)
}

func TestA410DisablesTheWebhook(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	owner, _ := h.fixture.webhook(subscribed("webhook.updated"))
	d, waiting := h.told("one"), h.told("two")
	h.exec("DELETE FROM outbox")
	require.Equal(t, models.DeliveryFailed, h.record(d, 1, 410, models.DeliveryVerdict{Status: models.DeliveryFailed, Gone: true}).Status)
	w := h.current()
	require.False(t, w.IsActive)
	require.Contains(t, w.DisabledReason, "410")
	entry := h.audited(1)[0]
	require.Equal(t, models.ActorSystem, entry.ActorType)
	require.Equal(t, "webhook.updated", entry.Action)
	require.Equal(t, map[string]any{"isActive": map[string]any{"before": true, "after": false}, "reason": w.DisabledReason}, entry.Details)
	require.Len(t, h.deliveries(owner.ID), 1, "whoever wants to know is told")
	cancelled := h.deliveries(h.webhook.ID)[0]
	require.Equal(t, waiting.ID, cancelled.ID)
	require.Equal(t, models.DeliveryCancelled, cancelled.Status)
	require.Equal(t, []string{`{"workflowId": "` + waiting.WorkflowID + `"}`}, h.outbox(models.OutboxWebhookEnded))

	w, err := h.UpdateWebhook(t.Context(), h.project.ID, alice, w.ID, models.WebhookPatch{IsActive: new(true)})
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
	require.True(t, h.current().IsActive, "a hiccup long after does not count")
	require.Equal(t, models.DeliveryCancelled, h.record(d, 4, 500, persistent).Status)
	w := h.current()
	require.False(t, w.IsActive)
	require.Equal(t, "every attempt has failed since 2026-03-04T05:06:07Z", w.DisabledReason)
	require.Equal(t, w.DisabledReason, h.audited(1)[0].Details["reason"])
	require.Len(t, h.deliveries(w.ID)[0].Attempts, 4)
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
	require.NoError(t, h.CancelDelivery(t.Context(), h.project.ID, d.ID))
	require.Equal(t, models.DeliveryCancelled, h.record(d, 1, 500, again).Status, "it was under way")
	after := h.deliveries(h.webhook.ID)[0]
	require.Len(t, after.Attempts, 1)
	require.Equal(t, models.DeliveryCancelled, after.Status)
	require.Nil(t, h.current().FailingSince)

	// The webhook was disabled as the message was written.
	d = h.told("two")
	h.exec("UPDATE webhooks SET is_active = false")
	job, err := h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryCancelled, job.Outcome.Status)
	require.Equal(t, models.DeliveryCancelled, h.deliveries(h.webhook.ID)[0].Status)

	require.NoError(t, h.DeleteWebhook(t.Context(), h.project.ID, alice, h.webhook.ID))
	job, err = h.DeliveryJob(t.Context(), h.try(d, 1))
	require.NoError(t, err)
	require.Equal(t, models.DeliveryCancelled, job.Outcome.Status)
	require.Equal(t, models.DeliveryCancelled, h.record(d, 1, 200, again).Status)
	require.NoError(t, h.CancelDelivery(t.Context(), h.project.ID, d.ID))
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	h := setupHooked(t)
	d := h.told("one")
	h.record(d, 1, 500, models.DeliveryVerdict{Status: models.DeliveryFailed})
	h.exec("DELETE FROM outbox")
	made, err := h.Redeliver(t.Context(), h.project.ID, h.webhook.ID, d.ID)
	require.NoError(t, err)
	require.Equal(t, [3]any{d.MessageID, d.Event, &d.ID}, [3]any{made.MessageID, made.Event, made.RedeliveryOf})
	require.Equal(t, h.body(d), made.Body)
	require.Equal(t, models.DeliveryPending, made.Status)
	require.Len(t, h.outbox(models.OutboxWebhookDeliver), 1)
	_, err = h.Redeliver(t.Context(), h.project.ID, h.webhook.ID, made.ID)
	require.NoError(t, err, "and that again")

	other, _ := h.fixture.webhook()
	_, err = h.Redeliver(t.Context(), h.project.ID, other.ID, d.ID)
	requireCode(t, models.CodeNotFound, err)
	foreign := h.newProject("other").ID
	_, err = h.Redeliver(t.Context(), foreign, h.webhook.ID, d.ID)
	requireCode(t, models.CodeNotFound, err)
	_, err = h.TestWebhook(t.Context(), foreign, alice, h.webhook.ID)
	requireCode(t, models.CodeNotFound, err)

	_, err = h.UpdateWebhook(t.Context(), h.project.ID, alice, h.webhook.ID, models.WebhookPatch{IsActive: new(bool)})
	require.NoError(t, err)
	_, err = h.Redeliver(t.Context(), h.project.ID, h.webhook.ID, d.ID)
	requireCode(t, models.CodeInvalidTransition, err)
	_, err = h.TestWebhook(t.Context(), h.project.ID, alice, h.webhook.ID)
	requireCode(t, models.CodeInvalidTransition, err)
}

func TestTheBacklogOfWebhooks(t *testing.T) {
	t.Parallel()
	f := setup(t)
	w, _ := f.webhook(subscribed("branch.created"))
	pending, overdue, err := f.WebhookBacklog(t.Context())
	require.NoError(t, err)
	require.Zero(t, pending)
	require.Zero(t, overdue)
	for _, name := range []string{"a", "b", "c"} {
		_, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: name})
		require.NoError(t, err)
	}
	f.exec("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 hour'")
	pending, overdue, err = f.WebhookBacklog(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(3), pending)
	require.Zero(t, overdue, "they wait for their time")
	f.exec("UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE id = $1", f.deliveries(w.ID)[0].ID)
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
	left := h.deliveries(h.webhook.ID)
	require.Len(t, left, 1)
	require.Equal(t, pending.ID, left[0].ID)
}
