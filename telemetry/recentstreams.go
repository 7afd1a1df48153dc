package telemetry

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/waft-ota/waft/internal/base/cache"
	"github.com/waft-ota/waft/models"
)

const (
	// streamsAge is the maximum age of the activity of streams. Queries see reports after about the same time.
	streamsAge = time.Second
	// streamsTimeout is the time limit of a query, because its callers may have disconnected.
	streamsTimeout = 30 * time.Second
	// maxRecentStreams is the number of projects whose activity is kept.
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
	activity *recentAnswers[int64, []models.StreamActivity]
	health   *recentAnswers[hashKey, models.ServedHealth]
	counts   *recentAnswers[hashKey, map[string]models.DeviceCounts]
}

// hashKey identifies the updates of a query about a project by a hash.
type hashKey struct {
	projectID int64
	updates   [sha256.Size]byte
}

// NewRecentStreams returns a RecentStreams that reads from source.
func NewRecentStreams(source ActivitySource) *RecentStreams {
	return &RecentStreams{
		source: source, activity: newRecentAnswers[int64, []models.StreamActivity](), health: newRecentAnswers[hashKey, models.ServedHealth](),
		counts: newRecentAnswers[hashKey, map[string]models.DeviceCounts](),
	}
}

// StreamActivity returns the activity from the source, at most a second old. The caller must not change it.
func (r *RecentStreams) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	return r.activity.answer(ctx, projectID, now, func(ctx context.Context) ([]models.StreamActivity, error) {
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
	return r.health.answer(ctx, hashKey{projectID, [sha256.Size]byte(hash.Sum(nil))}, now, func(ctx context.Context) (models.ServedHealth, error) {
		return r.source.ServedHealth(ctx, projectID, served, others, now)
	})
}

// ReleaseCounts returns the counts from the source, at most a second old. The caller must not change them.
func (r *RecentStreams) ReleaseCounts(
	ctx context.Context, projectID int64, updates []string, now time.Time,
) (map[string]models.DeviceCounts, error) {
	key := hashKey{projectID, sha256.Sum256(fmt.Appendf(nil, "%q", updates))}
	return r.counts.answer(ctx, key, now, func(ctx context.Context) (map[string]models.DeviceCounts, error) {
		return r.source.ReleaseCounts(ctx, projectID, updates, now)
	})
}

// recentAnswers keeps the results of queries for a second. Callers at the same time share a query.
type recentAnswers[K comparable, V any] struct {
	asking singleflight.Group

	mu     sync.Mutex
	recent *cache.Generations[K, recentAnswer[V]]
}

type recentAnswer[V any] struct {
	at    time.Time
	value V
}

func newRecentAnswers[K comparable, V any]() *recentAnswers[K, V] {
	return &recentAnswers[K, V]{recent: cache.New[K, recentAnswer[V]](maxRecentStreams, streamsAge)}
}

func (r *recentAnswers[K, V]) answer(ctx context.Context, key K, now time.Time, ask func(context.Context) (V, error)) (V, error) {
	r.mu.Lock()
	r.recent.Expire(now)
	kept, ok := r.recent.Peek(key)
	r.mu.Unlock()
	if ok && now.Sub(kept.at) < streamsAge {
		return kept.value, nil
	}
	// The query continues after its caller has disconnected, because other callers may wait for it.
	asked := r.asking.DoChan(fmt.Sprint(key), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), streamsTimeout)
		defer cancel()
		value, err := ask(ctx)
		if err == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.recent.Put(key, recentAnswer[V]{now, value})
		}
		return value, err
	})
	select {
	case <-ctx.Done():
		var none V
		return none, queryError("read the activity of streams", ctx.Err())
	case answer := <-asked:
		value, _ := answer.Val.(V)
		return value, answer.Err
	}
}
