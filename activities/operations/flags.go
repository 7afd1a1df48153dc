package operations

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// FlagPart identifies a rule or a variation of a flag.
type FlagPart struct {
	FlagID int64 `json:"flagId"`
	ID     int64 `json:"id"`
}

// PartChange is a change of a rule or a variation.
type PartChange[C any] struct {
	FlagPart
	Change C `json:"change"`
}

// Validate checks the change.
func (p PartChange[C]) Validate() error { return validated(p.Change) }

// EnvironmentChange is a change of a flag's settings on one channel.
type EnvironmentChange struct {
	FlagID  int64                       `json:"flagId"`
	Channel string                      `json:"channel"`
	Change  models.FlagEnvironmentPatch `json:"change"`
}

// ChangedEnvironment is a flag with its settings on the channel.
type ChangedEnvironment struct {
	Flag        models.Flag
	Environment models.FlagEnvironment
}

// The operations on flags and segments.
var (
	CreateFlag = operation("flag.create", 1,
		func(ctx context.Context, on *Operations, by Author, in models.NewFlag) (models.Flag, error) {
			return on.Flags.CreateFlag(ctx, by.ProjectID, by.Actor, in)
		})
	PatchFlag = operation("flag.update", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.FlagPatch]) (models.Flag, error) {
			return on.Flags.UpdateFlag(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	SaveFlag = operation("flag.save", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.FlagSave]) (models.Flag, error) {
			return on.Flags.SaveFlag(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	ScheduleFlag = operation("flag.schedule", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.NewFlagSchedule]) (models.FlagSchedule, error) {
			return on.Flags.ScheduleFlag(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	DeleteFlag = operation("flag.delete", 1,
		func(ctx context.Context, on *Operations, by Author, in Record) (Nothing, error) {
			return Nothing{}, on.Flags.DeleteFlag(ctx, by.ProjectID, by.Actor, in.ID)
		})
	CreateRule = operation("rule.create", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.NewFlagRule]) (models.FlagRule, error) {
			return on.Flags.CreateRule(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	PatchRule = operation("rule.update", 1,
		func(ctx context.Context, on *Operations, by Author, in PartChange[models.FlagRulePatch]) (models.FlagRule, error) {
			return on.Flags.UpdateRule(ctx, by.ProjectID, by.Actor, in.FlagID, in.ID, in.Change)
		})
	DeleteRule = operation("rule.delete", 1,
		func(ctx context.Context, on *Operations, by Author, in FlagPart) (Nothing, error) {
			return Nothing{}, on.Flags.DeleteRule(ctx, by.ProjectID, by.Actor, in.FlagID, in.ID)
		})
	OrderRules = operation("rule.order", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.RuleOrder]) (models.Flag, error) {
			return on.Flags.OrderRules(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	CopyFlag = operation("flag.copy", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.FlagCopy]) (models.Flag, error) {
			return on.Flags.CopyFlag(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
	PatchVariation = operation("variation.update", 1,
		func(ctx context.Context, on *Operations, by Author, in PartChange[models.VariationPatch]) (models.Variation, error) {
			return on.Flags.UpdateVariation(ctx, by.ProjectID, by.Actor, in.FlagID, in.ID, in.Change)
		})
	PatchEnvironment = operation("env_setting.update", 1,
		func(ctx context.Context, on *Operations, by Author, in EnvironmentChange) (ChangedEnvironment, error) {
			f, e, err := on.Flags.UpdateFlagEnvironment(ctx, by.ProjectID, by.Actor, in.FlagID, in.Channel, in.Change)
			return ChangedEnvironment{f, e}, err
		})
	PatchSegment = operation("segment.update", 1,
		func(ctx context.Context, on *Operations, by Author, in Of[models.SegmentPatch]) (models.Segment, error) {
			return on.Flags.UpdateSegment(ctx, by.ProjectID, by.Actor, in.ID, in.Change)
		})
)
