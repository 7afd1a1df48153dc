package rollouts

import (
	"context"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Previews runs calls and undoes them.
type Previews interface {
	// Preview runs do, which calls services with its context. It reads the changes that do made to the project and
	// undoes them. follow makes the change that a rollout's workflow would make once a newer release reaches every
	// device.
	Preview(
		ctx context.Context, projectID int64, do func(context.Context) error,
		follow func(context.Context, models.RolloutSubject, models.RolloutSuperseded) error,
	) (models.PreviewedChange, error)
}

// previewDoc returns the documentation of the preview of an operation.
func previewDoc(of huma.Operation, tag, id, summary string, statuses ...int) huma.Operation {
	return rest.Repeatable(rest.Doc(tag, id, summary,
		"Returns what the same call without /preview would change, without changing it. The body is the body of the call. If "+
			"the call would be refused, so is the preview. If the call would wait for approvals, the preview runs and has a "+
			"warning. The call: "+of.Description, statuses...))
}

var (
	previewRollbackDoc = previewDoc(releases.RollbackDoc, releases.TagUpdates, "previewRollBack", "Preview a rollback of a channel",
		releases.RollbackDoc.Errors...)
	previewChannelDoc = previewDoc(releases.PatchChannelDoc, releases.TagChannels, "previewChannel", "Preview a change of a channel")

	previewPauseDoc   = previewDoc(pauseExecutionDoc, tagExecutions, "previewPauseRolloutExecution", "Preview pausing a rollout")
	previewResumeDoc  = previewDoc(resumeExecutionDoc, tagExecutions, "previewResumeRolloutExecution", "Preview resuming a rollout")
	previewAdvanceDoc = previewDoc(advanceExecutionDoc, tagExecutions, "previewAdvanceRolloutExecution", "Preview advancing a rollout")
	previewCancelDoc  = previewDoc(cancelExecutionDoc, tagExecutions, "previewCancelRolloutExecution", "Preview cancelling a rollout")

	previewRollbackExecutionDoc = previewDoc(
		rollbackExecutionDoc, tagExecutions, "previewRollbackRolloutExecution", "Preview rolling back a rollout")
)

// ChangePreview lists the changes that a call would make.
type ChangePreview struct {
	DevicesAffected *int64             `json:"devicesAffected" nullable:"true" doc:"Number of devices whose next manifest request would get another response than now, or whose linked flags would change. Counts only devices that reported in the last 24 hours: this hour and the 23 hours before it. Null while telemetry is unavailable."`
	Releases        []PreviewedRelease `json:"releases" doc:"Releases that would be published, enabled or disabled, or whose rollout percentage would change."`
	Executions      []PreviewedRollout `json:"executions" doc:"Rollouts whose state would change."`
	Flags           []PreviewedFlag    `json:"flags" doc:"Linked flags whose value would change for devices of a release."`
	Channels        []PreviewedChannel `json:"channels" doc:"Channels that would be paused or resumed, by name."`
	Warnings        []string           `json:"warnings" doc:"Warnings to read before the call, as sentences."`
}

// PreviewedRelease is a release that would change.
type PreviewedRelease struct {
	UpdateID          *int64                             `json:"updateId" nullable:"true" doc:"ID of the release; null for a release that the call would publish."`
	Kind              models.ReleaseKind                 `json:"kind" enum:"update,rollback_to_embedded"`
	BranchName        string                             `json:"branchName"`
	Channel           *string                            `json:"channel" nullable:"true" doc:"Channel that the release was published to; null if it was published to a branch directly."`
	Platform          models.Platform                    `json:"platform" enum:"ios,android"`
	RuntimeVersion    string                             `json:"runtimeVersion"`
	ReleaseMessage    string                             `json:"releaseMessage"`
	IsCritical        bool                               `json:"isCritical"`
	RepublishedFromID *int64                             `json:"republishedFromId" nullable:"true" doc:"ID of the release that this release repeats; otherwise null."`
	Before            rest.OrNull[PreviewedReleaseState] `json:"before" doc:"State now; null for a release that the call would publish."`
	After             rest.OrNull[PreviewedReleaseState] `json:"after"`
}

// PreviewedReleaseState holds the fields of a release that a call may change.
type PreviewedReleaseState struct {
	IsEnabled         bool    `json:"isEnabled"`
	RolloutPercentage float64 `json:"rolloutPercentage"`
}

// PreviewedRollout is a rollout that would change.
type PreviewedRollout struct {
	ID         int64                 `json:"id"`
	UpdateID   int64                 `json:"updateId"`
	PolicyName string                `json:"policyName"`
	Before     PreviewedRolloutState `json:"before"`
	After      PreviewedRolloutState `json:"after"`
}

// PreviewedRolloutState holds the fields of a rollout that a call may change.
type PreviewedRolloutState struct {
	Status     models.ExecutionStatus `json:"status" enum:"running,paused,completed,rolled_back,cancelled"`
	StageIndex int                    `json:"stageIndex" doc:"Index of the stage, beginning at 0."`
	Percentage float64                `json:"percentage"`
}

// PreviewedFlag is a linked flag of a release that would change.
type PreviewedFlag struct {
	FlagID   int64                            `json:"flagId"`
	FlagKey  string                           `json:"flagKey"`
	UpdateID *int64                           `json:"updateId" nullable:"true" doc:"ID of the release; null for a release that the call would publish."`
	Before   rest.OrNull[releases.LinkedFlag] `json:"before" doc:"Flag value that the release sets now; null if it does not set any, as when it is disabled."`
	After    rest.OrNull[releases.LinkedFlag] `json:"after"`
}

// PreviewedChannel is a channel that would be paused or resumed.
type PreviewedChannel struct {
	Name   string                `json:"name"`
	Before PreviewedChannelState `json:"before"`
	After  PreviewedChannelState `json:"after"`
}

// PreviewedChannelState holds the fields of a channel that a call may change.
type PreviewedChannelState struct {
	IsPaused bool `json:"isPaused"`
}

func (ChangePreview) Example() any {
	return ChangePreview{
		DevicesAffected: new(int64(60)),
		Releases: []PreviewedRelease{
			{
				UpdateID: new(int64(17)), Kind: models.KindUpdate, BranchName: "production", Channel: new("production"), Platform: models.IOS,
				RuntimeVersion: "1.4.0", ReleaseMessage: "Faster checkout", Before: rest.Present(PreviewedReleaseState{true, 5}),
				After: rest.Present(PreviewedReleaseState{false, 5}),
			},
			{
				Kind: models.KindUpdate, BranchName: "production", Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
				RepublishedFromID: new(int64(16)), After: rest.Present(PreviewedReleaseState{true, 100}),
			},
		},
		Executions: []PreviewedRollout{{
			ID: 21, UpdateID: 17, PolicyName: "Careful", Before: PreviewedRolloutState{models.ExecutionRunning, 0, 5},
			After: PreviewedRolloutState{models.ExecutionRolledBack, 0, 5},
		}},
		Flags: []PreviewedFlag{{
			FlagID: 9, FlagKey: "new-checkout", UpdateID: new(int64(17)), Before: rest.Present(releases.LinkedFlag{FlagID: 9,
				FlagKey: "new-checkout", Enabled: true, Value: "true"}),
		}},
		Channels: []PreviewedChannel{{Name: "production", After: PreviewedChannelState{IsPaused: true}}},
		Warnings: []string{"Rollout 21 of release 17 ends as rolled_back."},
	}
}

func noTarget[I any](*I) int64 { return 0 }

func everyRollout[I any](*I) int64 { return preview.EveryRollout }

func targetID[B any](in *rest.IDBodyInput[B]) int64 { return in.ID }

// previewing returns the handler that previews another handler: it runs that handler in a transaction and then undoes
// it. Viewers may request any number of previews, so each preview first waits for its turn. target returns the
// rollout that a call is about, 0 for none, or preview.EveryRollout for all.
func previewing[I, O any](h *Handlers, handle rest.Handler[I, O], target func(*I) int64) rest.Handler[I, rest.Output[ChangePreview]] {
	return func(ctx context.Context, in *I) (*rest.Output[ChangePreview], error) {
		call := func(ctx context.Context) error {
			_, err := handle(ctx, in)
			return err
		}
		done, err := h.previewTurns.Take(ctx, rest.ProjectOf(ctx))
		if err != nil {
			return nil, err
		}
		defer done()
		c, err := h.Previews.Preview(ctx, rest.ProjectOf(ctx), call, h.rehearseSuperseded)
		if err != nil {
			return nil, err
		}
		d := preview.DifferenceOf(c.Before, c.After)
		record := previewRecord(d)
		if record.Warnings, err = preview.Warnings(c, d, target(in)); err != nil {
			return nil, err
		}
		err = h.countAffected(ctx, c, d, &record)
		return &rest.Output[ChangePreview]{Body: record}, err
	}
}

// countAffected sets the number of affected devices, or adds a warning if they cannot be counted.
func (h *Handlers) countAffected(ctx context.Context, c models.PreviewedChange, d preview.Difference, record *ChangePreview) error {
	counting, cancel := context.WithTimeout(ctx, rest.EstimateTime)
	defer cancel()
	seen, err := h.Activity.SeenDevices(counting, rest.ProjectOf(ctx), preview.QueryOf(c, d), h.Now())
	if err := ctx.Err(); err != nil {
		return err
	}
	if err != nil {
		h.Log.WarnContext(ctx, "the devices affected by a preview cannot be counted", "error", err)
		record.Warnings = append(record.Warnings, "The affected devices cannot be counted while telemetry is unavailable.")
		return nil
	}
	affected, err := preview.Affected(c, d, seen)
	if err != nil {
		return fmt.Errorf("count the affected devices: %w", err)
	}
	record.DevicesAffected = &affected
	if int64(len(seen.List)) < seen.Total {
		record.Warnings = append(record.Warnings,
			fmt.Sprintf("The number of affected devices is estimated from a sample of %d out of %d devices.", len(seen.List), seen.Total))
	}
	if c.HashedIDs && len(seen.List) > 0 {
		record.Warnings = append(record.Warnings,
			"The number of affected devices is estimated, because the project stores hashes instead of device IDs: "+
				"the devices inside a rollout below 100% are not known.")
	}
	return nil
}

// rehearseCommand returns the preview of a command. It applies the command without the rollout's workflow.
func rehearseCommand[B any](
	h *Handlers, c models.RolloutCommand, input func(B) models.CommandInput,
) rest.Handler[rest.IDBodyInput[B], rest.Output[ChangePreview]] {
	rehearse := func(ctx context.Context, in *rest.IDBodyInput[B]) (*struct{}, error) {
		e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		if err := e.CheckRelease(c); err != nil {
			return nil, err
		}
		subject, err := h.Executions.RolloutSubject(ctx, rest.ProjectOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		given := input(in.Body)
		given.Actor = rest.ActorOf(ctx)
		return nil, rollout.Rehearse(subject, c, given, h.Now(), h.applyIn(ctx))
	}
	return previewing(h, rehearse, targetID)
}

func (h *Handlers) rehearseSuperseded(ctx context.Context, subject models.RolloutSubject, told models.RolloutSuperseded) error {
	return rollout.RehearseSuperseded(subject, told.ByReleaseID, h.Now(), h.applyIn(ctx))
}

func (h *Handlers) applyIn(ctx context.Context) rollout.Apply {
	return func(c models.ExecutionChange) (models.RolloutExecution, error) {
		return h.Executions.ApplyExecutionChange(ctx, c)
	}
}

func previewRecord(d preview.Difference) ChangePreview {
	return ChangePreview{
		Releases: rest.Rendered(d.Releases, func(r preview.Release) PreviewedRelease {
			out := PreviewedRelease{
				UpdateID: &r.ID, Kind: r.Kind, BranchName: r.BranchName, Channel: r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion,
				ReleaseMessage: r.ReleaseMessage, IsCritical: r.IsCritical, RepublishedFromID: r.RepublishedFromID,
				Before: previewedState(r.Before), After: previewedState(r.After),
			}
			if r.Published {
				out.UpdateID = nil
			}
			return out
		}),
		Executions: rest.Rendered(d.Executions, func(e preview.Execution) PreviewedRollout {
			return PreviewedRollout{
				ID: e.ID, UpdateID: e.UpdateID, PolicyName: e.PolicyName,
				Before: PreviewedRolloutState(e.Before), After: PreviewedRolloutState(e.After),
			}
		}),
		Flags: rest.Rendered(d.Flags, func(f preview.Flag) PreviewedFlag {
			return PreviewedFlag{
				FlagID: f.FlagID, FlagKey: f.FlagKey, UpdateID: rest.SomeOrNull(f.UpdateID), Before: previewedLink(f.Before),
				After: previewedLink(f.After),
			}
		}),
		Channels: rest.Rendered(d.Channels, func(c preview.Channel) PreviewedChannel {
			return PreviewedChannel{Name: c.Name, Before: PreviewedChannelState(c.Before), After: PreviewedChannelState(c.After)}
		}),
	}
}

func previewedState(s *preview.ReleaseState) rest.OrNull[PreviewedReleaseState] {
	if s == nil {
		return rest.OrNull[PreviewedReleaseState]{}
	}
	return rest.Present(PreviewedReleaseState(*s))
}

func previewedLink(l *models.LinkedFlag) rest.OrNull[releases.LinkedFlag] {
	if l == nil {
		return rest.OrNull[releases.LinkedFlag]{}
	}
	return rest.Present(releases.LinkedFlagRecord(*l))
}
