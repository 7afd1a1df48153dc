package activities

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// DeliveryStore stores webhook deliveries.
type DeliveryStore interface {
	// DeliveryJob reports a deleted delivery as cancelled.
	DeliveryJob(ctx context.Context, t models.DeliveryTry) (models.DeliveryJob, error)
	// RecordAttempt may be repeated.
	RecordAttempt(
		ctx context.Context, t models.DeliveryTry, a models.DeliveryAttempt, v models.DeliveryVerdict,
	) (models.DeliveryOutcome, error)
	CancelDelivery(ctx context.Context, projectID, deliveryID int64) error
}

// Sender posts webhook messages.
type Sender interface {
	// Send returns an error only if it did not send the message.
	Send(ctx context.Context, m webhookclient.Message) (webhookclient.Result, error)
}

// persistentFrom is the number of the first attempt whose failure counts as persistent.
const persistentFrom = 3

// AttemptDelivery posts a message once and records the result. A failure of the receiver is not an error; errors are
// Waft's own, and Temporal retries them. If the process ends before the result is recorded, the message is posted again
// with the same ID.
func (a *Activities) AttemptDelivery(ctx context.Context, t models.DeliveryTry) (models.DeliveryOutcome, error) {
	release, err := a.Lanes.enter(ctx, t.WebhookID)
	if err != nil {
		return models.DeliveryOutcome{}, err
	}
	defer release()
	job, err := a.Deliveries.DeliveryJob(ctx, t)
	if err != nil {
		return models.DeliveryOutcome{}, classify(err)
	}
	if job.Outcome != nil {
		return *job.Outcome, nil
	}
	began := time.Now()
	body, err := webhookclient.Render(job.Format, []byte(job.Body), a.PublicURL)
	if err != nil {
		return models.DeliveryOutcome{}, classify(err)
	}
	result, err := a.Sender.Send(ctx, webhookclient.Message{URL: job.URL, ID: job.MessageID, Secrets: job.Secrets, Body: body})
	if err != nil {
		return models.DeliveryOutcome{}, err
	}
	verdict := judge(result, t.Attempt, a.WebhookSchedule)
	outcome, err := a.Deliveries.RecordAttempt(ctx, t, attemptOf(began, result), verdict)
	if err == nil && a.Attempted != nil {
		a.Attempted(result, outcome)
	}
	return outcome, classify(err)
}

// CancelDelivery ends a delivery whose workflow was cancelled in Temporal.
func (a *Activities) CancelDelivery(ctx context.Context, t models.DeliveryTry) error {
	return classify(a.Deliveries.CancelDelivery(ctx, t.ProjectID, t.DeliveryID))
}

func attemptOf(began time.Time, r webhookclient.Result) models.DeliveryAttempt {
	attempt := models.DeliveryAttempt{
		At: began.UTC().Truncate(time.Millisecond), DurationMs: r.Duration.Milliseconds(), Error: r.Error, ResponseSnippet: r.Snippet,
	}
	if r.Status != 0 {
		attempt.ResponseStatus = &r.Status
		if !r.Delivered() {
			attempt.Error = refusalOf(r.Status)
		}
	}
	return attempt
}

// refusalOf returns an explanation of a status that is not a success, or "" if the status does not need one.
func refusalOf(status int) string {
	switch {
	case status >= 300 && status <= 399:
		return "redirects are not followed; change the webhook's url"
	case status == http.StatusGone:
		return "the receiver does not want any more messages; the webhook is disabled"
	default:
		return ""
	}
}

// judge returns the verdict on an attempt. The first attempt has the number 1.
func judge(r webhookclient.Result, attempt int, schedule webhookclient.Schedule) models.DeliveryVerdict {
	if r.Delivered() {
		return models.DeliveryVerdict{Status: models.DeliveryDelivered}
	}
	wait, more := schedule.Next(attempt, r.RetryAfter, rand.Float64())
	v := models.DeliveryVerdict{Status: models.DeliveryFailed, Gone: r.Gone(), Persistent: attempt >= persistentFrom || !more}
	if more && !v.Gone {
		v.Status, v.Wait = models.DeliveryPending, wait
	}
	return v
}
