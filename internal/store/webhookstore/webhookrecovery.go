package webhookstore

import (
	"context"
	"time"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// failedSQL selects the messages of a webhook that failed since a given time. If a message was sent more than once,
// only the newest delivery counts; messages with a pending or successful delivery are skipped.
const failedSQL = `FROM webhook_deliveries AS d
	WHERE d.webhook_id = ? AND d.status = 'failed' AND d.created_at >= ? AND NOT EXISTS (
		SELECT FROM webhook_deliveries AS later
		WHERE later.webhook_id = d.webhook_id AND later.message_id = d.message_id
			AND (later.id > d.id OR later.status IN ('pending', 'delivered')))`

// recoverSQL creates deliveries of the messages that failed, oldest first.
const recoverSQL = `
	WITH due AS MATERIALIZED (
		SELECT nextval('waft_ids') AS id, failed.*, p.slug FROM (
			SELECT d.project_id, d.webhook_id, d.message_id, d.event, d.body, d.id AS redelivery_of, ?::timestamptz AS created_at
			` + failedSQL + ` ORDER BY d.id LIMIT ?) AS failed JOIN projects AS p ON p.id = failed.project_id
		FOR KEY SHARE OF p
	), ` + unit.DeliverDueSQL

// RecoverWebhook sends up to models.MaxRecovered messages that failed since a given time again. It locks the webhook,
// so that it does not repeat messages that a concurrent call is already sending again.
func (s *Webhooks) RecoverWebhook(
	ctx context.Context, projectID int64, actor models.Actor, webhookID int64, since time.Time,
) (r models.WebhookRecovery, err error) {
	err = s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		r = models.WebhookRecovery{}
		w, err := webhookByID(c.Tx.Clauses(pg.ForChange), projectID, webhookID)
		if err != nil {
			return err
		}
		if !w.IsActive {
			return models.Errorf(models.CodeInvalidTransition, "webhook %d is disabled; set isActive to true first", w.ID)
		}
		var failed int64
		if err := c.Tx.Raw("SELECT count(*) "+failedSQL, w.ID, since).Scan(&failed).Error; err != nil || failed == 0 {
			return err
		}
		c.Exec(recoverSQL, c.Now(), w.ID, since, models.MaxRecovered, models.OutboxWebhookDeliver, models.NotifyOutbox)
		r.Redelivered = min(failed, models.MaxRecovered)
		r.Remaining = failed - r.Redelivered
		c.Audit("webhook.recovered", "webhook", w.ID, map[string]any{"url": w.MaskedURL(), "since": since, "redelivered": r.Redelivered})
		return nil
	})
	return r, err
}
