package telemetry

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// slowSource takes a second for each response. Its response is the number of queries so far.
type slowSource struct {
	mu    sync.Mutex
	asked int
	err   error
}

func (s *slowSource) StreamActivity(ctx context.Context, projectID int64, _ time.Time) ([]models.StreamActivity, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.NewTimer(time.Second).C: // by the fake clock
	}
	return []models.StreamActivity{{Devices: projectID, Refused: int64(s.asked)}}, s.err
}

func (s *slowSource) ServedHealth(ctx context.Context, _ int64, served []models.ServedStream, _ bool, now time.Time) (models.ServedHealth, error) {
	activity, err := s.StreamActivity(ctx, 0, now)
	return models.ServedHealth{served[0].Stream: {DeviceCounts: models.DeviceCounts{Devices: activity[0].Refused}}}, err
}

func (s *slowSource) ReleaseCounts(ctx context.Context, _ int64, updates []string, now time.Time) (map[string]models.DeviceCounts, error) {
	activity, err := s.StreamActivity(ctx, 0, now)
	return map[string]models.DeviceCounts{updates[0]: {Devices: activity[0].Refused}}, err
}

func TestTheCountsOfTheSameReleasesAreAskedForOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		recent, now := NewRecentStreams(&slowSource{}), time.Now()
		ask := func(projectID int64, updates ...string) int64 {
			counts, err := recent.ReleaseCounts(t.Context(), projectID, updates, now)
			require.NoError(t, err)
			return counts[updates[0]].Devices
		}
		require.EqualValues(t, 1, ask(7, "one", "two"))
		require.EqualValues(t, 1, ask(7, "one", "two"))
		require.EqualValues(t, 2, ask(7, "one"), "other releases")
		require.EqualValues(t, 3, ask(8, "one"), "another project")
	})
}

func TestTheHealthOfOtherReleasesIsAskedForAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slowSource{}
		recent, now := NewRecentStreams(source), time.Now()
		ask := func(projectID int64, update string) int64 {
			served := models.ServedStream{Served: []models.ServedUpdate{{ReleaseID: 1, UpdateUUID: update}}}
			health, err := recent.ServedHealth(t.Context(), projectID, []models.ServedStream{served}, false, now)
			require.NoError(t, err)
			return health[served.Stream].Devices
		}
		require.EqualValues(t, 1, ask(7, "bad"))
		require.EqualValues(t, 1, ask(7, "bad"))
		require.EqualValues(t, 2, ask(7, "good"), "after a rollback")
		require.EqualValues(t, 3, ask(8, "good"), "another project")
	})
}

func TestActivityIsAskedForOnceASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slowSource{}
		recent := NewRecentStreams(source)
		began := time.Now()
		ask := func(projectID int64, after time.Duration) int64 {
			streams, err := recent.StreamActivity(t.Context(), projectID, began.Add(after))
			require.NoError(t, err)
			require.Equal(t, projectID, streams[0].Devices)
			return streams[0].Refused
		}
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() { require.EqualValues(t, 1, ask(7, 0), "callers at the same time share an answer") })
		}
		callers.Wait()
		require.EqualValues(t, 1, ask(7, streamsAge-1))
		require.EqualValues(t, 2, ask(8, streamsAge-1), "another project has its own activity")
		require.EqualValues(t, 3, ask(7, streamsAge))
	})
}

func TestACallerThatGoesLeavesTheAnswerToOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slowSource{}
		recent := NewRecentStreams(source)
		now := time.Now()
		leaving, leave := context.WithTimeout(t.Context(), time.Second/2)
		defer leave()
		var callers sync.WaitGroup
		callers.Go(func() {
			_, err := recent.StreamActivity(leaving, 7, now)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
		synctest.Wait()
		callers.Go(func() {
			streams, err := recent.StreamActivity(t.Context(), 7, now)
			require.NoError(t, err)
			require.Len(t, streams, 1)
		})
		callers.Wait()
		require.Equal(t, 1, source.asked)
	})
}

func TestAFailureIsNotKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slowSource{err: errors.New("away")}
		recent := NewRecentStreams(source)
		now := time.Now()
		_, err := recent.StreamActivity(t.Context(), 7, now)
		require.Equal(t, source.err, err)
		source.err = nil
		streams, err := recent.StreamActivity(t.Context(), 7, now)
		require.NoError(t, err)
		require.Len(t, streams, 1)
	})
}
