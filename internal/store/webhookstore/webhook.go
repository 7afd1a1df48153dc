package webhookstore

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateWebhook creates a webhook, with a new secret unless the caller gives one.
func (s *Webhooks) CreateWebhook(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewWebhook,
) (models.Webhook, models.WebhookSecret, error) {
	secret := models.NewWebhookSecret()
	models.Assign(&secret, n.Secret)
	w, err := unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) (models.Webhook, error) {
		c.MakeRoom(models.QuotaWebhooks)
		w := models.Webhook{
			ID: c.NextID(), ProjectID: projectID, URL: n.URL, Description: n.Description, Events: n.Events, IsActive: n.IsActive,
			Format: cmp.Or(n.Format, models.FormatStandard), CreatedAt: c.Now(), UpdatedAt: c.Now(),
		}
		if err := s.setSecret(&w, secret); err != nil {
			return w, err
		}
		c.Create(&w)
		details := map[string]any{
			"url": w.MaskedURL(), "events": w.Events, "isActive": w.IsActive, "description": w.Description, "format": w.Format,
		}
		c.Audit("webhook.created", "webhook", w.ID, details)
		return w, nil
	})
	return w, secret, err
}

// Webhook returns one webhook with its last delivery.
func (s *Webhooks) Webhook(ctx context.Context, projectID, id int64) (models.Webhook, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Webhook, error) {
		w, err := webhookByID(tx, projectID, id)
		if err != nil {
			return w, err
		}
		return w, loadLastDelivery(tx, &w)
	})
}

var webhookList = pg.List{
	Table: "webhooks", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("webhooks.created_at"), "description": pg.ByText("left(webhooks.description, 100)"),
		"events": pg.ByNumber("jsonb_array_length(webhooks.events)"), "isActive": pg.ByBool("webhooks.is_active"),
		"updatedAt": pg.ByTime("webhooks.updated_at"), "url": pg.ByText("left(webhooks.url, 100)"),
	},
	Matches: "search_words(project_id, '{}', url, description) @@ search_query(?, ?)",
	Texts:   []string{"webhooks.description", "webhooks.url"},
}

// ListWebhooks returns a page of webhooks with their last delivery, newest first.
func (s *Webhooks) ListWebhooks(ctx context.Context, projectID int64, page models.Page) ([]models.Webhook, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Webhook, error) {
		return pg.RowsWith(tx, tx, webhookList, projectID, page, loadLastDeliveries)
	})
}

// UpdateWebhook changes the set fields of a webhook. Pending deliveries use the new values from their next attempt on.
// Disabling the webhook cancels them.
func (s *Webhooks) UpdateWebhook(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.WebhookPatch,
) (models.Webhook, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.Webhook, error) {
		before, err := webhookByID(c.Tx.Clauses(pg.ForChange), projectID, id)
		if err != nil {
			return before, err
		}
		c.Match(id, before)
		w, err := s.patchWebhook(before, patch)
		if err != nil {
			return w, err
		}
		saveWebhook(c, &w, webhookDiff(before, w))
		return w, loadLastDelivery(c.Tx, &w)
	})
}

// RotateWebhookSecret gives the webhook a new secret, used from the next attempt on. Messages are also signed with the
// previous secret for models.PreviousSecretLife. With immediately, all earlier secrets become invalid with this call.
func (s *Webhooks) RotateWebhookSecret(
	ctx context.Context, projectID int64, actor models.Actor, id int64, immediately bool,
) (models.Webhook, models.WebhookSecret, error) {
	secret := models.NewWebhookSecret()
	var w models.Webhook
	err := s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		before, err := webhookByID(c.Tx.Clauses(pg.ForChange), projectID, id)
		if err != nil {
			return err
		}
		w = before
		w.SealedPreviousSecret, w.PreviousSecretUntil = "", nil
		if !immediately {
			old, err := s.units.Unseal(unit.WebhookSecretColumn, w.ID, w.SealedSecret)
			if err != nil {
				return err
			}
			if w.SealedPreviousSecret, err = s.units.Seal(unit.PreviousSecretColumn, w.ID, old); err != nil {
				return err
			}
			w.PreviousSecretUntil = new(c.Now().Add(models.PreviousSecretLife))
		}
		if err := s.setSecret(&w, secret); err != nil {
			return err
		}
		saveWebhook(c, &w, webhookDiff(before, w))
		return loadLastDelivery(c.Tx, &w)
	})
	return w, secret, err
}

// DropPreviousSecrets deletes the previous secrets of webhooks that no longer sign messages, and returns their number.
func (s *Webhooks) DropPreviousSecrets(ctx context.Context) (dropped int64, err error) {
	return s.db.ExecCounted(ctx,
		"UPDATE webhooks SET sealed_previous_secret = '', previous_secret_until = NULL WHERE previous_secret_until <= ?", s.db.Clock())
}

// DeleteWebhook deletes a webhook and its deliveries, and cancels the pending ones.
func (s *Webhooks) DeleteWebhook(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		w, err := webhookByID(c.Tx.Clauses(pg.ForUpdate), projectID, id)
		if err != nil {
			return err
		}
		c.Match(id, w)
		cancelPending(c, w)
		c.ExecEach(w.ID, "DELETE FROM webhook_deliveries WHERE webhook_id = ?", "DELETE FROM webhooks WHERE id = ?")
		c.Audit("webhook.deleted", "webhook", w.ID, map[string]any{"url": w.MaskedURL(), "events": w.Events})
		return nil
	})
}

// setSecret encrypts secret and stores it in w, which already has an ID.
func (s *Webhooks) setSecret(w *models.Webhook, secret models.WebhookSecret) (err error) {
	w.SecretHint = secret.Hint()
	w.SealedSecret, err = s.units.Seal(unit.WebhookSecretColumn, w.ID, []byte(secret.Reveal()))
	return err
}

// patchWebhook returns the patched webhook without writing it.
func (s *Webhooks) patchWebhook(w models.Webhook, patch models.WebhookPatch) (models.Webhook, error) {
	url, changed, err := patch.NewURL(w)
	if err != nil {
		return w, err
	}
	if changed {
		w.URL, w.FailingSince = url, nil // the failures happened at another receiver
	}
	models.Assign(&w.Description, patch.Description)
	models.Assign(&w.Events, patch.Events)
	models.Assign(&w.Format, patch.Format)
	if patch.IsActive != nil {
		if *patch.IsActive && !w.IsActive {
			w.FailingSince, w.DisabledReason = nil, ""
		}
		w.IsActive = *patch.IsActive
	}
	if patch.Secret != nil {
		w.SealedPreviousSecret, w.PreviousSecretUntil = "", nil
		return w, s.setSecret(&w, *patch.Secret)
	}
	return w, nil
}

// webhookDiff returns the changes of a webhook. It masks the secrets in URLs, because viewers and other webhooks can
// read the audit log.
func webhookDiff(before, after models.Webhook) unit.Diff {
	fields := func(w models.Webhook) map[string]any {
		return map[string]any{"description": w.Description, "isActive": w.IsActive, "events": w.Events, "format": w.Format}
	}
	d := unit.MapDiff(fields(before), fields(after))
	if before.URL != after.URL {
		d["url"] = map[string]any{"before": before.MaskedURL(), "after": after.MaskedURL()}
	}
	if before.SealedSecret != after.SealedSecret {
		d["secret"] = "replaced" // the log shows neither secret
	}
	return d
}

// saveWebhook writes and audits changes of w. If the webhook is disabled, saveWebhook cancels the pending deliveries.
func saveWebhook(c *unit.Change, w *models.Webhook, changes unit.Diff) {
	if len(changes) == 0 {
		return
	}
	w.UpdatedAt = c.Now()
	c.Update(w, "URL", "Description", "Events", "IsActive", "SealedSecret", "SecretHint",
		"SealedPreviousSecret", "PreviousSecretUntil", "Format", "FailingSince", "DisabledReason", "UpdatedAt")
	if !w.IsActive {
		cancelPending(c, *w)
	}
	c.Audit("webhook.updated", "webhook", w.ID, changes)
}

func webhookByID(tx *gorm.DB, projectID, id int64) (models.Webhook, error) {
	return pg.One[models.Webhook](tx.Where("project_id = ? AND id = ?", projectID, id), "webhook %d", id)
}

// signingSecrets returns the secrets that sign the webhook's messages at the given time, the current one first.
func (s *Webhooks) signingSecrets(w models.Webhook, now time.Time) ([]models.WebhookSecret, error) {
	text, err := s.units.Unseal(unit.WebhookSecretColumn, w.ID, w.SealedSecret)
	if err != nil {
		return nil, err
	}
	secrets := []models.WebhookSecret{models.WebhookSecretOf(string(text))}
	if w.PreviousSecretUntil == nil || !now.Before(*w.PreviousSecretUntil) {
		return secrets, nil
	}
	if text, err = s.units.Unseal(unit.PreviousSecretColumn, w.ID, w.SealedPreviousSecret); err != nil {
		return nil, err
	}
	return append(secrets, models.WebhookSecretOf(string(text))), nil
}

// sendTestSQL creates the delivery of a test message.
const sendTestSQL = `
	WITH due AS MATERIALIZED (
		SELECT n.id, w.project_id, w.id AS webhook_id, p.slug, ` + unit.NewMessageID + ` AS message_id, ?::text AS event,
			?::text || n.id || ',"projectSlug":' || to_json(p.slug) || ?::text AS body, NULL::bigint AS redelivery_of, ?::timestamptz AS created_at
		FROM (SELECT ?::bigint AS id) AS n, webhooks AS w JOIN projects AS p ON p.id = w.project_id
		WHERE w.id = ?
		FOR KEY SHARE OF p
	), ` + unit.DeliverDueSQL

// sendAgainSQL creates a new delivery of another delivery's message.
const sendAgainSQL = `
	WITH due AS MATERIALIZED (
		SELECT n.id, d.project_id, d.webhook_id, p.slug, d.message_id, d.event, d.body, d.id AS redelivery_of, ?::timestamptz AS created_at
		FROM (SELECT ?::bigint AS id) AS n, webhook_deliveries AS d JOIN projects AS p ON p.id = d.project_id
		WHERE d.id = ?
		FOR KEY SHARE OF p
	), ` + unit.DeliverDueSQL
