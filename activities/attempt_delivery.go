package activities

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/webhook"
	"github.com/waft-ota/waft/models"
)

// DeliveryStore keeps webhook deliveries.
type DeliveryStore interface {
	// DeliveryJob counts what is gone as cancelled.
	DeliveryJob(ctx context.Context, t models.DeliveryTry) (models.DeliveryJob, error)
	// RecordAttempt is harmless to repeat.
	RecordAttempt(ctx context.Context, t models.DeliveryTry, a models.DeliveryAttempt, v models.DeliveryVerdict) (models.DeliveryOutcome, error)
	CancelDelivery(ctx context.Context, projectID, deliveryID int64) error
}

// Sender posts messages.
type Sender interface {
	// Send returns an error only when nothing was sent.
	Send(ctx context.Context, m webhook.Message) (webhook.Result, error)
}

// persistentFrom is the attempt from which a failure is no hiccup any more.
const persistentFrom = 3

// AttemptDelivery posts a message once and records how that went. What the receiver
// answers, or that it does not, is no error: errors are of Waft's own parts, and
// Temporal tries again until they are back. When the process dies between the two the
// message is posted again, with the same id.
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
	result, err := a.Sender.Send(ctx, webhook.Message{URL: job.URL, ID: job.MessageID, Secret: job.Secret, Body: []byte(job.Body)})
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

func attemptOf(began time.Time, r webhook.Result) models.DeliveryAttempt {
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

// refusalOf says why a status is not success where that is not plain.
func refusalOf(status int) string {
	switch {
	case status >= 300 && status <= 399:
		return "redirects are not followed; change the webhook's url"
	case status == http.StatusGone:
		return "the receiver wants no more messages; the webhook is disabled"
	default:
		return ""
	}
}

// judge is what an attempt of that number means.
func judge(r webhook.Result, attempt int, schedule webhook.Schedule) models.DeliveryVerdict {
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

// errorTypeBusy is of an attempt that was put off because its webhook is slow.
const errorTypeBusy = "busy"

// busyDelay is how long such an attempt waits, up to twice of it.
const busyDelay = 5 * time.Second

func busy() error {
	return temporal.NewApplicationErrorWithOptions("many messages to this webhook are on their way; this one waits for its turn", errorTypeBusy,
		temporal.ApplicationErrorOptions{NextRetryDelay: busyDelay + rand.N(busyDelay)})
}
