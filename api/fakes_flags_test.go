package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeFlags is a Flags. A function that is not set stands for an empty, valid answer.
type fakeFlags struct {
	create            func(models.NewFlag) (models.Flag, error)
	get               func(id int64) (models.Flag, error)
	update            func(id int64, patch models.FlagPatch) (models.Flag, error)
	delete            func(id int64) error
	createRule        func(flagID int64, n models.NewFlagRule) (models.FlagRule, error)
	updateRule        func(flagID, id int64, patch models.FlagRulePatch) (models.FlagRule, error)
	updateVariation   func(flagID, id int64, patch models.VariationPatch) (models.Variation, error)
	updateEnvironment func(flagID int64, channel string, patch models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error)
}

func (f *fakeFlags) CreateFlag(_ context.Context, _ int64, _ models.Actor, n models.NewFlag) (models.Flag, error) {
	if f.create != nil {
		return f.create(n)
	}
	return aFlag(31), nil
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
	_ context.Context, _ int64, _ models.Actor, flagID, id int64, patch models.VariationPatch,
) (models.Variation, error) {
	if f.updateVariation != nil {
		return f.updateVariation(flagID, id, patch)
	}
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

// aFlag is a boolean flag, as the store would read one.
func aFlag(id int64) models.Flag {
	return models.Flag{ID: id, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false"}
}

// fakeSegments is a Segments. A function that is not set stands for an empty, valid answer.
type fakeSegments struct {
	create func(models.NewSegment) (models.Segment, error)
	list   []models.Segment
	update func(id int64, patch models.SegmentPatch) (models.Segment, error)
}

func (f *fakeSegments) CreateSegment(_ context.Context, _ int64, _ models.Actor, n models.NewSegment) (models.Segment, error) {
	if f.create != nil {
		return f.create(n)
	}
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

// fakeContexts is a Contexts. A function that is not set stands for an empty, valid answer.
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

// fakeSegmentDevices is a SegmentDevices. A function that is not set stands for an empty, valid answer.
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
