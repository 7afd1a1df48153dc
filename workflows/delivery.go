package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// DeliverWebhook sends one webhook message until the receiver accepts it or the last attempt fails. Each attempt returns
// the wait before the next attempt, so the schedule can change without changing the workflow. A delivery that is
// cancelled in the store ends when the signal arrives, or at its next attempt.
func DeliverWebhook(ctx workflow.Context, s models.WebhookStart) (DeliveryResult, error) {
	result := DeliveryResult{Status: models.DeliveryPending}
	try := models.DeliveryTry{DeliveryID: s.DeliveryID, ProjectID: s.ProjectID, WebhookID: s.WebhookID}
	for result.Status == models.DeliveryPending {
		try.Attempt++
		var o models.DeliveryOutcome
		err := workflow.ExecuteActivity(untilDone(ctx, attemptTimeout, fmt.Sprintf("attempt %d", try.Attempt)), ActivityAttemptDelivery, try).Get(ctx, &o)
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

// awaitNext waits for the next attempt. It reports whether the delivery was cancelled.
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

// cancelDelivery ends a delivery that was cancelled in Temporal.
func cancelDelivery(ctx workflow.Context, result DeliveryResult, try models.DeliveryTry) (DeliveryResult, error) {
	left, stop := workflow.NewDisconnectedContext(ctx)
	defer stop()
	cancel := untilDone(left, applyTimeout, "cancel the delivery")
	if err := workflow.ExecuteActivity(cancel, ActivityCancelDelivery, try).Get(left, nil); err != nil {
		return result, err
	}
	result.Status = models.DeliveryCancelled
	return result, workflow.UpsertTypedSearchAttributes(left, attributeStatus.ValueSet(string(result.Status)))
}

func attemptDetails(attempts int, o models.DeliveryOutcome, now time.Time) string {
	response := "no response"
	if o.ResponseStatus != 0 {
		response = fmt.Sprintf("the response %d", o.ResponseStatus)
	}
	next := now.Add(o.Wait).Format("2006-01-02 15:04:05 UTC")
	return fmt.Sprintf("Attempt %d got %s. The next attempt is at %s.\n", attempts, response, next)
}

// WebhooksQueue returns the task queue of webhook deliveries and mails. It is separate so that many deliveries or slow
// receivers do not delay rollouts.
func WebhooksQueue(taskQueue string) string { return taskQueue + "-webhooks" }
