package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

var webhookStart = models.WebhookStart{
	DeliveryID: 90, ProjectID: 7, WorkflowID: "webhook/demo/90", Project: "demo", WebhookID: 31, Event: "build.published",
}

// fakeDelivery replaces the attempts of one delivery. It contains the outcome of each attempt, in order, and the time of each
// attempt.
type fakeDelivery struct {
	outcomes  []models.DeliveryOutcome
	tries     []models.DeliveryTry
	made      []time.Time
	cancelled []models.DeliveryTry
	now       func() time.Time
}

func pendingFor(wait time.Duration) models.DeliveryOutcome {
	return models.DeliveryOutcome{Status: models.DeliveryPending, Wait: wait, ResponseStatus: 500}
}

func (fake *fakeDelivery) attempt(_ context.Context, t models.DeliveryTry) (models.DeliveryOutcome, error) {
	fake.tries = append(fake.tries, t)
	fake.made = append(fake.made, fake.now())
	return fake.outcomes[len(fake.tries)-1], nil
}

func (fake *fakeDelivery) cancel(_ context.Context, t models.DeliveryTry) error {
	fake.cancelled = append(fake.cancelled, t)
	return nil
}

// deliver runs the workflow in Temporal's time-skipping environment.
func (fake *fakeDelivery) deliver(t *testing.T, change ...func(*testsuite.TestWorkflowEnvironment)) workflows.DeliveryResult {
	t.Helper()
	env := newEnvironment()
	env.SetWorkflowRunTimeout(1000 * time.Hour)
	env.RegisterWorkflow(workflows.DeliverWebhook)
	env.RegisterActivityWithOptions(fake.attempt, activity.RegisterOptions{Name: workflows.ActivityAttemptDelivery})
	env.RegisterActivityWithOptions(fake.cancel, activity.RegisterOptions{Name: workflows.ActivityCancelDelivery})
	fake.now = env.Now
	for _, c := range change {
		c(env)
	}
	env.ExecuteWorkflow(workflows.DeliverWebhook, webhookStart)
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	var result workflows.DeliveryResult
	require.NoError(t, env.GetWorkflowResult(&result))
	return result
}

func TestADeliveryIsTriedUntilItsAttemptsEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		outcomes []models.DeliveryOutcome
		want     workflows.DeliveryResult
		waits    []time.Duration
	}{
		"taken at once": {
			[]models.DeliveryOutcome{{Status: models.DeliveryDelivered}},
			workflows.DeliveryResult{Status: models.DeliveryDelivered, Attempts: 1}, nil,
		},
		"taken in the end": {
			[]models.DeliveryOutcome{pendingFor(5 * time.Second), pendingFor(24 * time.Hour), {Status: models.DeliveryDelivered}},
			workflows.DeliveryResult{Status: models.DeliveryDelivered, Attempts: 3}, []time.Duration{5 * time.Second, 24 * time.Hour},
		},
		"given up": {
			[]models.DeliveryOutcome{pendingFor(time.Minute), {Status: models.DeliveryFailed}},
			workflows.DeliveryResult{Status: models.DeliveryFailed, Attempts: 2}, []time.Duration{time.Minute},
		},
		"cancelled where nobody told": {
			[]models.DeliveryOutcome{pendingFor(time.Minute), {Status: models.DeliveryCancelled}},
			workflows.DeliveryResult{Status: models.DeliveryCancelled, Attempts: 1}, []time.Duration{time.Minute},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := &fakeDelivery{outcomes: tc.outcomes}
			require.Equal(t, tc.want, fake.deliver(t))
			require.Len(t, fake.tries, len(tc.outcomes))
			for i, try := range fake.tries {
				require.Equal(t, models.DeliveryTry{DeliveryID: 90, ProjectID: 7, WebhookID: 31, Attempt: i + 1}, try)
				if i > 0 {
					require.Equal(t, tc.waits[i-1], fake.made[i].Sub(fake.made[i-1]))
				}
			}
		})
	}
}

func TestADeliveryEndsWhenItIsCancelled(t *testing.T) {
	t.Parallel()

	t.Run("in the store", func(t *testing.T) {
		t.Parallel()
		fake := &fakeDelivery{outcomes: []models.DeliveryOutcome{pendingFor(24 * time.Hour)}}
		var began, over time.Time
		result := fake.deliver(t, func(env *testsuite.TestWorkflowEnvironment) {
			began = env.Now()
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(workflows.SignalDeliveryEnded, nil); over = env.Now() }, time.Hour)
		})
		require.Equal(t, workflows.DeliveryResult{Status: models.DeliveryCancelled, Attempts: 1}, result)
		require.Equal(t, time.Hour, over.Sub(began))
		require.Empty(t, fake.cancelled, "the store knows")
	})

	t.Run("in Temporal", func(t *testing.T) {
		t.Parallel()
		fake := &fakeDelivery{outcomes: []models.DeliveryOutcome{pendingFor(24 * time.Hour)}}
		result := fake.deliver(t, func(env *testsuite.TestWorkflowEnvironment) {
			env.RegisterDelayedCallback(env.CancelWorkflow, time.Hour)
		})
		require.Equal(t, workflows.DeliveryResult{Status: models.DeliveryCancelled, Attempts: 1}, result)
		require.Len(t, fake.cancelled, 1)
	})
}

// A failure of Postgres or of a worker does not count as an attempt.
func TestWaftsOwnFailuresAreNoAttempts(t *testing.T) {
	t.Parallel()
	require.Zero(t, workflows.RetryForever().MaximumAttempts, "there is no last one, but in Temporal's test environment it is the tenth")
	fake := &fakeDelivery{}
	failures := 0
	result := fake.deliver(t, func(env *testsuite.TestWorkflowEnvironment) {
		env.OnActivity(workflows.ActivityAttemptDelivery, mock.Anything, mock.Anything).Return(
			func(_ context.Context, try models.DeliveryTry) (models.DeliveryOutcome, error) {
				if failures++; failures < 10 {
					return models.DeliveryOutcome{}, errors.New("Postgres is away")
				}
				require.Equal(t, 1, try.Attempt)
				return models.DeliveryOutcome{Status: models.DeliveryDelivered}, nil
			})
	})
	require.Equal(t, workflows.DeliveryResult{Status: models.DeliveryDelivered, Attempts: 1}, result)
}

// A worker registers the activities that the workflow calls.
func TestDeliveriesAreRegistered(t *testing.T) {
	t.Parallel()
	env := newEnvironment()
	a := &activities.Activities{Deliveries: goneDeliveries{}, Lanes: activities.NewLanes()}
	workflows.RegisterDeliveries(registry{env}, a)
	env.ExecuteWorkflow(workflows.WorkflowDeliver, webhookStart)
	require.NoError(t, env.GetWorkflowError())
}

// goneDeliveries is a store without the delivery.
type goneDeliveries struct{ activities.DeliveryStore }

func (goneDeliveries) DeliveryJob(context.Context, models.DeliveryTry) (models.DeliveryJob, error) {
	return models.DeliveryJob{Outcome: &models.DeliveryOutcome{Status: models.DeliveryCancelled}}, nil
}
