package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// CompressFiles creates the compressed variants of a project's files until no file is pending in Postgres. A signal
// announces more files. Until its variants exist, devices get a file uncompressed.
func CompressFiles(ctx workflow.Context, f models.FilesToCompress) (FilesResult, error) {
	var result FilesResult
	more := workflow.GetSignalChannel(ctx, SignalFiles)
	for {
		receiveAll(more) // the activity reads the pending files next
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

// compressOptions returns the options for one pass over the pending files, on a separate task queue. Temporal retries the
// pass until it succeeds, and files that are already compressed stay so. A pass must end before the store releases its
// hold on the files.
func compressOptions(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		TaskQueue:           FilesQueue(workflow.GetInfo(ctx).TaskQueueName),
		StartToCloseTimeout: 30 * time.Minute,
		HeartbeatTimeout:    15 * time.Second, // then another worker continues the pass of a killed worker
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    time.Minute,
		},
		Summary: "compress files",
	})
}

// FilesQueue returns the task queue on which files are compressed. Its workers run few tasks at the same time, so that
// enough processor time is left for serving devices.
func FilesQueue(taskQueue string) string { return taskQueue + "-files" }
