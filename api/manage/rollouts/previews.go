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
	// undoes them. follow makes the change that a rollout's workflow would make after a message.
	Preview(
		ctx context.Context, projectID int64, do func(context.Context) error,
		follow func(context.Context, models.RolloutSubject, models.RolloutMessage) error,
	) (models.PreviewedChange, error)
}

// previewDoc returns the documentation of the preview of an operation.
func previewDoc(of huma.Operation, tag, id, summary string, statuses ...int) huma.Operation {
	return rest.Repeatable(rest.Doc(tag, id, summary,
		"Returns what the same call without /preview would change, without changing it. The body is the body of the call. If "+
			"the call would be refused, so is the preview. If the call would wait for approvals, or return to a disabled "+
			"release, the preview runs and has a warning. The call: "+of.Description, statuses...))
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
		c, err := h.Previews.Preview(ctx, rest.ProjectOf(ctx), call, h.rehearseMessage)
		if err != nil {
			return nil, err
		}
		d := preview.DifferenceOf(c.Before, c.After)
		record := previewRecord(d)
		record.NeededApprovals, _ = NeededApprovals(c)
		if len(c.Goals) > 0 && c.Goals[0] != nil {
			record.Goal = rest.Present(rest.GoalRecord(*c.Goals[0]))
		}
		if record.Warnings, err = preview.Warnings(c, d, target(in)); err != nil {
			return nil, err
		}
		err = h.countAffected(ctx, c, d, &record)
		return &rest.Output[ChangePreview]{Body: record}, err
	}
}

// RunPreview runs a call in its project's turn and undoes it.
func (h *Handlers) RunPreview(ctx context.Context, call func(context.Context) error) (models.PreviewedChange, error) {
	done, err := h.previewTurns.Take(ctx, rest.ProjectOf(ctx))
	if err != nil {
		return models.PreviewedChange{}, err
	}
	defer done()
	return h.Previews.Preview(ctx, rest.ProjectOf(ctx), call, h.rehearseMessage)
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

func (h *Handlers) rehearseMessage(ctx context.Context, subject models.RolloutSubject, told models.RolloutMessage) error {
	return rollout.RehearseMessage(subject, told, h.Now(), h.applyIn(ctx))
}

func (h *Handlers) applyIn(ctx context.Context) rollout.Apply {
	return func(c models.ExecutionChange) (models.RolloutExecution, error) {
		return h.Executions.ApplyExecutionChange(ctx, c)
	}
}
