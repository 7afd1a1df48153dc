package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// CompressFiles makes the compressed variants of a project's files until none is pending. Postgres holds which are: a signal
// only says that there are more. Devices get a file without an encoding meanwhile.
func CompressFiles(ctx workflow.Context, f models.FilesToCompress) (FilesResult, error) {
	var result FilesResult
	more := workflow.GetSignalChannel(ctx, SignalFiles)
	for {
		receiveAll(more) // what they say is read next
		var pass models.CompressedFiles
		if err := workflow.ExecuteActivity(compressOptions(ctx), ActivityCompressFiles, f).Get(ctx, &pass); err != nil {
			if isType(err, models.CodeNotFound) {
				return result, nil // the project was deleted
			}
			return result, err
		}
		result.Files += pass.Files
		switch {
		case !pass.More && more.Len() == 0:
			return result, nil
		case workflow.GetInfo(ctx).GetContinueAsNewSuggested():
			receiveAll(more) // the next run reads what is pending
			return result, workflow.NewContinueAsNewError(ctx, WorkflowCompressFiles, f)
		}
	}
}

// compressOptions are for one pass over pending files, on a task queue of its own. It is retried until it succeeds: what is
// done stays done. It must end before the store's hold of the files does.
func compressOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           FilesQueue(workflow.GetInfo(ctx).TaskQueueName),
		StartToCloseTimeout: 30 * time.Minute,
		HeartbeatTimeout:    15 * time.Second, // after which another worker goes on for one that was killed
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
		Summary: "compress files",
	})
}

// FilesQueue is the task queue on which files are compressed. Its workers take few tasks at once, so that devices are served
// meanwhile.
func FilesQueue(taskQueue string) string { return taskQueue + "-files" }
