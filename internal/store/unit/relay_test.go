package unit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestRelay(t *testing.T) {
	t.Parallel()

	t.Run("hands on what was promised", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		handled := make(chan models.OutboxMessage, 10)
		storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m; return nil })
		r, e := f.MustRollOut()
		promised := map[models.OutboxKind]string{
			models.OutboxRolloutStart: e.WorkflowID, models.OutboxPatchesBuild: storetest.PatchesWorkflow(r),
		}
		for range len(promised) {
			m := storetest.Await(t, handled)
			require.Contains(t, promised, m.Kind)
			require.Equal(t, f.Demo.ID, m.ProjectID)
			require.Contains(t, string(m.Payload), promised[m.Kind])
			require.Zero(t, m.Attempts)
			delete(promised, m.Kind)
		}
	})

	t.Run("hands each message on once, however many relays run", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		const messages = 60
		want := storetest.Enqueue(f, messages)
		handled := make(chan int64, 2*messages)
		handle := func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil }
		relays := []storetest.RunningRelay{storetest.RunRelay(t, f.Store, handle), storetest.RunRelay(t, f.Store, handle)}
		got := []int64{}
		for range messages {
			got = append(got, storetest.Await(t, handled))
		}
		for _, r := range relays {
			r.Stop()
		}
		require.Empty(t, handled)
		require.ElementsMatch(t, want, got)
		require.Empty(t, storetest.Query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("retries a message that fails, and handles the others", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		bad := storetest.Enqueue(f, 6)[0]
		passed, failed := make(chan int64, 10), make(chan models.OutboxMessage, 10)
		r := storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
			if m.ID == bad && m.Attempts < 2 {
				failed <- m
				return errors.New("Temporal is away\x00")
			}
			passed <- m.ID
			return nil
		})
		for range 5 {
			require.NotEqual(t, bad, storetest.Await(t, passed))
		}
		require.Zero(t, storetest.Await(t, failed).Attempts)
		second := storetest.Await(t, failed)
		require.Equal(t, 1, second.Attempts)
		require.Equal(t, "Temporal is away", second.LastError)
		require.True(t, second.NotBefore.After(second.CreatedAt))
		require.Equal(t, bad, storetest.Await(t, passed))
		r.Stop()
		require.Empty(t, storetest.Query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("leaves a message alone that is not due", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		later := storetest.Enqueue(f, 1)[0]
		f.MustExec("UPDATE outbox SET not_before = now() + interval '1 hour'")
		storetest.Enqueue(f, 3)
		handled := make(chan int64, 10)
		r := storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil })
		for range 3 {
			require.NotEqual(t, later, storetest.Await(t, handled))
		}
		r.Stop()
		require.Equal(t, []int64{later}, storetest.Query[int64](f, "SELECT id FROM outbox"))
	})

	t.Run("is not held up by a handler that hangs", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		stuck := storetest.Enqueue(f, 4)[0]
		release, passed := make(chan struct{}), make(chan int64, 10)
		r := storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
			if m.ID == stuck {
				<-release
			}
			passed <- m.ID
			return nil
		})
		for range 3 {
			require.NotEqual(t, stuck, storetest.Await(t, passed))
		}
		close(release)
		require.Equal(t, stuck, storetest.Await(t, passed))
		r.Stop()
	})

	t.Run("finishes what is in flight before it returns", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.Enqueue(f, 1)
		started, finish := make(chan struct{}), make(chan struct{})
		r := storetest.RunRelay(t, f.Store, func(ctx context.Context, _ models.OutboxMessage) error {
			close(started)
			<-finish
			return ctx.Err()
		})
		storetest.Await(t, started)
		r.Cancel()
		close(finish)
		r.Wait()
		require.Empty(t, storetest.Query[int64](f, "SELECT id FROM outbox"), "it was handled, not interrupted")
	})

	t.Run("goes on after its connections were killed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		first := storetest.Enqueue(f, 1)[0]
		handled := make(chan int64, 10)
		storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error { handled <- m.ID; return nil })
		require.Equal(t, first, storetest.Await(t, handled))
		f.MustExec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		f.MustExec(`INSERT INTO outbox (project_id, kind, payload) VALUES (1, 'test', '2')`)
		for storetest.Await(t, handled) == first { // it is handled again if the connection was lost before the message could be deleted
		}
	})
}
