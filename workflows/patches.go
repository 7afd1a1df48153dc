package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// BuildPatches makes the patches to the launch asset of one release, one after the
// other. That one of them fails keeps no other from being made, and no device from
// its update: it gets the whole bundle.
func BuildPatches(ctx workflow.Context, b models.PatchBuild) (PatchesResult, error) {
	var result PatchesResult
	var jobs []models.PatchJob
	if err := workflow.ExecuteActivity(planPatchesOptions(ctx), ActivityPlanPatches, b).Get(ctx, &jobs); err != nil {
		return result, err
	}
	for _, j := range jobs {
		var o models.PatchOutcome
		err := workflow.ExecuteActivity(makePatchOptions(ctx, j), ActivityMakePatch, j).Get(ctx, &o)
		switch {
		case ctx.Err() != nil:
			return result, ctx.Err()
		case isGone(err):
			result.Gone++
		case err != nil:
			result.Failed++
			if err := workflow.ExecuteActivity(giveUpPatchOptions(ctx), ActivityGiveUpPatch, j, "it could not be made: "+cause(err)).Get(ctx, nil); err != nil {
				return result, err
			}
		case o.Status == models.PatchOffered:
			result.Offered++
		default:
			result.Skipped++
		}
	}
	return result, nil
}

// isGone reports whether a content went while its patch was being made.
func isGone(err error) bool {
	var app *temporal.ApplicationError
	return errors.As(err, &app) && app.Type() == string(models.CodeNotFound)
}

// cause is the innermost text of an activity's failure that says something.
func cause(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app.Message()
	}
	var timeout *temporal.TimeoutError
	if errors.As(err, &timeout) {
		return fmt.Sprintf("timed out (%s)", timeout.TimeoutType())
	}
	return err.Error()
}

// PatchesQueue is the task queue on which patches are made, beside the one on which
// workflows run. Its workers take one task at a time, since each needs much memory.
func PatchesQueue(taskQueue string) string { return taskQueue + "-patches" }
