package operations

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// Operations makes changes with the services that store them.
type Operations struct {
	Releases  Releases
	Rollouts  Rollouts
	Commands  Commands
	Flags     Flags
	Approvals Approvals
	Authors   Authors
}

// Releases changes releases, channels and user overrides.
type Releases interface {
	Publish(ctx context.Context, projectID int64, actor models.Actor, p models.Publish) (models.Release, error)
	UpdateRelease(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.ReleasePatch) (models.Release, error)
	DeleteRelease(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	Republish(ctx context.Context, projectID int64, actor models.Actor, id int64, n models.Republish) (models.Republished, error)
	Rollback(ctx context.Context, projectID int64, actor models.Actor, n models.Rollback) (models.Release, error)
	UpdateChannel(ctx context.Context, projectID int64, actor models.Actor, name string, patch models.ChannelPatch) (models.Channel, error)
	DeleteChannel(ctx context.Context, projectID int64, actor models.Actor, name string) error
	CreateUserOverride(ctx context.Context, projectID int64, actor models.Actor, n models.NewUserOverride) (models.UserOverride, error)
	DeleteUserOverride(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

// Rollouts starts rollouts, and reads rollouts that are given commands.
type Rollouts interface {
	StartRollout(ctx context.Context, projectID int64, actor models.Actor, policyID, updateID int64) (models.RolloutExecution, error)
	Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error)
	// AskCommand returns nil if the actor may give the command now: see models.ApprovalNeeded.
	AskCommand(ctx context.Context, projectID int64, actor models.Actor, id int64, c models.RolloutCommand) error
	// ResumeProject returns not_found for a project without an emergency stop.
	ResumeProject(ctx context.Context, projectID int64, actor models.Actor) error
}

// Commands sends commands to the workflows of rollouts.
type Commands interface {
	// Command returns when the command has taken effect. It returns invalid_transition if the rollout's status does not
	// permit the command, not_found if Temporal does not have the workflow, and unavailable if Temporal or the worker
	// is unreachable.
	Command(ctx context.Context, workflowID string, c models.RolloutCommand, in models.CommandInput) error
}

// Flags changes flags and segments.
type Flags interface {
	CreateFlag(ctx context.Context, projectID int64, actor models.Actor, n models.NewFlag) (models.Flag, error)
	UpdateFlag(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.FlagPatch) (models.Flag, error)
	// SaveFlag replaces the whole content of a flag.
	SaveFlag(ctx context.Context, projectID int64, actor models.Actor, id int64, n models.FlagSave) (models.Flag, error)
	// ScheduleFlag stores a change of a flag that is made later. For an approved call, it schedules the change that waits for
	// the approval.
	ScheduleFlag(ctx context.Context, projectID int64, actor models.Actor, id int64, n models.NewFlagSchedule) (models.FlagSchedule, error)
	// ApplyFlagSchedule makes a scheduled change, at most once. The code of its error is CodePreconditionFailed if the flag
	// has changed since the change was scheduled.
	ApplyFlagSchedule(ctx context.Context, projectID int64, actor models.Actor, id int64) (models.FlagSchedule, error)
	DeleteFlag(ctx context.Context, projectID int64, actor models.Actor, id int64) error
	CreateRule(ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.NewFlagRule) (models.FlagRule, error)
	UpdateRule(
		ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.FlagRulePatch,
	) (models.FlagRule, error)
	DeleteRule(ctx context.Context, projectID int64, actor models.Actor, flagID, id int64) error
	OrderRules(ctx context.Context, projectID int64, actor models.Actor, flagID int64, order models.RuleOrder) (models.Flag, error)
	CopyFlag(ctx context.Context, projectID int64, actor models.Actor, flagID int64, n models.FlagCopy) (models.Flag, error)
	UpdateVariation(
		ctx context.Context, projectID int64, actor models.Actor, flagID, id int64, patch models.VariationPatch,
	) (models.Variation, error)
	// UpdateFlagEnvironment returns the flag with its settings on the channel.
	UpdateFlagEnvironment(
		ctx context.Context, projectID int64, actor models.Actor, flagID int64, channel string, patch models.FlagEnvironmentPatch,
	) (models.Flag, models.FlagEnvironment, error)
	UpdateSegment(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.SegmentPatch) (models.Segment, error)
}

// Approvals stores operations that wait for approvals.
type Approvals interface {
	// RequestApproval stores an operation, unless the actor already has the same operation waiting.
	RequestApproval(
		ctx context.Context, projectID int64, actor models.Actor, op models.StoredOperation, needed *models.ApprovalNeeded,
	) (models.Approval, error)
}

// Authors reads the requesters of approved operations.
type Authors interface {
	// APIKey returns a key of the project, in any state, or not_found.
	APIKey(ctx context.Context, projectID, id int64) (models.APIKey, error)
	User(ctx context.Context, id int64) (models.User, error)
	// Role returns the user's role in the project, or not_found.
	Role(ctx context.Context, projectID int64, user models.User) (models.Role, error)
}
