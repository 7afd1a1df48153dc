package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateWebhook makes a webhook and returns it with its secret, which is made when
// the caller has none.
func (s *Store) CreateWebhook(ctx context.Context, projectID int64, actor models.Actor, n models.NewWebhook) (models.Webhook, models.WebhookSecret, error) {
	if err := n.Validate(); err != nil {
		return models.Webhook{}, models.WebhookSecret{}, err
	}
	secret := models.NewWebhookSecret()
	models.Assign(&secret, n.Secret)
	var w models.Webhook
	err := s.write(ctx, func(tx *gorm.DB) error {
		id, err := nextID(tx)
		if err != nil {
			return err
		}
		w = models.Webhook{
			ID: id, ProjectID: projectID, URL: n.URL, Description: n.Description, Events: n.Events, IsActive: n.IsActive,
			CreatedAt: tx.NowFunc(), UpdatedAt: tx.NowFunc(),
		}
		if err := s.setSecret(&w, secret); err != nil {
			return err
		}
		if err := tx.Create(&w).Error; err != nil {
			return err
		}
		details := map[string]any{"url": w.URL, "events": w.Events, "isActive": w.IsActive, "description": w.Description}
		return audit(tx, projectID, actor, actionWebhookCreated, entityWebhook, w.ID, details)
	})
	return w, secret, err
}

// ListWebhooks returns a page of the project's webhooks with their last delivery,
// newest first.
func (s *Store) ListWebhooks(ctx context.Context, projectID int64, page models.Page) ([]models.Webhook, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Webhook, error) {
		return allWith(tx, pageOf(tx, "webhooks", projectID, page), loadLastDeliveries)
	})
}

// UpdateWebhook changes the set fields of a webhook. Pending deliveries use the new
// values from their next attempt on; disabling the webhook cancels them.
func (s *Store) UpdateWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.WebhookPatch) (w models.Webhook, err error) {
	if err := patch.Validate(); err != nil {
		return models.Webhook{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		before, err := webhookByID(tx.Clauses(forChange), projectID, id)
		if err != nil {
			return err
		}
		if w, err = s.patchWebhook(before, patch); err != nil {
			return err
		}
		if err := saveWebhook(tx, actor, &w, webhookDiff(before, w)); err != nil {
			return err
		}
		return loadLastDelivery(tx, &w)
	})
	return w, err
}

// RotateWebhookSecret gives the webhook a new secret and returns it. The old one
// signs nothing from then on.
func (s *Store) RotateWebhookSecret(ctx context.Context, projectID int64, actor models.Actor, id int64) (models.Webhook, models.WebhookSecret, error) {
	secret := models.NewWebhookSecret()
	w, err := s.UpdateWebhook(ctx, projectID, actor, id, models.WebhookPatch{Secret: &secret})
	return w, secret, err
}

// DeleteWebhook deletes a webhook and its deliveries, and cancels the pending ones.
func (s *Store) DeleteWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		w, err := webhookByID(tx.Clauses(forUpdate), projectID, id)
		if err != nil {
			return err
		}
		if err := cancelPending(tx, w); err != nil {
			return err
		}
		err = execEach(tx, w.ID, "DELETE FROM webhook_deliveries WHERE webhook_id = ?", "DELETE FROM webhooks WHERE id = ?")
		if err != nil {
			return err
		}
		details := map[string]any{"url": w.URL, "events": w.Events}
		return audit(tx, projectID, actor, actionWebhookDeleted, entityWebhook, w.ID, details)
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
	d := diff{}
	note(d, "url", before.URL, after.URL)
	note(d, "description", before.Description, after.Description)
	note(d, "isActive", before.IsActive, after.IsActive)
	note(d, "events", before.Events, after.Events)
	if before.SealedSecret != after.SealedSecret {
		d["secret"] = "replaced" // neither one is for the log
	}
	return d
}

// saveWebhook writes the fields of w that may change, unless none did, and cancels the
// pending deliveries of one that is not active.
func saveWebhook(tx *gorm.DB, actor models.Actor, w *models.Webhook, changes diff) error {
	if len(changes) == 0 {
		return nil
	}
	w.UpdatedAt = tx.NowFunc()
	err := tx.Model(w).Select("URL", "Description", "Events", "IsActive", "SealedSecret", "SecretHint", "FailingSince", "DisabledReason", "UpdatedAt").Updates(w).Error
	if err != nil {
		return err
	}
	if !w.IsActive {
		if err := cancelPending(tx, *w); err != nil {
			return err
		}
	}
	return audit(tx, w.ProjectID, actor, actionWebhookUpdated, entityWebhook, w.ID, changes)
}

func webhookByID(tx *gorm.DB, projectID, id int64) (models.Webhook, error) {
	return one[models.Webhook](tx.Where("project_id = ? AND id = ?", projectID, id), "webhook %d", id)
}
