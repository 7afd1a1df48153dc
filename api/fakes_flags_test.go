package api

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// fakeFlags are the flags and segments behind the handlers.
type fakeFlags struct {
	create            func(models.NewFlag) (models.Flag, error)
	get               func(id int64) (models.Flag, error)
	update            func(id int64, patch models.FlagPatch) (models.Flag, error)
	delete            func(id int64) error
	createRule        func(flagID int64, n models.NewFlagRule) (models.FlagRule, error)
	updateRule        func(flagID, id int64, patch models.FlagRulePatch) (models.FlagRule, error)
	updateVariation   func(flagID, id int64, patch models.VariationPatch) (models.Variation, error)
	updateEnvironment func(flagID int64, channel string, patch models.FlagEnvironmentPatch) (models.Flag, models.FlagEnvironment, error)
	createSegment     func(models.NewSegment) (models.Segment, error)
	updateSegment     func(id int64, patch models.SegmentPatch) (models.Segment, error)
	segments          []models.Segment
}

// aFlag is a boolean flag, as the store would read one.
func aFlag(id int64) models.Flag {
	return models.Flag{ID: id, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false"}
}

func (f *fakeStore) CreateFlag(_ context.Context, _ int64, _ models.Actor, n models.NewFlag) (models.Flag, error) {
	if f.flags.create != nil {
		return f.flags.create(n)
	}
	return aFlag(31), nil
}

func (f *fakeStore) ListFlags(context.Context, int64, models.Page) ([]models.Flag, error) {
	return nil, nil
}

func (f *fakeStore) Flag(_ context.Context, _, id int64) (models.Flag, error) {
	if f.flags.get != nil {
		return f.flags.get(id)
	}
	return aFlag(id), nil
}

func (f *fakeStore) UpdateFlag(_ context.Context, _ int64, _ models.Actor, id int64, patch models.FlagPatch) (models.Flag, error) {
	if f.flags.update != nil {
		return f.flags.update(id, patch)
	}
	return aFlag(id), nil
}

func (f *fakeStore) DeleteFlag(_ context.Context, _ int64, _ models.Actor, id int64) error {
	if f.flags.delete != nil {
		return f.flags.delete(id)
	}
	return nil
}

func (f *fakeStore) CreateRule(
	_ context.Context, _ int64, _ models.Actor, flagID int64, n models.NewFlagRule,
) (models.FlagRule, error) {
	if f.flags.createRule != nil {
		return f.flags.createRule(flagID, n)
	}
	return models.FlagRule{ID: 34, RuleType: n.RuleType, Config: n.Config}, nil
}

func (f *fakeStore) UpdateRule(
	_ context.Context, _ int64, _ models.Actor, flagID, id int64, patch models.FlagRulePatch,
) (models.FlagRule, error) {
	if f.flags.updateRule != nil {
		return f.flags.updateRule(flagID, id, patch)
	}
	return models.FlagRule{ID: id, RuleType: models.RuleUserList}, nil
}

func (f *fakeStore) DeleteRule(context.Context, int64, models.Actor, int64, int64) error { return nil }

func (f *fakeStore) UpdateVariation(
	_ context.Context, _ int64, _ models.Actor, flagID, id int64, patch models.VariationPatch,
) (models.Variation, error) {
	if f.flags.updateVariation != nil {
		return f.flags.updateVariation(flagID, id, patch)
	}
	return models.Variation{ID: id}, nil
}

func (f *fakeStore) UpdateFlagEnvironment(
	_ context.Context, _ int64, _ models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
) (models.Flag, models.FlagEnvironment, error) {
	if f.flags.updateEnvironment != nil {
		return f.flags.updateEnvironment(flagID, channel, patch)
	}
	return aFlag(flagID), models.FlagEnvironment{ChannelName: channel}, nil
}

func (f *fakeStore) CreateSegment(_ context.Context, _ int64, _ models.Actor, n models.NewSegment) (models.Segment, error) {
	if f.flags.createSegment != nil {
		return f.flags.createSegment(n)
	}
	return models.Segment{ID: 41, MatchType: n.MatchType}, nil
}

func (f *fakeStore) ListSegments(context.Context, int64, models.Page) ([]models.Segment, error) {
	return f.flags.segments, nil
}

func (f *fakeStore) Segment(_ context.Context, _, id int64) (models.Segment, error) {
	return models.Segment{ID: id, MatchType: models.MatchAll}, nil
}

func (f *fakeStore) UpdateSegment(
	_ context.Context, _ int64, _ models.Actor, id int64, patch models.SegmentPatch,
) (models.Segment, error) {
	if f.flags.updateSegment != nil {
		return f.flags.updateSegment(id, patch)
	}
	return models.Segment{ID: id, MatchType: models.MatchAll}, nil
}

func (f *fakeStore) DeleteSegment(context.Context, int64, models.Actor, int64) error { return nil }
