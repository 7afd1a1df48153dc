package activities

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// deliveryFake is a store and a receiver.
type deliveryFake struct {
	DeliveryStore
	job     models.DeliveryJob
	result  webhookclient.Result
	failing error

	sent     []webhookclient.Message
	attempts []models.DeliveryAttempt
	verdicts []models.DeliveryVerdict
}

func (f *deliveryFake) DeliveryJob(context.Context, models.DeliveryTry) (models.DeliveryJob, error) {
	return f.job, f.failing
}

func (f *deliveryFake) Send(_ context.Context, m webhookclient.Message) (webhookclient.Result, error) {
	f.sent = append(f.sent, m)
	return f.result, nil
}

func (f *deliveryFake) RecordAttempt(_ context.Context, _ models.DeliveryTry, a models.DeliveryAttempt, v models.DeliveryVerdict) (models.DeliveryOutcome, error) {
	f.attempts, f.verdicts = append(f.attempts, a), append(f.verdicts, v)
	return models.DeliveryOutcome{Status: v.Status, Wait: v.Wait}, nil
}

func (f *deliveryFake) attempt(t *testing.T, n int, schedule ...time.Duration) (o models.DeliveryOutcome, err error) {
	t.Helper()
	suite := testsuite.WorkflowTestSuite{}
	env := suite.NewTestActivityEnvironment()
	a := &Activities{Deliveries: f, Sender: f, WebhookSchedule: schedule, Lanes: NewLanes()}
	env.RegisterActivity(a.AttemptDelivery)
	value, err := env.ExecuteActivity(a.AttemptDelivery, models.DeliveryTry{WebhookID: 31, Attempt: n})
	if err == nil {
		require.NoError(t, value.Get(&o))
	}
	return o, err
}

func TestAnAttempt(t *testing.T) {
	t.Parallel()
	schedule := []time.Duration{time.Second, time.Minute, time.Hour}
	for name, tc := range map[string]struct {
		n      int
		result webhookclient.Result
		want   models.DeliveryVerdict
		reason string
	}{
		"taken":  {1, webhookclient.Result{Status: 204}, models.DeliveryVerdict{Status: models.DeliveryDelivered}, ""},
		"failed": {1, webhookclient.Result{Status: 500}, models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Second}, ""},
		"for longer": {
			3, webhookclient.Result{Status: 500},
			models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Hour, Persistent: true}, "",
		},
		"put off": {1, webhookclient.Result{Status: 429, RetryAfter: 2 * time.Hour},
			models.DeliveryVerdict{Status: models.DeliveryPending, Wait: 2 * time.Hour}, ""},
		"redirected": {
			2, webhookclient.Result{Status: 302},
			models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Minute}, "redirects",
		},
		"without a response": {
			2, webhookclient.Result{Error: "refused"},
			models.DeliveryVerdict{Status: models.DeliveryPending, Wait: time.Minute}, "refused",
		},
		"the last one": {4, webhookclient.Result{Status: 500}, models.DeliveryVerdict{Status: models.DeliveryFailed, Persistent: true}, ""},
		"gone": {
			1, webhookclient.Result{Status: 410},
			models.DeliveryVerdict{Status: models.DeliveryFailed, Gone: true}, "any more messages",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &deliveryFake{result: tc.result, job: models.DeliveryJob{URL: "https://example.com", MessageID: "msg_1", Body: "{}"}}
			o, err := f.attempt(t, tc.n, schedule...)
			require.NoError(t, err)
			require.Equal(t, []webhookclient.Message{{URL: "https://example.com", ID: "msg_1", Body: []byte("{}")}}, f.sent)
			got := f.verdicts[0]
			require.GreaterOrEqual(t, got.Wait, tc.want.Wait)
			require.LessOrEqual(t, got.Wait, tc.want.Wait+tc.want.Wait/5, "a fifth of jitter")
			got.Wait = tc.want.Wait
			require.Equal(t, tc.want, got)
			require.Equal(t, tc.want.Status, o.Status)
			require.Contains(t, f.attempts[0].Error, tc.reason)
			require.Equal(t, tc.result.Status == 0, f.attempts[0].ResponseStatus == nil)
		})
	}
}

func TestAnAttemptThatIsNotToBeMade(t *testing.T) {
	t.Parallel()
	f := &deliveryFake{job: models.DeliveryJob{Outcome: &models.DeliveryOutcome{Status: models.DeliveryPending, Wait: time.Minute}}}
	o, err := f.attempt(t, 1)
	require.NoError(t, err)
	require.Equal(t, *f.job.Outcome, o, "the attempt was already made")
	require.Empty(t, f.sent)

	f.failing = models.Unavailable("Postgres", errors.New("away"))
	_, err = f.attempt(t, 1)
	require.Error(t, err)
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.False(t, app.NonRetryable(), "it is retried until Postgres is available")
	require.Empty(t, f.sent)
}

// If a webhook uses up its places, its further attempts are retried later. Other webhooks are not affected.
func TestLanes(t *testing.T) {
	t.Parallel()
	lanes := NewLanes()
	var releases []func()
	for range laneWidth {
		release, err := lanes.enter(t.Context(), 1)
		require.NoError(t, err)
		releases = append(releases, release)
	}
	_, err := lanes.enter(t.Context(), 1)
	var app *temporal.ApplicationError
	require.ErrorAs(t, err, &app)
	require.Equal(t, errorTypeBusy, app.Type())
	require.GreaterOrEqual(t, app.NextRetryDelay(), busyDelay)
	other, err := lanes.enter(t.Context(), 2)
	require.NoError(t, err)

	waiting := make(chan error, 1)
	go func() {
		release, err := lanes.enter(t.Context(), 1)
		if err == nil {
			release()
		}
		waiting <- err
	}()
	releases[0]()
	require.NoError(t, <-waiting, "a place that becomes free is taken")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_, err = lanes.enter(stopped, 1)
	require.ErrorIs(t, err, context.Canceled)
	for _, release := range append(releases[1:], other) {
		release()
	}
	require.Zero(t, lanes.webhooks.Keys(), "webhooks without attempts do not use memory")
}
