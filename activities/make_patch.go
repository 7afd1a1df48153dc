package activities

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"go.temporal.io/sdk/activity"

	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/assets/bsdiff"
	"github.com/waft-ota/waft/models"
)

// PatchFiles stores launch assets and binary patches.
type PatchFiles interface {
	// Open opens a file by its MD5, or returns not_found.
	Open(ctx context.Context, projectID int64, md5 string) (*assets.Reader, error)
	PutPatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string, patch []byte) error
}

const (
	// patchTime is the maximum time for creating one patch. Files that take longer have little in common, or contain
	// long runs of one value.
	patchTime = time.Minute
	// patchHeartbeat is the interval of the activity's heartbeats.
	patchHeartbeat = 5 * time.Second
)

// MakePatch creates a patch, checks its result, and keeps it if it is small enough. It takes about eight times the
// base's size in memory, so the worker's task queue runs one at a time.
func (a *Activities) MakePatch(ctx context.Context, j models.PatchJob) (models.PatchOutcome, error) {
	ctx, stop := alive(ctx)
	defer stop()
	began := time.Now()
	o, err := a.makePatch(ctx, j)
	if err == nil {
		o.DurationMillis = time.Since(began).Milliseconds()
		err = a.Patches.FinishPatch(ctx, j, o)
	}
	if err != nil && errors.Is(context.Cause(ctx), errStopping) {
		err = errStopping // Temporal would take the context's error for the end of the workflow
	}
	return o, classify(err)
}

// GiveUpPatch records that a patch could not be created.
func (a *Activities) GiveUpPatch(ctx context.Context, j models.PatchJob, reason string) error {
	err := a.Patches.FinishPatch(ctx, j, models.PatchOutcome{Status: models.PatchSkipped, Reason: reason})
	if models.CodeOf(err) == models.CodeNotFound {
		return nil // the files were deleted
	}
	return classify(err)
}

func (a *Activities) makePatch(ctx context.Context, j models.PatchJob) (models.PatchOutcome, error) {
	if largest := max(j.BaseBytes, j.TargetBytes); largest > bsdiff.MaxBytes {
		return skipped("the larger bundle has %d bytes, but the limit is %d", largest, bsdiff.MaxBytes), nil
	}
	base, err := a.load(ctx, j.ProjectID, j.BaseMD5, j.BaseSHA256, j.BaseBytes)
	if err != nil {
		return models.PatchOutcome{}, err
	}
	target, err := a.load(ctx, j.ProjectID, j.TargetMD5, j.TargetSHA256, j.TargetBytes)
	if err != nil {
		return models.PatchOutcome{}, err
	}
	limited, cancel := context.WithTimeout(ctx, patchTime)
	defer cancel()
	patch, err := bsdiff.Diff(limited, base, target)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return skipped("the patch was not finished within %s", patchTime), nil
	}
	if err != nil {
		return models.PatchOutcome{}, err
	}
	if reason := j.TooLarge(int64(len(patch))); reason != "" {
		o := skipped("%s", reason)
		o.SizeBytes = int64(len(patch))
		return o, nil
	}
	// Apply does the same as a client, except that a client only compares the SHA-256.
	made, err := bsdiff.Apply(ctx, base, patch, j.TargetBytes)
	if err != nil {
		return models.PatchOutcome{}, err
	}
	if got := sum(made); got != j.TargetSHA256 {
		return models.PatchOutcome{}, fmt.Errorf("the patch from %s results in a file with the SHA-256 %s, not %s",
			j.BaseMD5, got, j.TargetSHA256)
	}
	if err := a.Files.PutPatch(ctx, j.ProjectID, j.TargetMD5, j.BaseMD5, patch); err != nil {
		return models.PatchOutcome{}, err
	}
	return models.PatchOutcome{Status: models.PatchOffered, SizeBytes: int64(len(patch)), SHA256: sum(patch)}, nil
}

func skipped(reason string, args ...any) models.PatchOutcome {
	return models.PatchOutcome{Status: models.PatchSkipped, Reason: fmt.Sprintf(reason, args...)}
}

// load reads a file and checks its size and SHA-256.
func (a *Activities) load(ctx context.Context, projectID int64, md5, sha256 string, size int64) ([]byte, error) {
	file, err := a.Files.Open(ctx, projectID, md5)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read, so closing it cannot lose data
	content := make([]byte, size)
	if _, err := io.ReadFull(file, content); err != nil {
		return nil, fmt.Errorf("read asset %s: %w", md5, err)
	}
	if got := sum(content); got != sha256 {
		return nil, fmt.Errorf("asset %s has the SHA-256 %s, not %s", md5, got, sha256)
	}
	return content, nil
}

func sum(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// errStopping ends an activity whose worker is stopping, so that another worker retries it immediately.
var errStopping = errors.New("the worker is stopping")

// alive sends heartbeats until stop is called, and ends the context if the worker stops.
func alive(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(patchHeartbeat)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-activity.GetWorkerStopChannel(ctx):
				cancel(errStopping)
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}
