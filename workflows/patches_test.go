package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// fakePatches replaces the activities of patches. It contains the plan, the outcome of each patch by the name of its base, and
// the calls.
type fakePatches struct {
	mu      sync.Mutex
	planned []string
	made    []string
	givenUp []string
	// queues lists the task queues on which patches were created.
	queues map[string]bool
	// failures is the number of times that planning fails before it succeeds.
	failures int
}

var patchBuild = models.PatchBuild{ProjectID: 7, ReleaseID: 1042, WorkflowID: "patches/demo/1042", Summary: "demo: patches to release 1042 ios 1.0.0"}

func (fake *fakePatches) plan(_ context.Context, b models.PatchBuild) ([]models.PatchJob, error) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	if fake.failures > 0 {
		fake.failures--
		return nil, models.Unavailable("Postgres", nil)
	}
	jobs := make([]models.PatchJob, len(fake.planned))
	for i, base := range fake.planned {
		jobs[i] = models.PatchJob{ProjectID: b.ProjectID, TargetMD5: "target", BaseMD5: base}
	}
	return jobs, nil
}

func (fake *fakePatches) make(ctx context.Context, j models.PatchJob) (models.PatchOutcome, error) {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	fake.made = append(fake.made, j.BaseMD5)
	fake.queues[activity.GetInfo(ctx).TaskQueue] = true
	switch j.BaseMD5 {
	case "gone":
		return models.PatchOutcome{}, temporal.NewNonRetryableApplicationError("the content is gone", string(models.CodeNotFound), nil)
	case "broken":
		return models.PatchOutcome{}, temporal.NewNonRetryableApplicationError("it is broken", string(models.CodeInvalid), nil)
	case "different":
		return models.PatchOutcome{Status: models.PatchSkipped, Reason: "it is too large"}, nil
	default:
		return models.PatchOutcome{Status: models.PatchOffered, SizeBytes: 5}, nil
	}
}

func (fake *fakePatches) giveUp(_ context.Context, j models.PatchJob, reason string) error {
	fake.mu.Lock()
	defer fake.mu.Unlock()
	fake.givenUp = append(fake.givenUp, fmt.Sprintf("%s: %s", j.BaseMD5, reason))
	return nil
}

func newFakePatches(planned ...string) *fakePatches {
	return &fakePatches{planned: planned, queues: map[string]bool{}}
}

func (fake *fakePatches) register(main, patches worker.ActivityRegistry) {
	main.RegisterActivityWithOptions(fake.plan, activity.RegisterOptions{Name: workflows.ActivityPlanPatches})
	main.RegisterActivityWithOptions(fake.giveUp, activity.RegisterOptions{Name: workflows.ActivityGiveUpPatch})
	patches.RegisterActivityWithOptions(fake.make, activity.RegisterOptions{Name: workflows.ActivityMakePatch})
}

// perform runs the workflow in Temporal's time-skipping environment.
func (fake *fakePatches) perform(t *testing.T, change ...func(*testsuite.TestWorkflowEnvironment)) (workflows.PatchesResult, error) {
	t.Helper()
	env := newEnvironment()
	env.SetWorkflowRunTimeout(1000 * time.Hour)
	env.RegisterWorkflow(workflows.BuildPatches)
	fake.register(env, env)
	for _, c := range change {
		c(env)
	}
	env.ExecuteWorkflow(workflows.BuildPatches, patchBuild)
	require.True(t, env.IsWorkflowCompleted())
	var result workflows.PatchesResult
	if err := env.GetWorkflowError(); err != nil {
		return result, err
	}
	require.NoError(t, env.GetWorkflowResult(&result))
	return result, nil
}

func TestBuildPatches(t *testing.T) {
	t.Parallel()
	fake := newFakePatches("a", "different", "gone", "broken", "b")
	result, err := fake.perform(t)
	require.NoError(t, err)
	require.Equal(t, workflows.PatchesResult{Offered: 2, Skipped: 1, Failed: 1, Gone: 1}, result)
	require.Equal(t, fake.planned, fake.made, "one after the other, whatever became of the one before")
	require.Equal(t, []string{"broken: the patch could not be created: it is broken"}, fake.givenUp)
	for queue := range fake.queues {
		require.Contains(t, queue, "-patches")
	}
}

func TestBuildPatchesWithoutBases(t *testing.T) {
	t.Parallel()
	fake := newFakePatches()
	result, err := fake.perform(t)
	require.NoError(t, err)
	require.Zero(t, result)
}

func TestPlanningPatchesIsTriedRetryForever(t *testing.T) {
	t.Parallel()
	fake := newFakePatches("a")
	fake.failures = 8
	result, err := fake.perform(t)
	require.NoError(t, err)
	require.Equal(t, 1, result.Offered)
}

func TestAPatchIsGivenUpAfterManyAttempts(t *testing.T) {
	t.Parallel()
	fake := newFakePatches("a", "b")
	attempts := 0
	result, err := fake.perform(t, func(env *testsuite.TestWorkflowEnvironment) {
		env.OnActivity(workflows.ActivityMakePatch, mock.Anything, mock.Anything).Return(func(_ context.Context, j models.PatchJob) (models.PatchOutcome, error) {
			if j.BaseMD5 == "a" {
				attempts++
				return models.PatchOutcome{}, errors.New("the asset bucket is unavailable")
			}
			return models.PatchOutcome{Status: models.PatchOffered}, nil
		})
	})
	require.NoError(t, err)
	require.Equal(t, workflows.PatchesResult{Offered: 1, Failed: 1}, result)
	require.Equal(t, 20, attempts)
	require.Equal(t, []string{"a: the patch could not be created: the asset bucket is unavailable"}, fake.givenUp)
}

func TestBuildPatchesEndsWhenItIsCancelled(t *testing.T) {
	t.Parallel()
	fake := newFakePatches("a", "b")
	_, err := fake.perform(t, func(env *testsuite.TestWorkflowEnvironment) {
		env.OnActivity(workflows.ActivityMakePatch, mock.Anything, mock.Anything).Return(func(context.Context, models.PatchJob) (models.PatchOutcome, error) {
			env.CancelWorkflow()
			return models.PatchOutcome{Status: models.PatchOffered}, nil
		})
	})
	var cancelled *temporal.CanceledError
	require.ErrorAs(t, err, &cancelled)
	require.Empty(t, fake.givenUp)
}

// A worker registers the activities that the workflow calls.
func TestPatchesAreRegistered(t *testing.T) {
	t.Parallel()
	env := newEnvironment()
	a := &activities.Activities{Patches: noPatches{}}
	workflows.Register(registry{env}, a)
	workflows.RegisterPatches(registry{env}, a)
	env.ExecuteWorkflow(workflows.WorkflowBuildPatches, patchBuild)
	require.NoError(t, env.GetWorkflowError())
}

// noPatches is a store without the release.
type noPatches struct{ activities.PatchStore }

func (noPatches) PatchCandidates(context.Context, int64, int64) (models.PatchCandidates, error) {
	return models.PatchCandidates{}, models.Errorf(models.CodeNotFound, "no such update")
}
