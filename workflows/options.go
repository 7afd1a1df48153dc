package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
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
