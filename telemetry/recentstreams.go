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
	// streamsAge is how old the activity of streams may be. Reports take as long until queries see them.
	streamsAge = time.Second
	// streamsTimeout bounds a query whose callers may have gone.
	streamsTimeout = 30 * time.Second
	// mostRecentStreams is of how many projects the activity is kept.
	mostRecentStreams = 256
)

// ActivitySource returns the activity of streams; see StreamQueries.StreamActivity.
type ActivitySource interface {
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
}

// RecentStreams asks a source for the activity of a project's streams at most once a second. The queries take some 15 ms however small the
// project is, and everybody who looks at an overview asks for it again after the same change; see docs/adr/0044. It is safe for concurrent
// use.
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

// NewRecentStreams returns a RecentStreams of a source.
func NewRecentStreams(source ActivitySource) *RecentStreams {
	return &RecentStreams{source: source, recent: cache.New[int64, recentActivity](mostRecentStreams, streamsAge)}
}

// StreamActivity returns what the source does, at most a second old. The caller must not change it.
func (r *RecentStreams) StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error) {
	r.mu.Lock()
	r.recent.Expire(now)
	kept, ok := r.recent.Peek(projectID)
	r.mu.Unlock()
	if ok && now.Sub(kept.at) < streamsAge {
		return kept.streams, nil
	}
	// The query goes on when its caller has gone, since others may wait for it.
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
