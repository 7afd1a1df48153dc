package activities_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
)

type fakeRollouts struct {
	subject func(projectID, executionID int64) (models.RolloutSubject, error)
	apply   func(models.ExecutionChange) (models.RolloutExecution, error)
}

func (f fakeRollouts) RolloutSubject(_ context.Context, projectID, executionID int64) (models.RolloutSubject, error) {
	return f.subject(projectID, executionID)
}

func (f fakeRollouts) ApplyExecutionChange(_ context.Context, c models.ExecutionChange) (models.RolloutExecution, error) {
	return f.apply(c)
}

type fakeHealth func(models.HealthQuery) (models.ReleaseHealth, error)

func (f fakeHealth) ReleaseHealth(_ context.Context, q models.HealthQuery) (models.ReleaseHealth, error) {
	return f(q)
}

// failing runs every activity with dependencies that return err.
func failing(err error) map[string]error {
	a := &activities.Activities{
		Rollouts: fakeRollouts{
			subject: func(int64, int64) (models.RolloutSubject, error) { return models.RolloutSubject{}, err },
			apply:   func(models.ExecutionChange) (models.RolloutExecution, error) { return models.RolloutExecution{}, err },
		},
		Health: fakeHealth(func(models.HealthQuery) (models.ReleaseHealth, error) { return models.ReleaseHealth{}, err }),
	}
	ctx := context.Background()
	_, load := a.LoadRollout(ctx, models.RolloutStart{})
	_, observe := a.ObserveRelease(ctx, models.HealthQuery{})
	_, apply := a.ApplyRolloutChange(ctx, models.ExecutionChange{})
	return map[string]error{"LoadRollout": load, "ObserveRelease": observe, "ApplyRolloutChange": apply}
}

func TestErrorsAreClassifiedForTemporal(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err   error
		kind  string
		final bool
		delay time.Duration
	}{
		"not found ends the activity":           {models.Errorf(models.CodeNotFound, "no such rollout"), "not_found", true, 0},
		"invalid input ends the activity":       {models.Errorf(models.CodeInvalid, "bad"), "invalid_request", true, 0},
		"a lost fence ends the activity":        {models.Errorf(models.CodeInvalidTransition, "moved on"), "invalid_transition", true, 0},
		"a wrapped domain error is still one":   {fmt.Errorf("apply: %w", models.Errorf(models.CodeNotFound, "no")), "not_found", true, 0},
		"an unavailable store is retried":       {models.Unavailable("Postgres", errors.New("refused")), "unavailable", false, 2 * time.Second},
		"a conflict that passes is tried again": {models.Errorf(models.CodeRolloutInProgress, "busy"), "rollout_in_progress", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for activity, err := range failing(tc.err) {
				var app *temporal.ApplicationError
				require.ErrorAs(t, err, &app, activity)
				require.Equal(t, tc.kind, app.Type(), activity)
				require.Equal(t, tc.final, app.NonRetryable(), activity)
				require.Equal(t, tc.delay, app.NextRetryDelay(), activity)
				require.ErrorIs(t, err, tc.err, "the cause is kept for the log")
			}
		})
	}
}

func TestUnknownErrorsAreLeftToTemporal(t *testing.T) {
	t.Parallel()
	for _, want := range []error{errors.New("broken pipe"), context.Canceled, context.DeadlineExceeded} {
		for activity, err := range failing(want) {
			require.Equal(t, want, err, activity)
		}
	}
}

func TestLoadRolloutAsksForTheExecution(t *testing.T) {
	t.Parallel()
	want := models.RolloutSubject{ProjectSlug: "demo", ShareSalt: "release:g"}
	a := &activities.Activities{Rollouts: fakeRollouts{subject: func(projectID, executionID int64) (models.RolloutSubject, error) {
		require.Equal(t, []int64{7, 12}, []int64{projectID, executionID})
		return want, nil
	}}}
	got, err := a.LoadRollout(t.Context(), models.RolloutStart{ProjectID: 7, ExecutionID: 12, WorkflowID: "rollout/demo/12"})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestObserveReleasePassesTheQueryOn(t *testing.T) {
	t.Parallel()
	query := models.HealthQuery{ProjectID: 7, Salt: "release:g", Percentage: 25, Since: time.Unix(1, 0)}
	want := models.ReleaseHealth{Devices: 10, Launches: 20, ErroredDevices: 2, CrashedDevices: 1}
	a := &activities.Activities{Health: fakeHealth(func(q models.HealthQuery) (models.ReleaseHealth, error) {
		require.Equal(t, query, q)
		return want, nil
	})}
	got, err := a.ObserveRelease(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestApplyRolloutChangeAnswersWithHowTheRowStands(t *testing.T) {
	t.Parallel()
	change := models.ExecutionChange{ProjectID: 7, ExecutionID: 12, Seq: 3, Status: models.ExecutionRunning}
	a := &activities.Activities{Rollouts: fakeRollouts{apply: func(c models.ExecutionChange) (models.RolloutExecution, error) {
		require.Equal(t, change, c)
		return models.RolloutExecution{Version: 3, Status: models.ExecutionCancelled, PolicyName: "not needed"}, nil
	}}}
	got, err := a.ApplyRolloutChange(t.Context(), change)
	require.NoError(t, err)
	require.Equal(t, models.AppliedChange{Version: 3, Status: models.ExecutionCancelled}, got)
}
