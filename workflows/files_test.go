package workflows_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

var filesToCompress = models.FilesToCompress{ProjectID: 7, WorkflowID: "files/demo/7"}

// compressing runs the workflow. pass is the n-th call of the activity, from 1.
func compressing(
	t *testing.T, pass func(env *testsuite.TestWorkflowEnvironment, n int) (models.CompressedFiles, error),
) (passes int, r workflows.FilesResult) {
	t.Helper()
	env := newEnvironment()
	env.RegisterActivityWithOptions(func(ctx context.Context, f models.FilesToCompress) (models.CompressedFiles, error) {
		require.Equal(t, filesToCompress, f)
		require.Equal(t, workflows.FilesQueue("default-test-taskqueue"), activity.GetInfo(ctx).TaskQueue)
		passes++
		return pass(env, passes)
	}, activity.RegisterOptions{Name: workflows.ActivityCompressFiles})
	env.ExecuteWorkflow(workflows.CompressFiles, filesToCompress)
	require.True(t, env.IsWorkflowCompleted())
	require.NoError(t, env.GetWorkflowError())
	require.NoError(t, env.GetWorkflowResult(&r))
	return passes, r
}

func TestCompressFiles(t *testing.T) {
	t.Parallel()
	t.Run("goes on while files are pending", func(t *testing.T) {
		t.Parallel()
		passes, r := compressing(t, func(_ *testsuite.TestWorkflowEnvironment, n int) (models.CompressedFiles, error) {
			return models.CompressedFiles{Files: 2, More: n < 3}, nil
		})
		require.Equal(t, 3, passes)
		require.Equal(t, 6, r.Files)
	})
	t.Run("looks again when it was told of more meanwhile", func(t *testing.T) {
		t.Parallel()
		passes, _ := compressing(t, func(env *testsuite.TestWorkflowEnvironment, n int) (models.CompressedFiles, error) {
			if n == 1 {
				env.SignalWorkflow(workflows.SignalFiles, nil)
			}
			return models.CompressedFiles{Files: 1}, nil
		})
		require.Equal(t, 2, passes)
	})
	t.Run("tries again after failures", func(t *testing.T) {
		t.Parallel()
		passes, r := compressing(t, func(_ *testsuite.TestWorkflowEnvironment, n int) (models.CompressedFiles, error) {
			if n < 8 {
				return models.CompressedFiles{}, models.Unavailable("the asset store", nil)
			}
			return models.CompressedFiles{Files: 1}, nil
		})
		require.Equal(t, 8, passes)
		require.Equal(t, 1, r.Files)
	})
	t.Run("ends with its project", func(t *testing.T) {
		t.Parallel()
		passes, r := compressing(t, func(*testsuite.TestWorkflowEnvironment, int) (models.CompressedFiles, error) {
			return models.CompressedFiles{}, temporal.NewNonRetryableApplicationError("there is no such project", string(models.CodeNotFound), nil)
		})
		require.Equal(t, 1, passes)
		require.Zero(t, r.Files)
	})
}
