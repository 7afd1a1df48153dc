package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// BuildPatches creates the binary patches to the launch asset of one release, one after the other. If a patch fails, it
// continues with the next patch. Devices without a patch download the whole bundle.
func BuildPatches(ctx workflow.Context, b models.PatchBuild) (PatchesResult, error) {
	var result PatchesResult
	var jobs []models.PatchJob
	if err := workflow.ExecuteActivity(untilDone(ctx, planTimeout, "choose the bases"), ActivityPlanPatches, b).Get(ctx, &jobs); err != nil {
		return result, err
	}
	for _, j := range jobs {
		var o models.PatchOutcome
		err := workflow.ExecuteActivity(makePatchOptions(ctx, j), ActivityMakePatch, j).Get(ctx, &o)
		switch {
		case ctx.Err() != nil:
			return result, ctx.Err()
		case isType(err, models.CodeNotFound): // a file has been deleted since the plan
			result.Gone++
		case err != nil:
			result.Failed++
			giveUp := untilDone(ctx, applyTimeout, "record the failed patch")
			reason := "the patch could not be created: " + cause(err)
			if err := workflow.ExecuteActivity(giveUp, ActivityGiveUpPatch, j, reason).Get(ctx, nil); err != nil {
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

// cause returns the message of an activity's error, without the text that Temporal adds.
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

// PatchesQueue returns the task queue on which patches are created. Its workers run one task at a time, because a patch
// needs a lot of memory.
func PatchesQueue(taskQueue string) string { return taskQueue + "-patches" }
