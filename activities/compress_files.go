package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/waft-ota/waft/models"
)

// FileStore finds files that are to be compressed.
type FileStore interface {
	// PendingFiles protects the returned files from cleanup until EndHold. It returns not_found for a deleted project.
	PendingFiles(ctx context.Context, projectID int64) (models.PendingFiles, error)
	// FinishFiles may be repeated.
	FinishFiles(ctx context.Context, projectID int64, files []models.CompressedFile) error
	EndHold(ctx context.Context, projectID, holdID int64) error
}

// Compressor creates and stores the variants of files.
type Compressor interface {
	// Compress returns not_found if the file no longer exists, and invalid_request if it is damaged. It may be
	// repeated.
	Compress(ctx context.Context, projectID int64, f models.PendingFile) (models.BlobVariants, error)
}

// finishEvery is how long files wait to be recorded together. Every record makes the API processes read it, so there
// should be few.
const finishEvery = time.Second

// CompressFiles creates the variants of some of the project's pending files. It records progress as it goes, so that a
// retry continues from there.
func (a *Activities) CompressFiles(ctx context.Context, f models.FilesToCompress) (models.CompressedFiles, error) {
	ctx, stop := alive(ctx)
	defer stop()
	pass, err := a.compressPending(ctx, f.ProjectID)
	if err != nil && errors.Is(context.Cause(ctx), errStopping) {
		err = errStopping // Temporal would take the context's error for the end of the workflow
	}
	return pass, classify(err)
}

func (a *Activities) compressPending(ctx context.Context, projectID int64) (pass models.CompressedFiles, err error) {
	pending, err := a.FileStore.PendingFiles(ctx, projectID)
	if err != nil || len(pending.Files) == 0 {
		return pass, err
	}
	defer func() {
		// Otherwise the hold would end only after an hour.
		err = errors.Join(err, a.FileStore.EndHold(context.WithoutCancel(ctx), projectID, pending.HoldID))
	}()
	var done []models.CompressedFile
	record := func() error {
		if len(done) == 0 {
			return nil
		}
		err := a.FileStore.FinishFiles(ctx, projectID, done)
		if err == nil {
			pass.Files += len(done)
			done = nil
		}
		return err
	}
	var recorded time.Time // the first file, a launch asset, does not wait
	for _, f := range pending.Files {
		variants, err := a.Compressor.Compress(ctx, projectID, f)
		switch code := models.CodeOf(err); {
		case code == models.CodeNotFound || code == models.CodeInvalid:
			// A retry would not help: devices cannot get this file in any encoding.
			activity.GetLogger(ctx).Error("a stored file cannot be compressed", "project", projectID, "md5", f.MD5, "error", err)
		case err != nil:
			return pass, errors.Join(err, record())
		}
		done = append(done, models.CompressedFile{MD5: f.MD5, SHA256: f.SHA256, Variants: variants})
		if time.Since(recorded) < finishEvery {
			continue
		}
		if err := record(); err != nil {
			return pass, err
		}
		recorded = time.Now()
	}
	pass.More = pending.More
	return pass, record()
}
