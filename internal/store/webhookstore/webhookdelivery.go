package webhookstore

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// webhookActor is the actor that disables webhooks.
var webhookActor = models.SystemActor("webhooks")

var deliveryList = pg.List{
	Table: "webhook_deliveries", Owner: "webhook_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("webhook_deliveries.created_at"), "event": pg.ByText("webhook_deliveries.event"),
		"status": pg.ByText("webhook_deliveries.status"),
	},
}

// ListWebhookDeliveries returns a page of a webhook's deliveries, newest first.
func (s *Webhooks) ListWebhookDeliveries(
	ctx context.Context, projectID, webhookID int64, f models.DeliveryFilter, page models.Page,
) ([]models.WebhookDelivery, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.WebhookDelivery, error) {
		if _, err := webhookByID(tx, projectID, webhookID); err != nil {
			return nil, err
		}
		q := pg.WhereSet(pg.WhereSet(tx, "status", string(f.Status)), "event", f.Event)
		deliveries, err := pg.RowsWith(tx, q, deliveryList, webhookID, page, loadSubjects)
		for i := range deliveries {
			deliveries[i].Body = "" // a page of messages can be large
		}
		return deliveries, err
	})
}

// TestWebhook sends a test message (models.EventTest) and returns the pending delivery.
func (s *Webhooks) TestWebhook(
	ctx context.Context, projectID int64, actor models.Actor, webhookID int64,
) (models.WebhookDelivery, error) {
	return s.send(ctx, projectID, webhookID, func(c *unit.Change, id int64, w models.Webhook) error {
		message, err := models.TestMessage(w, actor, c.Now())
		if err == nil {
			c.Exec(sendTestSQL, models.EventTest, message.Head, message.Tail, c.Now(), id, w.ID,
				models.OutboxWebhookDeliver, models.NotifyOutbox)
		}
		return err
	})
}

// Redeliver sends the message of a delivery again and returns the new pending delivery.
func (s *Webhooks) Redeliver(ctx context.Context, projectID, webhookID, deliveryID int64) (models.WebhookDelivery, error) {
	return s.send(ctx, projectID, webhookID, func(c *unit.Change, id int64, w models.Webhook) error {
		d, err := deliveryByID(c.Tx, projectID, deliveryID)
		if err == nil && d.WebhookID != w.ID {
			err = models.Errorf(models.CodeNotFound, "webhook %d does not have a delivery %d", w.ID, deliveryID)
		}
		if err != nil {
			return err
		}
		c.Exec(sendAgainSQL, c.Now(), id, d.ID, models.OutboxWebhookDeliver, models.NotifyOutbox)
		return nil
	})
}

// send creates one delivery to an active webhook.
func (s *Webhooks) send(
	ctx context.Context, projectID, webhookID int64, insert func(c *unit.Change, id int64, w models.Webhook) error,
) (d models.WebhookDelivery, err error) {
	err = s.units.Edit(ctx, projectID, models.Actor{}, func(c *unit.Change) error {
		w, err := webhookByID(c.Tx.Clauses(pg.ForChange), projectID, webhookID)
		if err != nil {
			return err
		}
		if !w.IsActive {
			return models.Errorf(models.CodeInvalidTransition, "webhook %d is disabled; set isActive to true first", w.ID)
		}
		id := c.NextID()
		if err := insert(c, id, w); err != nil {
			return err
		}
		sent := []models.WebhookDelivery{{}}
		if sent[0], err = deliveryByID(c.Tx, projectID, id); err == nil {
			err = loadSubjects(c.Tx, sent)
		}
		d = sent[0]
		return err
	})
	return d, err
}

// loadSubjects fills in the records that the messages of a project's deliveries are about.
func loadSubjects(tx *gorm.DB, deliveries []models.WebhookDelivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	entries := make([]models.AuditEntry, len(deliveries))
	for i, d := range deliveries {
		entries[i] = models.MessageEntry(d.Body)
	}
	if err := unit.LoadSubjects(tx, deliveries[0].ProjectID, entries); err != nil {
		return err
	}
	for i := range deliveries {
		if entries[i].Subject.ID != "" {
			deliveries[i].Subject = &entries[i].Subject
		}
	}
	return nil
}

// DeliveryJob returns the data for an attempt or, if there is nothing to send, the outcome of the delivery: see
// models.DeliveryJob. If the delivery or webhook no longer exists, the outcome is cancelled.
func (s *Webhooks) DeliveryJob(ctx context.Context, t models.DeliveryTry) (job models.DeliveryJob, err error) {
	disabled := false
	err = s.db.Read(ctx, func(tx *gorm.DB) error {
		job = models.DeliveryJob{}
		w, d, err := webhookAndDelivery(tx, t)
		if err != nil {
			return err
		}
		if d.Status != models.DeliveryPending || len(d.Attempts) >= t.Attempt {
			job.Outcome = outcomeOf(tx, d, t)
			return nil
		}
		if disabled = !w.IsActive; disabled { // it was disabled after the message was written
			return nil
		}
		secrets, err := s.signingSecrets(w, tx.NowFunc())
		if err != nil {
			return err
		}
		job = models.DeliveryJob{MessageID: d.MessageID, URL: w.URL, Format: w.Format, Body: d.Body, Secrets: secrets}
		return nil
	})
	switch cancelled := (models.DeliveryJob{Outcome: &models.DeliveryOutcome{Status: models.DeliveryCancelled}}); {
	case models.CodeOf(err) == models.CodeNotFound:
		return cancelled, nil
	case err == nil && disabled:
		return cancelled, s.CancelDelivery(ctx, t.ProjectID, t.DeliveryID)
	default:
		return job, err
	}
}

// RecordAttempt writes the result of an attempt and its consequences for the delivery and the webhook. It is
// idempotent, because attempts are numbered. An attempt that was running when the delivery was cancelled is recorded
// but has no other consequences.
func (s *Webhooks) RecordAttempt(
	ctx context.Context, t models.DeliveryTry, a models.DeliveryAttempt, v models.DeliveryVerdict,
) (o models.DeliveryOutcome, err error) {
	err = s.units.Edit(ctx, t.ProjectID, webhookActor, func(c *unit.Change) error {
		w, d, err := webhookAndDelivery(c.Tx.Clauses(pg.ForChange).Session(&gorm.Session{}), t)
		if err != nil {
			return err
		}
		if len(d.Attempts) < t.Attempt {
			if d, err = recordAttempt(c, w, d, a, v); err != nil {
				return err
			}
		}
		o = *outcomeOf(c.Tx, d, t)
		return nil
	})
	if models.CodeOf(err) == models.CodeNotFound {
		return models.DeliveryOutcome{Status: models.DeliveryCancelled}, nil
	}
	return o, err
}

// recordAttempt writes an attempt and returns the delivery's new state.
func recordAttempt(
	c *unit.Change, w models.Webhook, d models.WebhookDelivery, a models.DeliveryAttempt, v models.DeliveryVerdict,
) (models.WebhookDelivery, error) {
	d.Attempts = append(d.Attempts, a)
	judged := d.Status == models.DeliveryPending
	if judged {
		d.Status, d.NextAttemptAt = v.Status, nil
		if v.Status == models.DeliveryPending {
			d.NextAttemptAt = new(c.Now().Add(v.Wait))
		}
	}
	c.Update(&d, "Attempts", "Status", "NextAttemptAt")
	if judged {
		judgeWebhook(c, w, v)
	}
	if d.Status != models.DeliveryPending {
		return d, nil
	}
	// If the webhook was disabled, that may have cancelled this delivery.
	return deliveryByID(c.Tx, d.ProjectID, d.ID)
}

// judgeWebhook records since when a webhook has been failing. It disables the webhook if the receiver responds with 410
// Gone or has failed for models.WebhookFailingLimit.
func judgeWebhook(c *unit.Change, w models.Webhook, v models.DeliveryVerdict) {
	now := c.Now()
	switch {
	case v.Status == models.DeliveryDelivered:
		if w.FailingSince != nil {
			c.Exec("UPDATE webhooks SET failing_since = NULL WHERE id = ?", w.ID)
		}
	case v.Gone:
		disableWebhook(c, w, "the receiver responded with 410 Gone, which means that it does not want any more messages")
	case w.FailingSince == nil:
		c.Exec("UPDATE webhooks SET failing_since = ? WHERE id = ?", now, w.ID)
	case v.Persistent && now.Sub(*w.FailingSince) >= models.WebhookFailingLimit:
		disableWebhook(c, w, "every attempt has failed since "+w.FailingSince.UTC().Format(time.RFC3339))
	}
}

// disableWebhook disables a webhook. Other webhooks can subscribe to the audit entry about that.
func disableWebhook(c *unit.Change, w models.Webhook, reason string) {
	if !w.IsActive {
		return
	}
	before := w
	w.IsActive, w.DisabledReason = false, reason
	changes := webhookDiff(before, w)
	changes["reason"] = reason
	saveWebhook(c, &w, changes)
}

// CancelDelivery ends a pending delivery. It ignores a delivery that no longer exists.
func (s *Webhooks) CancelDelivery(ctx context.Context, projectID, deliveryID int64) error {
	return s.db.Exec(ctx, "UPDATE webhook_deliveries SET status = ?, next_attempt_at = NULL WHERE project_id = ? AND id = ? AND status = ?",
		models.DeliveryCancelled, projectID, deliveryID, models.DeliveryPending)
}

// cancelPending ends the pending deliveries of a webhook and informs their workflows, which could otherwise wait for a
// long time.
func cancelPending(c *unit.Change, w models.Webhook) {
	c.Exec(`WITH ended AS (
			UPDATE webhook_deliveries SET status = ?, next_attempt_at = NULL WHERE webhook_id = ? AND status = ? RETURNING project_id, workflow_id
		), promised AS (
			INSERT INTO outbox (project_id, kind, priority, payload)
			SELECT project_id, ?, 1, jsonb_build_object('workflowId', workflow_id) FROM ended RETURNING id
		)
		SELECT pg_notify(?, '') FROM promised`,
		models.DeliveryCancelled, w.ID, models.DeliveryPending, models.OutboxWebhookEnded, models.NotifyOutbox)
}

// outcomeOf returns the state of a delivery after an attempt.
func outcomeOf(tx *gorm.DB, d models.WebhookDelivery, t models.DeliveryTry) *models.DeliveryOutcome {
	o := models.DeliveryOutcome{Status: d.Status}
	if d.NextAttemptAt != nil {
		o.Wait = max(0, d.NextAttemptAt.Sub(tx.NowFunc()))
	}
	if len(d.Attempts) >= t.Attempt {
		if status := d.Attempts[t.Attempt-1].ResponseStatus; status != nil {
			o.ResponseStatus = *status
		}
	}
	return &o
}

// webhookAndDelivery returns a webhook and a delivery. It reads the webhook first, because DeleteWebhook locks them in
// that order; so the two cannot deadlock.
func webhookAndDelivery(tx *gorm.DB, t models.DeliveryTry) (w models.Webhook, d models.WebhookDelivery, err error) {
	if w, err = webhookByID(tx, t.ProjectID, t.WebhookID); err == nil {
		d, err = deliveryByID(tx, t.ProjectID, t.DeliveryID)
	}
	return w, d, err
}

func deliveryByID(tx *gorm.DB, projectID, id int64) (models.WebhookDelivery, error) {
	return pg.One[models.WebhookDelivery](tx.Where("project_id = ? AND id = ?", projectID, id), "webhook delivery %d", id)
}

// loadLastDeliveries fills in the newest delivery of each webhook. Its cost does not depend on the number of
// deliveries: see pg.Rows for the reason why the query uses an array.
func loadLastDeliveries(tx *gorm.DB, webhooks []models.Webhook) error {
	at, ids := pg.Indexed(webhooks, func(w *models.Webhook) int64 { return w.ID })
	deliveries, err := pg.All[models.WebhookDelivery](tx.Raw(`SELECT d.* FROM webhooks AS w CROSS JOIN LATERAL
		(SELECT id, project_id, webhook_id, message_id, event, status, attempts, next_attempt_at, workflow_id, redelivery_of, created_at
		FROM webhook_deliveries WHERE webhook_id = ANY (ARRAY[w.id]) ORDER BY webhook_id DESC, id DESC LIMIT 1) AS d WHERE w.id IN ?`, ids))
	for i := range deliveries {
		at[deliveries[i].WebhookID].LastDelivery = &deliveries[i]
	}
	return err
}

func loadLastDelivery(tx *gorm.DB, w *models.Webhook) error {
	found := []models.Webhook{*w}
	err := loadLastDeliveries(tx, found)
	*w = found[0]
	return err
}

// WebhookBacklog returns the number of pending webhook deliveries, and by how much the most overdue one has passed the
// time of its next attempt. overdue is 0 if no deliveries are pending.
func (s *Webhooks) WebhookBacklog(ctx context.Context) (pending int64, overdue time.Duration, err error) {
	return s.db.Backlog(ctx, "webhook_deliveries WHERE status = 'pending'", "next_attempt_at")
}

// DeleteDeliveries deletes up to limit deliveries that have ended and are older than before, and returns their number.
// Several processes may call it at the same time.
func (s *Webhooks) DeleteDeliveries(ctx context.Context, before time.Time, limit int) (deleted int64, err error) {
	return s.db.ExecCounted(ctx, `DELETE FROM webhook_deliveries WHERE id IN (
			SELECT id FROM webhook_deliveries WHERE status <> 'pending' AND created_at < ?
			ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)`, before, limit)
}
