package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// ListWebhookDeliveries returns a page of a webhook's deliveries, newest first.
func (s *Store) ListWebhookDeliveries(ctx context.Context, projectID, webhookID int64, page models.Page) (deliveries []models.WebhookDelivery, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		if _, err := webhookByID(tx, projectID, webhookID); err != nil {
			return err
		}
		deliveries, err = all[models.WebhookDelivery](pageBy(tx, "webhook_deliveries", "webhook_id", webhookID, page))
		return err
	})
	return deliveries, err
}

// loadLastDeliveries fills in the newest delivery of each webhook. Its cost does
// not depend on how many deliveries there are: see pageOf for the array, without
// which a webhook that has none is looked for among those of all others.
func loadLastDeliveries(tx *gorm.DB, webhooks []models.Webhook) error {
	at, ids := indexed(webhooks, func(w *models.Webhook) int64 { return w.ID })
	deliveries, err := all[models.WebhookDelivery](tx.Raw(`SELECT d.* FROM webhooks AS w CROSS JOIN LATERAL
		(SELECT * FROM webhook_deliveries WHERE webhook_id = ANY (ARRAY[w.id]) ORDER BY webhook_id DESC, id DESC LIMIT 1) AS d WHERE w.id IN ?`, ids))
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
