package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// DeliverWebhook sends one message to one webhook until the receiver takes it or the
// attempts are used up. When the next one is due the attempt itself says, with its
// jitter and what the receiver asked for, so another schedule is no other workflow. A
// delivery that is cancelled in the store ends at once, by a signal; one whose signal
// was lost, or whose project is gone, finds out at its next attempt.
func DeliverWebhook(ctx workflow.Context, s models.WebhookStart) (DeliveryResult, error) {
	result := DeliveryResult{Status: models.DeliveryPending}
	try := models.DeliveryTry{DeliveryID: s.DeliveryID, ProjectID: s.ProjectID, WebhookID: s.WebhookID}
	for result.Status == models.DeliveryPending {
		try.Attempt++
		var o models.DeliveryOutcome
		err := workflow.ExecuteActivity(attemptOptions(ctx, try.Attempt), ActivityAttemptDelivery, try).Get(ctx, &o)
		if ctx.Err() != nil {
			return cancelDelivery(ctx, result, try)
		}
		if err != nil {
			return result, err
		}
		result.Status = o.Status
		if o.Status != models.DeliveryCancelled {
			result.Attempts = try.Attempt
		}
		if o.Status != models.DeliveryPending {
			break
		}
		workflow.SetCurrentDetails(ctx, attemptDetails(result.Attempts, o, workflow.Now(ctx)))
		if awaitNext(ctx, o.Wait) {
			result.Status = models.DeliveryCancelled
		}
		if ctx.Err() != nil {
			return cancelDelivery(ctx, result, try)
		}
	}
	return result, workflow.UpsertTypedSearchAttributes(ctx, attributeStatus.ValueSet(string(result.Status)))
}

// awaitNext waits for the time of the next attempt, and reports whether the delivery
// was cancelled instead.
func awaitNext(ctx workflow.Context, wait time.Duration) (cancelled bool) {
	waiting, stop := workflow.WithCancel(ctx)
	defer stop()
	timer := workflow.NewTimerWithOptions(waiting, wait, workflow.TimerOptions{Summary: "until the next attempt"})
	selector := workflow.NewSelector(ctx)
	selector.AddFuture(timer, func(workflow.Future) {})
	selector.AddReceive(workflow.GetSignalChannel(ctx, SignalDeliveryEnded), func(c workflow.ReceiveChannel, _ bool) {
		c.Receive(ctx, nil)
		cancelled = true
	})
	selector.Select(ctx)
	return cancelled
}

// cancelDelivery is the end of a delivery that somebody cancelled in Temporal.
func cancelDelivery(ctx workflow.Context, result DeliveryResult, try models.DeliveryTry) (DeliveryResult, error) {
	left, stop := workflow.NewDisconnectedContext(ctx)
	defer stop()
	err := workflow.ExecuteActivity(cancelDeliveryOptions(left), ActivityCancelDelivery, try).Get(left, nil)
	if err != nil {
		return result, err
	}
	result.Status = models.DeliveryCancelled
	return result, workflow.UpsertTypedSearchAttributes(left, attributeStatus.ValueSet(string(result.Status)))
}

func attemptDetails(attempts int, o models.DeliveryOutcome, now time.Time) string {
	answer := "no answer"
	if o.ResponseStatus != 0 {
		answer = fmt.Sprintf("the answer %d", o.ResponseStatus)
	}
	return fmt.Sprintf("Attempt %d got %s. The next one is at %s.\n", attempts, answer, now.Add(o.Wait).Format("2006-01-02 15:04:05 UTC"))
}

// WebhooksQueue is the task queue of webhook deliveries, beside the one of rollouts: a
// change that tells a thousand webhooks, or receivers that let theirs wait, keep no
// rollout waiting.
func WebhooksQueue(taskQueue string) string { return taskQueue + "-webhooks" }
