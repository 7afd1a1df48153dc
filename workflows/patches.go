package workflows

import (
	"errors"
	"fmt"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// BuildPatches makes the binary patches to the launch asset of one release, one after the other.
// When one fails it makes the others; devices without a patch download the whole bundle.
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
		case isType(err, models.CodeNotFound): // a file was deleted meanwhile
			result.Gone++
		case err != nil:
			result.Failed++
			giveUp := untilDone(ctx, applyTimeout, "give the patch up")
			reason := "it could not be made: " + cause(err)
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

// cause is the message of an activity's failure, without Temporal's own.
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

// PatchesQueue is the task queue on which patches are made. Its workers take one task at a time,
// since each needs much memory.
func PatchesQueue(taskQueue string) string { return taskQueue + "-patches" }
