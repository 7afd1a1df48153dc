package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/models"
)

// webhookActor disables webhooks.
var webhookActor = models.SystemActor("webhooks")

// forChange locks the rows read against other changes, but not against new rows that
// refer to them: messages are still written meanwhile.
var forChange = clause.Locking{Strength: "NO KEY UPDATE"}

// ListWebhookDeliveries returns a page of a webhook's deliveries, newest first.
func (s *Store) ListWebhookDeliveries(ctx context.Context, projectID, webhookID int64, page models.Page) (deliveries []models.WebhookDelivery, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		if _, err := webhookByID(tx, projectID, webhookID); err != nil {
			return err
		}
		deliveries, err = all[models.WebhookDelivery](pageBy(tx.Omit("body"), "webhook_deliveries", "webhook_id", webhookID, page))
		return err
	})
	return deliveries, err
}

// TestWebhook sends a message of models.EventTest to a webhook, whatever it subscribes
// to, and returns the pending delivery.
func (s *Store) TestWebhook(ctx context.Context, projectID int64, actor models.Actor, webhookID int64) (models.WebhookDelivery, error) {
	return s.send(ctx, projectID, webhookID, func(tx *gorm.DB, id int64, w models.Webhook) error {
		return sendTest(tx, id, w, actor)
	})
}

// Redeliver sends the message of a delivery again, whatever its status, and returns the
// new pending delivery.
func (s *Store) Redeliver(ctx context.Context, projectID, webhookID, deliveryID int64) (models.WebhookDelivery, error) {
	return s.send(ctx, projectID, webhookID, func(tx *gorm.DB, id int64, w models.Webhook) error {
		d, err := deliveryByID(tx, projectID, deliveryID)
		if err == nil && d.WebhookID != w.ID {
			err = models.Errorf(models.CodeNotFound, "webhook %d has no delivery %d", w.ID, deliveryID)
		}
		if err != nil {
			return err
		}
		return sendAgain(tx, id, d.ID)
	})
}

// send makes one delivery to an active webhook.
func (s *Store) send(ctx context.Context, projectID, webhookID int64, make func(tx *gorm.DB, id int64, w models.Webhook) error) (d models.WebhookDelivery, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		w, err := webhookByID(tx.Clauses(forChange), projectID, webhookID)
		if err != nil {
			return err
		}
		if !w.IsActive {
			return models.Errorf(models.CodeInvalidTransition, "webhook %d is disabled; set isActive to true first", w.ID)
		}
		id, err := nextID(tx)
		if err != nil {
			return err
		}
		if err := make(tx, id, w); err != nil {
			return err
		}
		d, err = deliveryByID(tx, projectID, id)
		return err
	})
	return d, err
}

// DeliveryJob returns what an attempt needs, or why there is nothing to send: see
// models.DeliveryJob. A delivery or webhook that is gone counts as cancelled.
func (s *Store) DeliveryJob(ctx context.Context, t models.DeliveryTry) (job models.DeliveryJob, err error) {
	disabled := false
	err = s.read(ctx, func(tx *gorm.DB) error {
		job = models.DeliveryJob{}
		w, d, err := webhookAndDelivery(tx, t)
		if err != nil {
			return err
		}
		if d.Status != models.DeliveryPending || len(d.Attempts) >= t.Attempt {
			job.Outcome = outcomeOf(tx, d, t)
			return nil
		}
		if disabled = !w.IsActive; disabled { // while the message was being written
			return nil
		}
		text, err := s.unseal(webhookSecret, w.ID, w.SealedSecret)
		if err != nil {
			return err
		}
		job = models.DeliveryJob{MessageID: d.MessageID, URL: w.URL, Body: d.Body, Secret: models.WebhookSecretOf(string(text))}
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

// RecordAttempt writes the result of an attempt and its consequences for the delivery
// and the webhook. It is idempotent, since attempts are numbered. An attempt that was
// under way when the delivery was cancelled is recorded and changes nothing else.
func (s *Store) RecordAttempt(ctx context.Context, t models.DeliveryTry, a models.DeliveryAttempt, v models.DeliveryVerdict) (o models.DeliveryOutcome, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		w, d, err := webhookAndDelivery(tx.Clauses(forChange).Session(&gorm.Session{}), t)
		if err != nil {
			return err
		}
		if len(d.Attempts) < t.Attempt {
			if err := recordAttempt(tx, w, &d, a, v); err != nil {
				return err
			}
		}
		o = *outcomeOf(tx, d, t)
		return nil
	})
	if models.CodeOf(err) == models.CodeNotFound {
		return models.DeliveryOutcome{Status: models.DeliveryCancelled}, nil
	}
	return o, err
}

func recordAttempt(tx *gorm.DB, w models.Webhook, d *models.WebhookDelivery, a models.DeliveryAttempt, v models.DeliveryVerdict) error {
	d.Attempts = append(d.Attempts, a)
	judged := d.Status == models.DeliveryPending
	if judged {
		d.Status, d.NextAttemptAt = v.Status, nil
		if v.Status == models.DeliveryPending {
			next := tx.NowFunc().Add(v.Wait)
			d.NextAttemptAt = &next
		}
	}
	if err := tx.Model(d).Select("Attempts", "Status", "NextAttemptAt").Updates(d).Error; err != nil || !judged {
		return err
	}
	if err := judgeWebhook(tx, w, v); err != nil {
		return err
	}
	if d.Status != models.DeliveryPending {
		return nil
	}
	// Disabling the webhook may have cancelled this delivery.
	after, err := deliveryByID(tx, d.ProjectID, d.ID)
	*d = after
	return err
}

// judgeWebhook records since when a webhook fails, and disables it when the receiver
// answers 410 Gone or has failed for models.WebhookFailingLimit.
func judgeWebhook(tx *gorm.DB, w models.Webhook, v models.DeliveryVerdict) error {
	now := tx.NowFunc()
	if v.Status == models.DeliveryDelivered {
		if w.FailingSince == nil {
			return nil
		}
		return tx.Model(&w).UpdateColumn("failing_since", nil).Error
	}
	switch {
	case v.Gone:
		return disableWebhook(tx, w, "the receiver answered 410 Gone: it wants no more messages")
	case w.FailingSince == nil:
		return tx.Model(&w).UpdateColumn("failing_since", now).Error
	case v.Persistent && now.Sub(*w.FailingSince) >= models.WebhookFailingLimit:
		return disableWebhook(tx, w, "every attempt has failed since "+w.FailingSince.UTC().Format(time.RFC3339))
	default:
		return nil
	}
}

// disableWebhook disables a webhook on Waft's behalf, with an audit entry that other
// webhooks can subscribe to.
func disableWebhook(tx *gorm.DB, w models.Webhook, reason string) error {
	if !w.IsActive {
		return nil
	}
	before := w
	w.IsActive, w.DisabledReason = false, reason
	changes := webhookDiff(before, w)
	changes["reason"] = reason
	return saveWebhook(tx, webhookActor, &w, changes)
}

// CancelDelivery ends a delivery that is pending. One that is gone is no error.
func (s *Store) CancelDelivery(ctx context.Context, projectID, deliveryID int64) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE webhook_deliveries SET status = ?, next_attempt_at = NULL WHERE project_id = ? AND id = ? AND status = ?",
			models.DeliveryCancelled, projectID, deliveryID, models.DeliveryPending).Error
	})
}

// cancelPending ends every pending delivery of a webhook and tells their workflows,
// which may be waiting for up to a day.
func cancelPending(tx *gorm.DB, w models.Webhook) error {
	return tx.Exec(`WITH ended AS (
			UPDATE webhook_deliveries SET status = ?, next_attempt_at = NULL WHERE webhook_id = ? AND status = ? RETURNING project_id, workflow_id
		), promised AS (
			INSERT INTO outbox (project_id, kind, priority, payload)
			SELECT project_id, ?, 1, jsonb_build_object('workflowId', workflow_id) FROM ended RETURNING id
		)
		SELECT pg_notify(?, '') FROM promised`,
		models.DeliveryCancelled, w.ID, models.DeliveryPending, models.OutboxWebhookEnded, models.NotifyOutbox).Error
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

// webhookAndDelivery reads both, the webhook first, in the order in which DeleteWebhook
// locks them, so that the two do not deadlock.
func webhookAndDelivery(tx *gorm.DB, t models.DeliveryTry) (w models.Webhook, d models.WebhookDelivery, err error) {
	if w, err = webhookByID(tx, t.ProjectID, t.WebhookID); err == nil {
		d, err = deliveryByID(tx, t.ProjectID, t.DeliveryID)
	}
	return w, d, err
}

func deliveryByID(tx *gorm.DB, projectID, id int64) (models.WebhookDelivery, error) {
	return one[models.WebhookDelivery](tx.Where("project_id = ? AND id = ?", projectID, id), "webhook delivery %d", id)
}

// loadLastDeliveries fills in the newest delivery of each webhook. Its cost does
// not depend on how many deliveries there are: see pageOf for the array, without
// which a webhook that has none is looked for among those of all others.
func loadLastDeliveries(tx *gorm.DB, webhooks []models.Webhook) error {
	at, ids := indexed(webhooks, func(w *models.Webhook) int64 { return w.ID })
	deliveries, err := all[models.WebhookDelivery](tx.Raw(`SELECT d.* FROM webhooks AS w CROSS JOIN LATERAL
		(SELECT id, project_id, webhook_id, message_id, event, status, attempts, next_attempt_at, workflow_id, redelivery_of, created_at
		FROM webhook_deliveries WHERE webhook_id = ANY (ARRAY[w.id]) ORDER BY webhook_id DESC, id DESC LIMIT 1) AS d WHERE w.id IN ?`, ids))
	for i := range deliveries {
		at[deliveries[i].WebhookID].LastDelivery = &deliveries[i]
	}
	return err
}

func loadLastDelivery(tx *gorm.DB, w *models.Webhook) error {
	one := []models.Webhook{*w}
	err := loadLastDeliveries(tx, one)
	w.LastDelivery = one[0].LastDelivery
	return err
}
