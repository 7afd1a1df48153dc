package telemetry

import (
	"context"
	"strconv"
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

// ActivitySource returns the activity of streams (see StreamQueries.StreamActivity).
type ActivitySource interface {
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
}

// RecentStreams queries a source for the activity of a project's streams at most once per second. The queries take
// about 15 ms however small the project is, and after a change every open overview requests the activity again (see
// docs/adr/0044). It is safe for concurrent use.
type RecentStreams struct {
	source ActivitySource
	asking singleflight.Group

	mu     sync.Mutex
	recent *cache.Generations[int64, recentActivity]
}

type recentActivity struct {
	at      time.Time
	streams []models.StreamActivity
}

// NewRecentStreams returns a RecentStreams that reads from source.
func NewRecentStreams(source ActivitySource) *RecentStreams {
	return &RecentStreams{source: source, recent: cache.New[int64, recentActivity](maxRecentStreams, streamsAge)}
}

// StreamActivity returns the activity from the source, at most a second old. The caller must not change it.
func (r *RecentStreams) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	r.mu.Lock()
	r.recent.Expire(now)
	kept, ok := r.recent.Peek(projectID)
	r.mu.Unlock()
	if ok && now.Sub(kept.at) < streamsAge {
		return kept.streams, nil
	}
	// The query continues after its caller has disconnected, because other callers may wait for it.
	asked := r.asking.DoChan(strconv.FormatInt(projectID, 10), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), streamsTimeout)
		defer cancel()
		streams, err := r.source.StreamActivity(ctx, projectID, now)
		if err == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.recent.Put(projectID, recentActivity{now, streams})
		}
		return streams, err
	})
	select {
	case <-ctx.Done():
		return nil, queryError("read the activity of streams", ctx.Err())
	case answer := <-asked:
		streams, _ := answer.Val.([]models.StreamActivity)
		return streams, answer.Err
	}
}
