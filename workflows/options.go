package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// untilDone returns the options of an activity that Temporal retries until it succeeds, because the workflow cannot
// continue without it. Such activities may be repeated. Temporal's UI shows the summary.
func untilDone(ctx workflow.Context, timeout time.Duration, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: timeout,
		RetryPolicy:         retryForever(),
		Summary:             summary,
	})
}

// takenOver returns the options of untilDone for an activity that sends heartbeats. If its worker is killed, another
// worker repeats the activity after deadAfter. It does not wait for the timeout, which allows for the longest attempt.
func takenOver(ctx workflow.Context, timeout time.Duration, summary string) workflow.Context {
	return workflow.WithHeartbeatTimeout(untilDone(ctx, timeout, summary), deadAfter)
}

const (
	// deadAfter is the maximum time between heartbeats. It is several times their interval, because a busy machine sends
	// them late.
	deadAfter    = 8 * time.Second
	loadTimeout  = 10 * time.Second
	applyTimeout = 15 * time.Second
	planTimeout  = 30 * time.Second
	// attemptTimeout allows for a webhook request of 15 seconds, and for queries to Postgres before and after it.
	attemptTimeout = 30 * time.Second
	// settleTimeout allows for a call to the API, which takes at most 45 seconds.
	settleTimeout = time.Minute
	// mailTimeout allows for a slow mail server, and for the wait for a free connection.
	mailTimeout = time.Minute
)

func retryForever() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second,
	}
}

// observeOptions returns the options for reading health. The activity gives up soon, and then the rollout is held.
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

// makePatchOptions returns the options for creating a patch, on a separate task queue where it may wait for hours behind
// other patches. Temporal retries it for about an hour, in case the asset bucket is unavailable. It does not retry longer,
// because each attempt may kill its worker, for example by running out of memory.
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

// mailOptions returns the options for sending a mail. The wait after each failure is longer, because a mail server may
// block clients that retry quickly.
func mailOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout:    mailTimeout,
		ScheduleToCloseTimeout: models.MailLife,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    5 * time.Minute,
		},
		Summary: "send the mail",
	})
}
