package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeFlags is a Flags. A function that is not set stands for an empty, valid result.
type fakeFlags struct {
	create            func(models.NewFlag) (models.Flag, error)
	get               func(id int64) (models.Flag, error)
	update            func(id int64, patch models.FlagPatch) (models.Flag, error)
	delete            func(id int64) error
	createRule        func(flagID int64, n models.NewFlagRule) (models.FlagRule, error)
	updateRule        func(flagID, id int64, patch models.FlagRulePatch) (models.FlagRule, error)
	updateEnvironment func(flagID int64, channel string, patch models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error)
}

func (f *fakeFlags) CreateFlag(_ context.Context, _ int64, _ models.Actor, n models.NewFlag) (models.Flag, error) {
	if f.create != nil {
		return f.create(n)
	}
	return aFlag(31), nil
}

func (f *fakeFlags) SaveFlag(context.Context, int64, models.Actor, int64, models.FlagSave) (models.Flag, error) {
	return aFlag(31), nil
}

func (f *fakeFlags) ScheduleFlag(context.Context, int64, models.Actor, int64, models.NewFlagSchedule) (models.FlagSchedule, error) {
	return models.FlagSchedule{ID: 71}, nil
}

func (f *fakeFlags) ApplyFlagSchedule(context.Context, int64, models.Actor, int64) (models.FlagSchedule, error) {
	return models.FlagSchedule{ID: 71}, nil
}

func (f *fakeFlags) ListFlagSchedules(
	context.Context, int64, int64, models.FlagScheduleStatus, models.Page,
) ([]models.FlagSchedule, error) {
	return nil, nil
}

func (f *fakeFlags) CancelFlagSchedule(context.Context, int64, models.Actor, int64, int64) error {
	return nil
}

func (f *fakeFlags) OrderRules(context.Context, int64, models.Actor, int64, models.RuleOrder) (models.Flag, error) {
	return aFlag(31), nil
}

func (f *fakeFlags) CopyFlag(context.Context, int64, models.Actor, int64, models.FlagCopy) (models.Flag, error) {
	return aFlag(31), nil
}

func (f *fakeFlags) ListFlags(context.Context, int64, models.FlagFilter, models.Page) ([]models.Flag, error) {
	return nil, nil
}

func (f *fakeFlags) Flag(_ context.Context, _, id int64) (models.Flag, error) {
	if f.get != nil {
		return f.get(id)
	}
	return aFlag(id), nil
}

func (f *fakeFlags) UpdateFlag(_ context.Context, _ int64, _ models.Actor, id int64, patch models.FlagPatch) (models.Flag, error) {
	if f.update != nil {
		return f.update(id, patch)
	}
	return aFlag(id), nil
}

func (f *fakeFlags) DeleteFlag(_ context.Context, _ int64, _ models.Actor, id int64) error {
	if f.delete != nil {
		return f.delete(id)
	}
	return nil
}

func (f *fakeFlags) CreateRule(
	_ context.Context, _ int64, _ models.Actor, flagID int64, n models.NewFlagRule,
) (models.FlagRule, error) {
	if f.createRule != nil {
		return f.createRule(flagID, n)
	}
	return models.FlagRule{ID: 34, RuleType: n.RuleType, Config: n.Config}, nil
}

func (f *fakeFlags) UpdateRule(
	_ context.Context, _ int64, _ models.Actor, flagID, id int64, patch models.FlagRulePatch,
) (models.FlagRule, error) {
	if f.updateRule != nil {
		return f.updateRule(flagID, id, patch)
	}
	return models.FlagRule{ID: id, RuleType: models.RuleUserList}, nil
}

func (f *fakeFlags) DeleteRule(context.Context, int64, models.Actor, int64, int64) error { return nil }

func (f *fakeFlags) UpdateVariation(
	_ context.Context, _ int64, _ models.Actor, _, id int64, _ models.VariationPatch,
) (models.Variation, error) {
	return models.Variation{ID: id}, nil
}

func (f *fakeFlags) UpdateFlagEnvironment(
	_ context.Context, _ int64, _ models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
) (models.Flag, models.FlagEnvironment, error) {
	if f.updateEnvironment != nil {
		return f.updateEnvironment(flagID, channel, patch)
	}
	return aFlag(flagID), models.FlagEnvironment{ChannelName: channel}, nil
}

// aFlag returns a boolean flag as the store would read it.
func aFlag(id int64) models.Flag {
	return models.Flag{ID: id, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false"}
}

// fakeSegments is a Segments. A function that is not set stands for an empty, valid result.
type fakeSegments struct {
	list   []models.Segment
	update func(id int64, patch models.SegmentPatch) (models.Segment, error)
}

func (f *fakeSegments) CreateSegment(_ context.Context, _ int64, _ models.Actor, n models.NewSegment) (models.Segment, error) {
	return models.Segment{ID: 41, MatchType: n.MatchType}, nil
}

func (f *fakeSegments) ListSegments(context.Context, int64, models.Page) ([]models.Segment, error) {
	return f.list, nil
}

func (f *fakeSegments) Segment(_ context.Context, _, id int64) (models.Segment, error) {
	return models.Segment{ID: id, MatchType: models.MatchAll}, nil
}

func (f *fakeSegments) UpdateSegment(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.SegmentPatch,
) (models.Segment, error) {
	if f.update != nil {
		return f.update(id, patch)
	}
	return models.Segment{ID: id, MatchType: models.MatchAll}, nil
}

func (f *fakeSegments) DeleteSegment(context.Context, int64, models.Actor, int64) error { return nil }

// fakeContexts is a Contexts. A function that is not set stands for an empty, valid result.
type fakeContexts struct {
	saveContext  func(models.SeenContext) (models.EvaluationContext, bool, error)
	listContexts func(models.ContextFilter, models.Page) ([]models.EvaluationContext, error)
}

func (f *fakeContexts) SaveContext(
	_ context.Context, _ int64, _ models.Actor, seen models.SeenContext,
) (models.EvaluationContext, bool, error) {
	if f.saveContext != nil {
		return f.saveContext(seen)
	}
	return models.EvaluationContext{}, true, nil
}

func (f *fakeContexts) ListContexts(
	_ context.Context, _ int64, filter models.ContextFilter, page models.Page,
) ([]models.EvaluationContext, error) {
	if f.listContexts != nil {
		return f.listContexts(filter, page)
	}
	return nil, nil
}

func (f *fakeContexts) Context(_ context.Context, _, id int64) (models.EvaluationContext, error) {
	return models.EvaluationContext{ID: id}, nil
}

func (f *fakeContexts) DeleteContext(context.Context, int64, models.Actor, int64) error { return nil }

func (f *fakeContexts) RecentContexts(context.Context, int64, []string, time.Time) (models.RecentContexts, error) {
	return models.RecentContexts{}, nil
}

func (f *fakeContexts) ContextAttributes(context.Context, int64, time.Time) ([]models.ContextAttribute, error) {
	return nil, nil
}

// fakeSegmentDevices is a SegmentDevices. A function that is not set stands for an empty, valid result.
type fakeSegmentDevices struct {
	groups    []models.DeviceGroup
	groupsErr error
}

func (f *fakeSegmentDevices) DeviceGroups(context.Context, int64, time.Time) ([]models.DeviceGroup, error) {
	return f.groups, f.groupsErr
}

func (f *fakeSegmentDevices) GroupDevices(_ context.Context, _ int64, unions [][]uint64, _ time.Time) ([]int64, error) {
	devices := make([]int64, len(unions))
	for i, union := range unions {
		devices[i] = 10 * int64(len(union))
	}
	return devices, nil
}

// fakeWebhooks is a Webhooks. A function that is not set stands for an empty, valid result.
type fakeWebhooks struct {
	createWebhook  func(models.NewWebhook) (models.Webhook, models.WebhookSecret, error)
	updateWebhook  func(id int64, patch models.WebhookPatch) (models.Webhook, error)
	listDeliveries func(webhookID int64, page models.Page) ([]models.WebhookDelivery, error)
	// endedImmediately is set if the last rotation ended the old secret.
	endedImmediately bool
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
	_ context.Context, _ int64, _ models.Actor, id int64, immediately bool,
) (models.Webhook, models.WebhookSecret, error) {
	f.endedImmediately = immediately
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

// fakeSigningKeys is a SigningKeys. A function that is not set stands for an empty, valid result.
type fakeSigningKeys struct {
	putSigningKey func(models.NewSigningKey) (models.SigningKey, error)
	signingKey    func() (models.SigningKey, error)
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
	if f.signingKey != nil {
		return f.signingKey()
	}
	return models.SigningKey{KeyID: "main"}, nil
}

func (f *fakeSigningKeys) DeleteSigningKey(context.Context, int64, models.Actor) error { return nil }

// fakeAudit is an Audit. A function that is not set stands for an empty, valid result.
type fakeAudit struct {
	listAudit func(models.AuditFilter, models.Page) ([]models.AuditEntry, error)
}

func (f *fakeAudit) ListAudit(_ context.Context, _ int64, filter models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
	if f.listAudit != nil {
		return f.listAudit(filter, page)
	}
	return nil, nil
}

// fakeSettings is a Settings. A function that is not set stands for an empty, valid result.
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

// fakeCollector is a Collector. A function that is not set stands for an empty, valid result.
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

// fakeEraser is an Eraser. A function that is not set stands for an empty, valid result.
type fakeEraser struct {
	erase func(deviceID string) (bool, error)
}

func (f *fakeEraser) Erase(_ context.Context, _ int64, _ models.Actor, deviceID string) (bool, error) {
	if f.erase == nil {
		return true, nil
	}
	return f.erase(deviceID)
}
