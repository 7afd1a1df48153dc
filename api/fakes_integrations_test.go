package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

func (f *fakeStore) CreateUserOverride(
	_ context.Context, _ int64, _ models.Actor, n models.NewUserOverride,
) (models.UserOverride, error) {
	if f.createOverride != nil {
		return f.createOverride(n)
	}
	return models.UserOverride{}, nil
}

func (f *fakeStore) ListUserOverrides(context.Context, int64, models.Page) ([]models.UserOverride, error) {
	return nil, nil
}

func (f *fakeStore) DeleteUserOverride(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) CreateWebhook(
	_ context.Context, _ int64, _ models.Actor, n models.NewWebhook,
) (models.Webhook, models.WebhookSecret, error) {
	if f.createWebhook != nil {
		return f.createWebhook(n)
	}
	return models.Webhook{}, models.NewWebhookSecret(), nil
}

func (f *fakeStore) ListWebhooks(context.Context, int64, models.Page) ([]models.Webhook, error) {
	return nil, nil
}

func (f *fakeStore) UpdateWebhook(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.WebhookPatch,
) (models.Webhook, error) {
	if f.updateWebhook != nil {
		return f.updateWebhook(id, patch)
	}
	return models.Webhook{ID: id}, nil
}

func (f *fakeStore) RotateWebhookSecret(
	_ context.Context, _ int64, _ models.Actor, id int64,
) (models.Webhook, models.WebhookSecret, error) {
	return models.Webhook{ID: id}, models.WebhookSecretOf("whsec_bmV3"), nil
}

func (f *fakeStore) DeleteWebhook(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) TestWebhook(_ context.Context, _ int64, _ models.Actor, webhookID int64) (models.WebhookDelivery, error) {
	return models.WebhookDelivery{ID: 90, WebhookID: webhookID, Event: models.EventTest, Status: models.DeliveryPending}, nil
}

func (f *fakeStore) Redeliver(_ context.Context, _, webhookID, deliveryID int64) (models.WebhookDelivery, error) {
	return models.WebhookDelivery{ID: 91, WebhookID: webhookID, Status: models.DeliveryPending, RedeliveryOf: &deliveryID}, nil
}

func (f *fakeStore) ListWebhookDeliveries(
	_ context.Context, _, webhookID int64, page models.Page,
) ([]models.WebhookDelivery, error) {
	if f.listDeliveries != nil {
		return f.listDeliveries(webhookID, page)
	}
	return nil, nil
}

func (f *fakeStore) SaveContext(
	_ context.Context, _ int64, _ models.Actor, seen models.SeenContext,
) (models.EvaluationContext, bool, error) {
	if f.saveContext != nil {
		return f.saveContext(seen)
	}
	return models.EvaluationContext{}, true, nil
}

func (f *fakeStore) ListContexts(
	_ context.Context, _ int64, filter models.ContextFilter, page models.Page,
) ([]models.EvaluationContext, error) {
	if f.listContexts != nil {
		return f.listContexts(filter, page)
	}
	return nil, nil
}

func (f *fakeStore) Context(_ context.Context, _, id int64) (models.EvaluationContext, error) {
	return models.EvaluationContext{ID: id}, nil
}

func (f *fakeStore) DeleteContext(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeStore) PutSigningKey(
	_ context.Context, _ int64, _ models.Actor, n models.NewSigningKey,
) (models.SigningKey, error) {
	if f.putSigningKey != nil {
		return f.putSigningKey(n)
	}
	c, err := n.Credentials(now)
	return models.SigningKey{KeyID: c.KeyID}, err
}

func (f *fakeStore) SigningKey(context.Context, int64) (models.SigningKey, error) {
	return models.SigningKey{KeyID: "main"}, nil
}

func (f *fakeStore) DeleteSigningKey(context.Context, int64, models.Actor) error { return nil }
