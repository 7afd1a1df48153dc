package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateWebhook makes a webhook, with a new secret unless the caller gives one.
func (s *Store) CreateWebhook(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewWebhook,
) (models.Webhook, models.WebhookSecret, error) {
	secret := models.NewWebhookSecret()
	models.Assign(&secret, n.Secret)
	w, err := apply(ctx, s.edit, projectID, actor, n, func(c *change) (models.Webhook, error) {
		w := models.Webhook{
			ID: c.nextID(), ProjectID: projectID, URL: n.URL, Description: n.Description, Events: n.Events, IsActive: n.IsActive,
			CreatedAt: c.now(), UpdatedAt: c.now(),
		}
		if err := s.setSecret(&w, secret); err != nil {
			return w, err
		}
		c.create(&w)
		details := map[string]any{"url": w.URL, "events": w.Events, "isActive": w.IsActive, "description": w.Description}
		c.audit("webhook.created", "webhook", w.ID, details)
		return w, nil
	})
	return w, secret, err
}

// ListWebhooks returns a page of webhooks with their last delivery, newest first.
func (s *Store) ListWebhooks(ctx context.Context, projectID int64, page models.Page) ([]models.Webhook, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Webhook, error) {
		return allWith(tx, pageOf(tx, "webhooks", projectID, page), loadLastDeliveries)
	})
}

// UpdateWebhook changes the set fields of a webhook. Pending deliveries use the new values
// from their next attempt on; disabling the webhook cancels them.
func (s *Store) UpdateWebhook(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.WebhookPatch,
) (models.Webhook, error) {
	return apply(ctx, s.edit, projectID, actor, patch, func(c *change) (models.Webhook, error) {
		before, err := webhookByID(c.tx.Clauses(forChange), projectID, id)
		if err != nil {
			return before, err
		}
		w, err := s.patchWebhook(before, patch)
		if err != nil {
			return w, err
		}
		c.saveWebhook(&w, webhookDiff(before, w))
		found := []models.Webhook{w}
		err = loadLastDeliveries(c.tx, found)
		return found[0], err
	})
}

// RotateWebhookSecret replaces the webhook's secret, from the next attempt on.
func (s *Store) RotateWebhookSecret(
	ctx context.Context, projectID int64, actor models.Actor, id int64,
) (models.Webhook, models.WebhookSecret, error) {
	secret := models.NewWebhookSecret()
	w, err := s.UpdateWebhook(ctx, projectID, actor, id, models.WebhookPatch{Secret: &secret})
	return w, secret, err
}

// DeleteWebhook deletes a webhook and its deliveries, and cancels the pending ones.
func (s *Store) DeleteWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.edit(ctx, projectID, actor, func(c *change) error {
		w, err := webhookByID(c.tx.Clauses(forUpdate), projectID, id)
		if err != nil {
			return err
		}
		c.cancelPending(w)
		c.execEach(w.ID, "DELETE FROM webhook_deliveries WHERE webhook_id = ?", "DELETE FROM webhooks WHERE id = ?")
		c.audit("webhook.deleted", "webhook", w.ID, map[string]any{"url": w.URL, "events": w.Events})
		return nil
	})
}

// setSecret seals secret into w, which has its id already.
func (s *Store) setSecret(w *models.Webhook, secret models.WebhookSecret) (err error) {
	w.SecretHint = secret.Hint()
	w.SealedSecret, err = s.seal(webhookSecret, w.ID, []byte(secret.Reveal()))
	return err
}

// patchWebhook returns the webhook as the patch makes it, without writing it.
func (s *Store) patchWebhook(w models.Webhook, patch models.WebhookPatch) (models.Webhook, error) {
	if patch.URL != nil {
		if *patch.URL != w.URL {
			w.FailingSince = nil // that was another receiver
		}
		w.URL = *patch.URL
	}
	models.Assign(&w.Description, patch.Description)
	models.Assign(&w.Events, patch.Events)
	if patch.IsActive != nil {
		if *patch.IsActive && !w.IsActive {
			w.FailingSince, w.DisabledReason = nil, ""
		}
		w.IsActive = *patch.IsActive
	}
	if patch.Secret != nil {
		return w, s.setSecret(&w, *patch.Secret)
	}
	return w, nil
}

func webhookDiff(before, after models.Webhook) diff {
	fields := func(w models.Webhook) map[string]any {
		return map[string]any{"url": w.URL, "description": w.Description, "isActive": w.IsActive, "events": w.Events}
	}
	d := mapDiff(fields(before), fields(after))
	if before.SealedSecret != after.SealedSecret {
		d["secret"] = "replaced" // the log shows neither
	}
	return d
}

// saveWebhook writes changes of w, and cancels the pending deliveries of a disabled webhook.
func (c *change) saveWebhook(w *models.Webhook, changes diff) {
	if len(changes) == 0 {
		return
	}
	w.UpdatedAt = c.now()
	c.update(w, "URL", "Description", "Events", "IsActive", "SealedSecret", "SecretHint", "FailingSince", "DisabledReason", "UpdatedAt")
	if !w.IsActive {
		c.cancelPending(*w)
	}
	c.audit("webhook.updated", "webhook", w.ID, changes)
}

func webhookByID(tx *gorm.DB, projectID, id int64) (models.Webhook, error) {
	return one[models.Webhook](tx.Where("project_id = ? AND id = ?", projectID, id), "webhook %d", id)
}

// WebhookSecret returns the secret that signs the messages of a webhook.
func (s *Store) WebhookSecret(ctx context.Context, projectID, id int64) (models.WebhookSecret, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.WebhookSecret, error) {
		w, err := webhookByID(tx, projectID, id)
		if err != nil {
			return models.WebhookSecret{}, err
		}
		text, err := s.unseal(webhookSecret, w.ID, w.SealedSecret)
		return models.WebhookSecretOf(string(text)), err
	})
}
