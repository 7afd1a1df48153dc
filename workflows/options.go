package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// Activity options by intent. Summaries show in Temporal's UI.

// loading reads what a rollout cannot begin without, so it tries for ever.
func loading(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 10 * time.Second,
		RetryPolicy:         untilItWorks(),
		Summary:             "load the rollout",
	})
}

// applying writes a step that was decided, so it tries for ever: the fence in the
// change makes trying again harmless.
func applying(ctx workflow.Context, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 15 * time.Second,
		RetryPolicy:         untilItWorks(),
		Summary:             summary,
	})
}

// observing reads health, and gives up soon: to know that health cannot be read is
// an answer too, and the rollout holds on it.
func observing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    5 * time.Second,
		ScheduleToCloseTimeout: 10 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    500 * time.Millisecond,
			BackoffCoefficient: 2,
			MaximumInterval:    4 * time.Second,
		},
		Summary: "look at the release",
	})
}

func untilItWorks() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second,
	}
}

// planningPatches must not be lost either, and is small.
func planningPatches(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy:         untilItWorks(),
		Summary:             "choose the bases",
	})
}

// makingPatch runs on a queue of its own, where it may wait for hours behind others.
// It tries for about an hour, in case the asset store is away. A patch is worth no
// more: whatever kills its worker each time, such as too little memory, must not go
// on for ever.
func makingPatch(ctx workflow.Context, j models.PatchJob) workflow.Context {
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

// givingUpPatch writes an outcome, so it tries for ever.
func givingUpPatch(ctx workflow.Context) workflow.Context {
	return applying(ctx, "give the patch up")
}

// attempting tries until Waft's own parts work; what the receiver answers is no failure. The
// time is for the 15 seconds of a request, and for Postgres before and after it; a
// worker that dies is noticed after it.
func attempting(ctx workflow.Context, attempt int) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 30 * time.Second,
		RetryPolicy:         untilItWorks(),
		Summary:             fmt.Sprintf("attempt %d", attempt),
	})
}

// cancellingDelivery writes an outcome, so it tries for ever.
func cancellingDelivery(ctx workflow.Context) workflow.Context {
	return applying(ctx, "cancel the delivery")
}
