package store_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// running is a relay at work.
type running struct {
	cancel context.CancelFunc
	wait   func()
}

// relay runs a relay until it is stopped or the test ends.
func relay(t *testing.T, s *store.Store, handle func(context.Context, models.OutboxMessage) error) running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		if err := unit.NewRelay(s.DB, handle, slog.New(slog.DiscardHandler)).Run(ctx); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	r := running{cancel: cancel, wait: work.Wait}
	t.Cleanup(r.stop)
	return r
}

func (r running) stop() {
	r.cancel()
	r.wait()
}

// enqueue writes n messages and returns the ids of all that wait.
func (f *fixture) enqueue(n int) []int64 {
	f.t.Helper()
	f.exec(`INSERT INTO outbox (project_id, kind, payload) SELECT 1, 'test', to_jsonb(i) FROM generate_series(1, $1::int) i`, n)
	f.exec("NOTIFY waft_outbox")
	return query[int64](f, "SELECT id FROM outbox ORDER BY id")
}

func TestRelay(t *testing.T) {
	t.Parallel()

	t.Run("hands on what was promised", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		handled := make(chan models.OutboxMessage, 10)
		relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m; return nil })
		r, e := f.rollOut()
		promised := map[models.OutboxKind]string{
			models.OutboxRolloutStart: e.WorkflowID, models.OutboxPatchesBuild: patchesOf(r),
		}
		for range len(promised) {
			m := await(t, handled)
			require.Contains(t, promised, m.Kind)
			require.Equal(t, f.project.ID, m.ProjectID)
			require.Contains(t, string(m.Payload), promised[m.Kind])
			require.Zero(t, m.Attempts)
			delete(promised, m.Kind)
		}
	})

	t.Run("hands each message on once, however many relays run", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		const messages = 60
		want := f.enqueue(messages)
		handled := make(chan int64, 2*messages)
		handle := func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil }
		relays := []running{relay(t, f.Store, handle), relay(t, f.Store, handle)}
		got := []int64{}
		for range messages {
			got = append(got, await(t, handled))
		}
		for _, r := range relays {
			r.stop()
		}
		require.Empty(t, handled)
		require.ElementsMatch(t, want, got)
		require.Empty(t, query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("tries a message that fails again, and lets the others pass", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		bad := f.enqueue(6)[0]
		passed, failed := make(chan int64, 10), make(chan models.OutboxMessage, 10)
		r := relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
			if m.ID == bad && m.Attempts < 2 {
				failed <- m
				return errors.New("Temporal is away\x00")
			}
			passed <- m.ID
			return nil
		})
		for range 5 {
			require.NotEqual(t, bad, await(t, passed))
		}
		require.Zero(t, await(t, failed).Attempts)
		second := await(t, failed)
		require.Equal(t, 1, second.Attempts)
		require.Equal(t, "Temporal is away", second.LastError)
		require.True(t, second.NotBefore.After(second.CreatedAt))
		require.Equal(t, bad, await(t, passed))
		r.stop()
		require.Empty(t, query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("keeps away from a message that is not due", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		later := f.enqueue(1)[0]
		f.exec("UPDATE outbox SET not_before = now() + interval '1 hour'")
		f.enqueue(3)
		handled := make(chan int64, 10)
		r := relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil })
		for range 3 {
			require.NotEqual(t, later, await(t, handled))
		}
		r.stop()
		require.Equal(t, []int64{later}, query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("is not held up by a handler that hangs", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		stuck := f.enqueue(4)[0]
		release, passed := make(chan struct{}), make(chan int64, 10)
		r := relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
			if m.ID == stuck {
				<-release
			}
			passed <- m.ID
			return nil
		})
		for range 3 {
			require.NotEqual(t, stuck, await(t, passed))
		}
		close(release)
		require.Equal(t, stuck, await(t, passed))
		r.stop()
	})

	t.Run("finishes what is in flight before it returns", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.enqueue(1)
		started, finish := make(chan struct{}), make(chan struct{})
		r := relay(t, f.Store, func(ctx context.Context, _ models.OutboxMessage) error {
			close(started)
			<-finish
			return ctx.Err()
		})
		await(t, started)
		r.cancel()
		close(finish)
		r.wait()
		require.Empty(t, query[int64](f, "SELECT id FROM outbox"), "it was handled, not interrupted")
	})

	t.Run("goes on after its connections were killed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		first := f.enqueue(1)[0]
		handled := make(chan int64, 10)
		relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil })
		require.Equal(t, first, await(t, handled))
		f.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		f.exec(`INSERT INTO outbox (project_id, kind, payload) VALUES (1, 'test', '2')`)
		for await(t, handled) == first { // again, when it was killed before it could be deleted
		}
	})
}
