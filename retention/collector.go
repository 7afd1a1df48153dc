// Package retention takes away what nobody needs any more: builds past their
// project's retention, and the contents that no build has. It joins the store,
// which decides, the telemetry, which knows what devices run, and the asset store.
package retention

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/models"
)

// Store knows what is needed.
type Store interface {
	// GarbageCandidates are the update UUIDs, in lower case, on which it depends what
	// is garbage: it is none while devices run them.
	GarbageCandidates(ctx context.Context, projectID int64) ([]string, error)
	// Garbage is what CollectGarbage would take. seen are those of the candidates that
	// devices run.
	Garbage(ctx context.Context, projectID int64, seen []string) (models.Garbage, error)
	CollectGarbage(ctx context.Context, projectID int64, actor models.Actor, seen []string) (models.Garbage, error)
	// RemoveBlobs calls remove for what was given up, until nothing is left.
	RemoveBlobs(ctx context.Context, projectID int64, remove func(ctx context.Context, md5 string) error) (int64, error)
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
}

// Collector collects garbage. It is safe for concurrent use.
type Collector struct {
	Store     Store
	Telemetry Telemetry
	Bucket    Bucket
	Log       *slog.Logger
	Now       func() time.Time
}

// Preview returns what Run would take now.
func (c Collector) Preview(ctx context.Context, projectID int64) (models.Garbage, error) {
	seen, err := c.seen(ctx, projectID)
	if err != nil {
		return models.Garbage{}, err
	}
	return c.Store.Garbage(ctx, projectID, seen)
}

// Run takes the garbage and returns what it was. Contents that could not be
// removed from the asset store are still pending then; the next run removes them.
func (c Collector) Run(ctx context.Context, projectID int64, actor models.Actor) (models.Garbage, error) {
	seen, err := c.seen(ctx, projectID)
	if err != nil {
		return models.Garbage{}, err
	}
	g, err := c.Store.CollectGarbage(ctx, projectID, actor, seen)
	if err != nil {
		return models.Garbage{}, err
	}
	removed, err := c.Store.RemoveBlobs(ctx, projectID, func(ctx context.Context, md5 string) error {
		return c.Bucket.Remove(ctx, projectID, md5)
	})
	if err != nil {
		// The collection is made; its record must not be lost for this.
		c.Log.WarnContext(ctx, "garbage stays in the asset store until the next collection", "project", projectID, "error", err)
	}
	g.Pending = max(0, g.Pending-removed)
	return g, nil
}

// seen are the updates whose builds stay because devices ran them lately.
func (c Collector) seen(ctx context.Context, projectID int64) ([]string, error) {
	candidates, err := c.Store.GarbageCandidates(ctx, projectID)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	return c.Telemetry.SeenUpdates(ctx, projectID, candidates, c.Now().Add(-models.SeenWithin))
}
