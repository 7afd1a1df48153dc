package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// Activity options by intent. Summaries show in Temporal's UI.

// loadOptions are for what a rollout cannot begin without, so it is retried for ever.
func loadOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 10 * time.Second,
		RetryPolicy:         retryForever(),
		Summary:             "load the rollout",
	})
}

// applyOptions are for a step that was decided, so it is retried for ever: the fence in
// the change makes that harmless.
func applyOptions(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 15 * time.Second,
		RetryPolicy:         retryForever(),
		Summary:             summary,
	})
}

// observeOptions are for reading health, which gives up soon: that health cannot be read
// is an answer too, and the rollout holds on it.
func observeOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    5 * time.Second,
		ScheduleToCloseTimeout: 10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    4 * time.Second,
		},
		Summary: "observe the release",
	})
}

func retryForever() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second,
	}
}

// planPatchesOptions are for choosing what to patch, which is small and must not be lost.
func planPatchesOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy:         retryForever(),
		Summary:             "choose the bases",
	})
}

// makePatchOptions are for making a patch, on a queue of its own, where it may wait for
// hours behind others. It is retried for about an hour, in case the asset store is away. A patch is worth no
// more: whatever kills its worker each time, such as too little memory, must not go
// on for ever.
func makePatchOptions(ctx workflow.Context, j models.PatchJob) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           PatchesQueue(workflow.GetInfo(ctx).TaskQueueName),
		StartToCloseTimeout: 10 * time.Minute,
		HeartbeatTimeout:    30 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    5 * time.Minute,
			MaximumAttempts:    20,
		},
		Summary: fmt.Sprintf("patch %.8s to %.8s", j.BaseMD5, j.TargetMD5),
	})
}

// giveUpPatchOptions are for writing an outcome, which is retried for ever.
func giveUpPatchOptions(ctx workflow.Context) workflow.Context {
	return applyOptions(ctx, "give the patch up")
}

// attemptOptions are for one attempt at a delivery, which is retried until Waft's own parts
// work; what the receiver answers is no failure. The time is for the 15 seconds of a request, and for Postgres before and after it; a
// worker that dies is noticed after it.
func attemptOptions(ctx workflow.Context, attempt int) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy:         retryForever(),
		Summary:             fmt.Sprintf("attempt %d", attempt),
	})
}

// cancelDeliveryOptions are for writing an outcome, which is retried for ever.
func cancelDeliveryOptions(ctx workflow.Context) workflow.Context {
	return applyOptions(ctx, "cancel the delivery")
}
