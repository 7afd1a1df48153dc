package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/assets/retention"
	"github.com/waft-ota/waft/models"
)

// rows records the deletions.
type rows struct {
	fail    error
	devices []string
	before  map[int64]time.Time
}

func (r *rows) DeleteDevices(_ context.Context, _ int64, identities []string) error {
	if r.fail == nil {
		r.devices = append(r.devices, identities...)
	}
	return r.fail
}

func (r *rows) DeleteBefore(_ context.Context, projectID int64, before time.Time) error {
	if r.fail == nil {
		r.before[projectID] = before
	}
	return r.fail
}

// erasures keeps due erasures in memory.
type erasures struct {
	due    []models.DeviceErasure
	sweeps []models.Aged
	passed map[int64]int
	failed []int64
}

func (e *erasures) EraseDevice(_ context.Context, projectID int64, _ models.Actor, deviceID string) (models.DeviceErasure, error) {
	if deviceID == "refused" {
		return models.DeviceErasure{}, errors.New("no")
	}
	return models.DeviceErasure{ID: 1, ProjectID: projectID, Identities: []string{deviceID}}, nil
}

func (e *erasures) DueErasures(context.Context) ([]models.DeviceErasure, error) { return e.due, nil }

func (e *erasures) ErasurePassed(_ context.Context, d models.DeviceErasure) error {
	e.passed[d.ID]++
	return nil
}

func (e *erasures) DueSweeps(context.Context) ([]models.Aged, error) { return e.sweeps, nil }

func (e *erasures) SweepFailed(_ context.Context, projectID int64) error {
	e.failed = append(e.failed, projectID)
	return nil
}

func newEraser() (retention.Eraser, *erasures, *rows) {
	e, r := &erasures{passed: map[int64]int{}}, &rows{before: map[int64]time.Time{}}
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	return retention.NewEraser(e, r, slog.New(slog.DiscardHandler), func() time.Time { return now }), e, r
}

func TestErasingSaysWhetherItIsDone(t *testing.T) {
	t.Parallel()
	eraser, store, telemetry := newEraser()
	done, err := eraser.Erase(t.Context(), 7, models.Actor{}, "d")
	require.NoError(t, err)
	require.True(t, done)
	require.Equal(t, []string{"d"}, telemetry.devices)
	require.Equal(t, 1, store.passed[1])

	telemetry.fail = errors.New("ClickHouse is away")
	done, err = eraser.Erase(t.Context(), 7, models.Actor{}, "d")
	require.NoError(t, err, "the erasure will happen")
	require.False(t, done)
	require.Equal(t, 1, store.passed[1])

	_, err = eraser.Erase(t.Context(), 7, models.Actor{}, "refused")
	require.Error(t, err)
}

func TestWhatIsDueIsDone(t *testing.T) {
	t.Parallel()
	eraser, store, telemetry := newEraser()
	store.due = []models.DeviceErasure{{ID: 4, ProjectID: 7, Identities: []string{"a", "hash"}}, {ID: 5, ProjectID: 7, Identities: []string{"b"}}}
	store.sweeps = []models.Aged{{ProjectID: 9, Days: 3}}
	telemetry.fail = errors.New("ClickHouse is away")
	eraser.RunDue(t.Context())
	require.Empty(t, store.passed)
	require.Equal(t, []int64{9}, store.failed)

	telemetry.fail = nil
	eraser.RunDue(t.Context())
	require.Equal(t, map[int64]int{4: 1, 5: 1}, store.passed)
	require.Equal(t, []string{"a", "hash", "b"}, telemetry.devices)
	require.Equal(t, time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC), telemetry.before[9])
}

// busyRows makes its deletions once free is closed.
type busyRows struct {
	asked atomic.Int64
	free  chan struct{}
}

func (r *busyRows) DeleteDevices(ctx context.Context, _ int64, _ []string) error {
	r.asked.Add(1)
	select {
	case <-r.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *busyRows) DeleteBefore(context.Context, int64, time.Time) error { return nil }

// TestErasuresTakeTurns holds up two deletions. A third erasure is recorded, but does not call ClickHouse until one of
// the two has ended.
func TestErasuresTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &busyRows{free: make(chan struct{})}
		eraser := retention.NewEraser(&erasures{passed: map[int64]int{}}, r, slog.New(slog.DiscardHandler), time.Now)
		for range 2 {
			go func() {
				_, err := eraser.Erase(t.Context(), 1, models.Actor{}, "d")
				require.NoError(t, err)
			}()
		}
		synctest.Wait()
		impatient, leave := context.WithCancel(t.Context())
		third := make(chan struct{})
		go func() {
			defer close(third)
			done, err := eraser.Erase(impatient, 1, models.Actor{}, "d")
			require.NoError(t, err)
			require.False(t, done)
		}()
		synctest.Wait()
		require.EqualValues(t, 2, r.asked.Load())
		leave()
		<-third
		require.EqualValues(t, 2, r.asked.Load())
		close(r.free)
		synctest.Wait()
	})
}
