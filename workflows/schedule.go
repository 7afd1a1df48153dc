package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// FlagSchedule waits for the time of a scheduled change of a flag, and then has the change made. The status of the change is
// in Postgres.
func FlagSchedule(ctx workflow.Context, s models.FlagScheduleStart) (FlagScheduleResult, error) {
	requested := ctx
	ctx, _ = workflow.NewDisconnectedContext(ctx) // a cancelled wait also ends with an activity
	result := FlagScheduleResult{Status: models.ScheduleScheduled}
	ended := workflow.GetSignalChannel(ctx, SignalScheduleEnded)
	for {
		step := models.FlagScheduleStep{FlagScheduleStart: s, Cancelled: requested.Err() != nil}
		apply := takenOver(ctx, settleTimeout, "make the change or end the wait, if it is time")
		err := workflow.ExecuteActivity(apply, ActivityApplyFlagSchedule, step).Get(ctx, &result.Status)
		if isType(err, models.CodeNotFound) {
			return FlagScheduleResult{Status: models.ScheduleCancelled}, nil // deleted with its project
		}
		if err != nil {
			return result, err
		}
		if err := workflow.UpsertTypedSearchAttributes(ctx, attributeStatus.ValueSet(string(result.Status))); err != nil {
			return result, err
		}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s**: %s", result.Status, s.Summary))
		if !result.Status.Open() {
			receiveAll(ended)
			return result, nil
		}
		called := func() bool { return ended.Len() > 0 || requested.Err() != nil }
		// At the end of the wait, the worker's clock may still be slightly before the time of the change.
		left := max(s.At.Sub(clockTime(ctx)), time.Second)
		_, err = workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
			Timeout: left, TimerOptions: workflow.TimerOptions{Summary: "until the time of the change"},
		}, called)
		if err != nil {
			return result, err
		}
		receiveAll(ended) // the activity reads the status next
	}
}
