package feed

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// history is a Source whose transactions commit one after the other. Transaction n makes the nth change.
type history struct {
	mu      sync.Mutex
	changes []models.ProjectChange
	wake    chan string
	// executions and approvals contain the functions to call when rollouts and approvals change.
	executions, approvals chan func(string)
	away                  bool
}

func (h *history) add(at time.Time) {
	h.mu.Lock()
	n := len(h.changes) + 1
	h.changes = append(h.changes, models.ProjectChange{ID: int64(n), At: at, Position: models.PositionAt(positionAfter(n))})
	h.mu.Unlock()
	h.wake <- "7"
}

func positionAfter(n int) string { return fmt.Sprintf("%d:%[1]d:", n+1) }

func countAt(seen string) (n int) {
	if _, err := fmt.Sscanf(seen, "%d:", &n); err != nil {
		return 0
	}
	return n - 1
}

func (h *history) ProjectChanges(
	_ context.Context, _ int64, after models.StreamPosition, until string, limit int,
) (models.ChangeBatch, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.away {
		return models.ChangeBatch{}, models.Unavailable("Postgres", context.DeadlineExceeded)
	}
	end := len(h.changes)
	if until != "" {
		end = countAt(until)
	}
	batch := models.ChangeBatch{Position: models.PositionAt(positionAfter(end)), Changes: h.changes[countAt(after.Seen):end]}
	if batch.Reset = len(batch.Changes) > limit; batch.Reset {
		batch.Changes = nil
	}
	return batch, nil
}

func (h *history) StreamPresent(context.Context) (models.StreamPosition, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return models.PositionAt(positionAfter(len(h.changes))), nil
}

func (h *history) Listen(ctx context.Context, channel string, wake func(string)) error {
	if records, ok := map[string]chan func(string){models.NotifyExecution: h.executions, models.NotifyApproval: h.approvals}[channel]; ok {
		records <- wake
		<-ctx.Done()
		return nil
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case payload := <-h.wake:
			wake(payload)
		}
	}
}

func running(t *testing.T) (*Feed, *history) {
	t.Helper()
	h := &history{wake: make(chan string), executions: make(chan func(string), 1), approvals: make(chan func(string), 1)}
	f := New(h, slog.New(slog.NewTextHandler(t.Output(), nil)), time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return f, h
}

func follow(t *testing.T, f *Feed, after string) (models.ChangeBatch, <-chan models.ChangeBatch) {
	t.Helper()
	missed, live, err := f.Follow(t.Context(), 7, after)
	require.NoError(t, err)
	return missed, live
}

// collect reads until it finds the change with the given ID, and returns the IDs of the changes that it has read.
func collect(live <-chan models.ChangeBatch, until int64) (ids []int64) {
	for batch := range live {
		for _, c := range batch.Changes {
			ids = append(ids, c.ID)
			if c.ID == until {
				return ids
			}
		}
	}
	return ids
}

// A reader that does not read does not delay others, and gets everything when it comes back.
func TestASlowReaderIsDroppedAndMissesNothing(t *testing.T) {
	t.Parallel()
	f, h := running(t)
	_, slow := follow(t, f, "")
	_, quick := follow(t, f, "")
	const changes = 3 * readerBacklog
	for n := 1; n <= changes; n++ {
		h.add(time.Now())
		require.Equal(t, []int64{int64(n)}, collect(quick, int64(n)))
	}
	read := collect(slow, changes)
	require.Len(t, read, readerBacklog, "the channel is closed after its contents")
	missed, _ := follow(t, f, models.PositionAt(positionAfter(len(read))).String())
	require.False(t, missed.Reset)
	require.Len(t, missed.Changes, changes-len(read))
	require.EqualValues(t, len(read)+1, missed.Changes[0].ID)
}

func TestAReaderThatWasAwayTooLongReadsAllAnew(t *testing.T) {
	t.Parallel()
	f, h := running(t)
	at := func(n int) string { return models.PositionAt(positionAfter(n)).String() }
	h.add(time.Now().Add(-maxAge - time.Second))
	for range 3 {
		h.add(time.Now())
	}
	for after, reset := range map[string]bool{at(0): true, at(1): false, at(4): false, "nonsense": true} {
		missed, _ := follow(t, f, after)
		require.Equal(t, reset, missed.Reset, after)
		require.Equal(t, at(4), missed.Position.String())
	}
	for range maxMissed {
		h.add(time.Now())
	}
	missed, _ := follow(t, f, at(4))
	require.False(t, missed.Reset)
	require.Len(t, missed.Changes, maxMissed)
	missed, _ = follow(t, f, at(3))
	require.True(t, missed.Reset)
	require.Empty(t, missed.Changes)
}

func TestAProjectWithoutReadersIsForgotten(t *testing.T) {
	t.Parallel()
	f, h := running(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := f.Follow(ctx, 7, "")
	require.NoError(t, err)
	cancel()
	require.Eventually(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.projects) == 0
	}, 2*time.Minute, time.Millisecond)
	h.add(time.Now())
	_, live := follow(t, f, "")
	h.add(time.Now())
	require.Equal(t, []int64{2}, collect(live, 2))

	h.mu.Lock()
	h.away = true
	h.mu.Unlock()
	_, _, err = f.Follow(t.Context(), 7, "")
	require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
}
