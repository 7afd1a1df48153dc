package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeWebhooks is a Webhooks. A function that is not set stands for an empty, valid answer.
type fakeWebhooks struct {
	createWebhook  func(models.NewWebhook) (models.Webhook, models.WebhookSecret, error)
	updateWebhook  func(id int64, patch models.WebhookPatch) (models.Webhook, error)
	listDeliveries func(webhookID int64, page models.Page) ([]models.WebhookDelivery, error)
}

func (f *fakeWebhooks) CreateWebhook(
	_ context.Context, _ int64, _ models.Actor, n models.NewWebhook,
) (models.Webhook, models.WebhookSecret, error) {
	if f.createWebhook != nil {
		return f.createWebhook(n)
	}
	return models.Webhook{}, models.NewWebhookSecret(), nil
}

func (f *fakeWebhooks) ListWebhooks(context.Context, int64, models.Page) ([]models.Webhook, error) {
	return nil, nil
}

func (f *fakeWebhooks) UpdateWebhook(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.WebhookPatch,
) (models.Webhook, error) {
	if f.updateWebhook != nil {
		return f.updateWebhook(id, patch)
	}
	return models.Webhook{ID: id}, nil
}

func (f *fakeWebhooks) RotateWebhookSecret(
	_ context.Context, _ int64, _ models.Actor, id int64,
) (models.Webhook, models.WebhookSecret, error) {
	return models.Webhook{ID: id}, models.WebhookSecretOf("whsec_bmV3"), nil
}

func (f *fakeWebhooks) DeleteWebhook(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeWebhooks) TestWebhook(_ context.Context, _ int64, _ models.Actor, webhookID int64) (models.WebhookDelivery, error) {
	return models.WebhookDelivery{ID: 90, WebhookID: webhookID, Event: models.EventTest, Status: models.DeliveryPending}, nil
}

func (f *fakeWebhooks) Webhook(_ context.Context, _, id int64) (models.Webhook, error) {
	return models.Webhook{ID: id}, nil
}

func (f *fakeWebhooks) RecoverWebhook(context.Context, int64, models.Actor, int64, time.Time) (models.WebhookRecovery, error) {
	return models.WebhookRecovery{}, nil
}

func (f *fakeWebhooks) Redeliver(_ context.Context, _, webhookID, deliveryID int64) (models.WebhookDelivery, error) {
	return models.WebhookDelivery{ID: 91, WebhookID: webhookID, Status: models.DeliveryPending, RedeliveryOf: &deliveryID}, nil
}

func (f *fakeWebhooks) ListWebhookDeliveries(
	_ context.Context, _, webhookID int64, _ models.DeliveryFilter, page models.Page,
) ([]models.WebhookDelivery, error) {
	if f.listDeliveries != nil {
		return f.listDeliveries(webhookID, page)
	}
	return nil, nil
}

// fakeSigningKeys is a SigningKeys. A function that is not set stands for an empty, valid answer.
type fakeSigningKeys struct {
	putSigningKey func(models.NewSigningKey) (models.SigningKey, error)
}

func (f *fakeSigningKeys) PutSigningKey(
	_ context.Context, _ int64, _ models.Actor, n models.NewSigningKey,
) (models.SigningKey, error) {
	if f.putSigningKey != nil {
		return f.putSigningKey(n)
	}
	c, err := n.Credentials(now)
	return models.SigningKey{KeyID: c.KeyID}, err
}

func (f *fakeSigningKeys) SigningKey(context.Context, int64) (models.SigningKey, error) {
	return models.SigningKey{KeyID: "main"}, nil
}

func (f *fakeSigningKeys) DeleteSigningKey(context.Context, int64, models.Actor) error { return nil }

// fakeAudit is an Audit. A function that is not set stands for an empty, valid answer.
type fakeAudit struct {
	listAudit func(models.AuditFilter, models.Page) ([]models.AuditEntry, error)
}

func (f *fakeAudit) ListAudit(_ context.Context, _ int64, filter models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
	if f.listAudit != nil {
		return f.listAudit(filter, page)
	}
	return nil, nil
}

// fakeSettings is a Settings. A function that is not set stands for an empty, valid answer.
type fakeSettings struct {
	updateSettings func(models.SettingsPatch) (models.Settings, error)
}

func (f *fakeSettings) Settings(context.Context, int64) (models.Settings, error) {
	return models.Settings{}, nil
}

func (f *fakeSettings) UpdateSettings(
	_ context.Context, _ int64, _ models.Actor, patch models.SettingsPatch,
) (models.Settings, error) {
	if f.updateSettings != nil {
		return f.updateSettings(patch)
	}
	return models.Settings{}, nil
}

// fakeCollector is a Collector. A function that is not set stands for an empty, valid answer.
type fakeCollector struct {
	preview func() (models.Garbage, error)
	collect func(models.Actor) (models.Garbage, error)
}

func (f *fakeCollector) Preview(context.Context, int64) (models.Garbage, error) {
	if f.preview != nil {
		return f.preview()
	}
	return models.Garbage{}, nil
}

func (f *fakeCollector) Run(_ context.Context, _ int64, actor models.Actor) (models.Garbage, error) {
	if f.collect != nil {
		return f.collect(actor)
	}
	return models.Garbage{}, nil
}

// fakeEraser is an Eraser. A function that is not set stands for an empty, valid answer.
type fakeEraser struct {
	erase func(deviceID string) (bool, error)
}

func (f *fakeEraser) Erase(_ context.Context, _ int64, _ models.Actor, deviceID string) (bool, error) {
	if f.erase == nil {
		return true, nil
	}
	return f.erase(deviceID)
}
