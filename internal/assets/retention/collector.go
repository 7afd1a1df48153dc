// Package retention deletes data that is no longer needed: old builds and files that only they have, the data of erased
// devices, old telemetry, and old webhook deliveries.
package retention

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// Store stores builds and their files.
type Store interface {
	// GarbageCandidates returns the update IDs, in lower case, of deleted releases whose builds are garbage unless
	// devices run them.
	GarbageCandidates(ctx context.Context, projectID int64) ([]string, error)
	// Garbage returns what CollectGarbage would delete. idle lists the candidates that devices do not run.
	Garbage(ctx context.Context, projectID int64, idle []string) (models.Garbage, error)
	CollectGarbage(ctx context.Context, projectID int64, actor models.Actor, idle []string) (models.Garbage, error)
	// RemoveBlobs calls remove for each file that builds do not need.
	RemoveBlobs(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (int64, error)
	// RemovePatches calls remove for each patch that builds do not need.
	RemovePatches(ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error) error
	// RemovePartialFiles calls remove for each file whose upload was not completed in time.
	RemovePartialFiles(ctx context.Context, projectID int64, remove func(ctx context.Context, id int64) error) error
}

// Telemetry provides the reports of devices.
type Telemetry interface {
	// SeenUpdates returns the given updates that devices have reported since then.
	SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error)
}

// Bucket is the asset bucket. Removing a missing file is not an error.
type Bucket interface {
	Remove(ctx context.Context, projectID int64, md5 string) error
	RemovePatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) error
	RemoveParts(ctx context.Context, projectID, partialID int64) error
}

// Collector runs the cleanup. It is safe for concurrent use.
type Collector struct {
	Store     Store
	Telemetry Telemetry
	Bucket    Bucket
	Log       *slog.Logger
	Now       func() time.Time
}

// Preview returns what Run would delete now.
func (c Collector) Preview(ctx context.Context, projectID int64) (models.Garbage, error) {
	idle, err := c.idle(ctx, projectID)
	if err != nil {
		return models.Garbage{}, err
	}
	return c.Store.Garbage(ctx, projectID, idle)
}

// Run deletes the garbage and returns it. Files that could not be deleted from the asset bucket are pending; the next
// run deletes them.
func (c Collector) Run(ctx context.Context, projectID int64, actor models.Actor) (models.Garbage, error) {
	idle, err := c.idle(ctx, projectID)
	if err != nil {
		return models.Garbage{}, err
	}
	g, err := c.Store.CollectGarbage(ctx, projectID, actor, idle)
	if err != nil {
		return models.Garbage{}, err
	}
	removed, err := c.Store.RemoveBlobs(ctx, projectID, func(ctx context.Context, md5 string) error {
		return c.Bucket.Remove(ctx, projectID, md5)
	})
	if err == nil {
		err = c.Store.RemovePatches(ctx, projectID, func(ctx context.Context, targetMD5, baseMD5 string) error {
			return c.Bucket.RemovePatch(ctx, projectID, targetMD5, baseMD5)
		})
	}
	if err == nil {
		err = c.Store.RemovePartialFiles(ctx, projectID, func(ctx context.Context, id int64) error {
			return c.Bucket.RemoveParts(ctx, projectID, id)
		})
	}
	if err != nil {
		// The cleanup is committed, so the caller gets its result without an error.
		c.Log.WarnContext(ctx, "unneeded files stay in the asset bucket until the next cleanup",
			"project", projectID, "error", err)
	}
	g.Pending = max(0, g.Pending-removed)
	return g, nil
}

// idle returns the candidates that devices have not reported recently. A release that becomes a candidate later is not
// included, so its build is kept.
func (c Collector) idle(ctx context.Context, projectID int64) ([]string, error) {
	candidates, err := c.Store.GarbageCandidates(ctx, projectID)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	seen, err := c.Telemetry.SeenUpdates(ctx, projectID, candidates, c.Now().Add(-models.SeenWithin))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(candidates, func(update string) bool { return slices.Contains(seen, update) }), nil
}
