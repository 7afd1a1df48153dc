package telemetry

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

const (
	// streamsAge is the maximum age of the activity of streams. Queries see reports after about the same time.
	streamsAge = time.Second
	// sizesAge is the maximum age of the number of a project's devices and of a release's reports. Queries are exact if these are low.
	sizesAge = 10 * time.Second
	// streamsTimeout is the time limit of a query, because its callers may have disconnected.
	streamsTimeout = 30 * time.Second
	// maxRecentStreams is half the number of projects whose activity is kept.
	maxRecentStreams = 256
)

// ActivitySource returns the activity of streams and the health of their releases (see StreamQueries).
type ActivitySource interface {
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
	ServedHealth(
		ctx context.Context, projectID int64, served []models.ServedStream, others bool, now time.Time,
	) (models.ServedHealth, error)
	ReleaseCounts(ctx context.Context, projectID int64, updates []string, now time.Time) (map[string]models.DeviceCounts, error)
}

// RecentStreams queries a source for the activity of a project's streams, and for the health of the same releases, at most
// once per second. The queries take about 15 ms however small the project is, and after a change every open overview
// requests them again (see docs/adr/0044). It is safe for concurrent use.
type RecentStreams struct {
	source   ActivitySource
	activity *cache.Recent[int64, []models.StreamActivity]
	health   *cache.Recent[hashKey, models.ServedHealth]
	counts   *cache.Recent[hashKey, map[string]models.DeviceCounts]
}

// hashKey identifies the updates of a query about a project by a hash.
type hashKey struct {
	projectID int64
	updates   [sha256.Size]byte
}

// keyOf returns the key of some updates of a project.
func keyOf(projectID int64, updates []string) hashKey {
	return hashKey{projectID, sha256.Sum256(fmt.Appendf(nil, "%q", updates))}
}

// NewRecentStreams returns a RecentStreams that reads from source.
func NewRecentStreams(source ActivitySource) *RecentStreams {
	return &RecentStreams{
		source:   source,
		activity: cache.NewRecent[int64, []models.StreamActivity](maxRecentStreams, streamsAge, streamsTimeout),
		health:   cache.NewRecent[hashKey, models.ServedHealth](maxRecentStreams, streamsAge, streamsTimeout),
		counts:   cache.NewRecent[hashKey, map[string]models.DeviceCounts](maxRecentStreams, streamsAge, streamsTimeout),
	}
}

// StreamActivity returns the activity from the source, at most a second old. The caller must not change it.
func (r *RecentStreams) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	return recent(ctx, r.activity, projectID, now, func(ctx context.Context) ([]models.StreamActivity, error) {
		return r.source.StreamActivity(ctx, projectID, now)
	})
}

// ServedHealth returns the health from the source, at most a second old. The caller must not change it.
func (r *RecentStreams) ServedHealth(
	ctx context.Context, projectID int64, served []models.ServedStream, others bool, now time.Time,
) (models.ServedHealth, error) {
	hash := sha256.New()
	_, _ = fmt.Fprintln(hash, others)
	for _, s := range served {
		_, _ = fmt.Fprintf(hash, "%#v %#v\n", s.Stream, s.Served)
	}
	return recent(ctx, r.health, hashKey{projectID, [sha256.Size]byte(hash.Sum(nil))}, now, func(ctx context.Context) (models.ServedHealth, error) {
		return r.source.ServedHealth(ctx, projectID, served, others, now)
	})
}

// ReleaseCounts returns the counts from the source, at most a second old. The caller must not change them.
func (r *RecentStreams) ReleaseCounts(
	ctx context.Context, projectID int64, updates []string, now time.Time,
) (map[string]models.DeviceCounts, error) {
	return recent(ctx, r.counts, keyOf(projectID, updates), now, func(ctx context.Context) (map[string]models.DeviceCounts, error) {
		return r.source.ReleaseCounts(ctx, projectID, updates, now)
	})
}

// recent returns a recent value of a key. If ctx ends before the query, the error is the same as if the query had failed.
func recent[K comparable, V any](
	ctx context.Context, of *cache.Recent[K, V], key K, now time.Time, ask func(context.Context) (V, error),
) (V, error) {
	value, err := of.Get(ctx, key, now, ask)
	if err != nil && ctx.Err() != nil {
		err = queryError("read the activity of streams", err)
	}
	return value, err
}
