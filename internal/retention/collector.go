// Package retention deletes what is no longer needed: builds past their project's
// retention, contents that no build has, the data of erased devices and old telemetry,
// and old webhook deliveries. It joins the store, which decides, telemetry, which knows
// what devices run, and the asset store.
package retention

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// Store knows what is needed.
type Store interface {
	// GarbageCandidates returns the update ids, in lower case, of deleted releases whose
	// builds are garbage unless devices run them.
	GarbageCandidates(ctx context.Context, projectID int64) ([]string, error)
	// Garbage returns what CollectGarbage would delete. idle are those of the candidates
	// that no device runs.
	Garbage(ctx context.Context, projectID int64, idle []string) (models.Garbage, error)
	CollectGarbage(ctx context.Context, projectID int64, actor models.Actor, idle []string) (models.Garbage, error)
	// RemoveBlobs calls remove for each content that no build needs, until none is left.
	RemoveBlobs(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (int64, error)
	// RemovePatches does the same for patches.
	RemovePatches(ctx context.Context, projectID int64, remove func(ctx context.Context, targetMD5, baseMD5 string) error) error
}

// Telemetry knows what devices run.
type Telemetry interface {
	// SeenUpdates are those of the updates that a device reported with since then.
	SeenUpdates(ctx context.Context, projectID int64, updates []string, since time.Time) ([]string, error)
}

// Bucket holds contents.
type Bucket interface {
	// Remove is no error for a content that is gone.
	Remove(ctx context.Context, projectID int64, md5 string) error
	// RemovePatch is no error for a patch that is gone.
	RemovePatch(ctx context.Context, projectID int64, targetMD5, baseMD5 string) error
}

// Collector is the cleanup. It is safe for concurrent use.
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

// Run deletes the garbage and returns what it was. Contents that could not be deleted
// from the asset store are pending then; the next run deletes them.
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
	if err != nil {
		// The cleanup is committed; the caller must learn what it deleted.
		c.Log.WarnContext(ctx, "files that no build needs stay in the asset store until the next cleanup", "project", projectID, "error", err)
	}
	g.Pending = max(0, g.Pending-removed)
	return g, nil
}

// idle returns the candidates that no device ran lately, whose builds may be deleted. A
// release that becomes a candidate later is not among them, so its build stays.
func (c Collector) idle(ctx context.Context, projectID int64) ([]string, error) {
	candidates, err := c.Store.GarbageCandidates(ctx, projectID)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	seen, err := c.Telemetry.SeenUpdates(ctx, projectID, candidates, c.Now().Add(-models.SeenWithin))
	if err != nil {
		return nil, err
	}
	running := make(map[string]bool, len(seen))
	for _, update := range seen {
		running[update] = true
	}
	return slices.DeleteFunc(candidates, func(update string) bool { return running[update] }), nil
}
