package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// untilDone are the options of an activity that is retried until it succeeds, because the workflow
// cannot go on without it. Such activities may be repeated. The summary shows in Temporal's UI.
func untilDone(ctx workflow.Context, timeout time.Duration, summary string) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: timeout,
		RetryPolicy:         retryForever(),
		Summary:             summary,
	})
}

// takenOver are the options of untilDone for an activity that sends heartbeats. When its worker was killed, another one repeats
// it after deadAfter and does not wait for the timeout, which allows for the longest attempt.
func takenOver(ctx workflow.Context, timeout time.Duration, summary string) workflow.Context {
	return workflow.WithHeartbeatTimeout(untilDone(ctx, timeout, summary), deadAfter)
}

const (
	// deadAfter is how long a worker may be without a heartbeat. It is several times their interval: a busy machine is not dead.
	deadAfter    = 8 * time.Second
	loadTimeout  = 10 * time.Second
	applyTimeout = 15 * time.Second
	planTimeout  = 30 * time.Second
	// attemptTimeout allows for the 15 seconds of a request to a webhook, and for Postgres before
	// and after it.
	attemptTimeout = 30 * time.Second
	// settleTimeout allows for a call to the API, which takes at most 45 seconds.
	settleTimeout = time.Minute
	// mailTimeout allows for a slow mail server, and for waiting until the process has a connection free.
	mailTimeout = time.Minute
)

func retryForever() *temporal.RetryPolicy {
	return &temporal.RetryPolicy{
		InitialInterval:    200 * time.Millisecond,
		BackoffCoefficient: 2,
		MaximumInterval:    10 * time.Second,
	}
}

// observeOptions are for reading health. They give up soon: then the rollout holds.
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

// makePatchOptions are for making a patch, on a task queue of its own, where it may wait for hours
// behind others. It is retried for about an hour, in case the asset store is away, and not longer,
// since a patch may kill its worker each time, for example by its memory.
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

// mailOptions are for sending a mail. They wait longer after each failure, since a mail server may block clients that hurry.
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
