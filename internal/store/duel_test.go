package store_test

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// change is one management operation.
type change func(s *store.Store) error

// duel runs first up to the statement that holds the given text, lets second run
// until it has ended or waits for first, and then lets first go on. So the two
// meet at the worst moment each time, not when the machine happens to be busy.
func (f *fixture) duel(statement string, first, second change) (firstErr, secondErr error) {
	f.t.Helper()
	stop := &holdAt{statement: statement, reached: make(chan struct{}), release: make(chan struct{})}
	held := storetest.Open(f.t, f.databaseURL, store.WithTracer(stop))
	free := storetest.Open(f.t, f.databaseURL)
	var both sync.WaitGroup
	firstDone, secondDone := make(chan struct{}), make(chan struct{})
	both.Go(func() { defer close(firstDone); firstErr = first(held) })
	select {
	case <-stop.reached:
	case <-firstDone:
		require.NoError(f.t, firstErr)
		require.Fail(f.t, "the first change never ran a statement with "+statement)
	}
	both.Go(func() { defer close(secondDone); secondErr = second(free) })
	f.awaitLock(secondDone)
	close(stop.release)
	both.Wait()
	return firstErr, secondErr
}

// awaitLock returns when a connection of the fixture's database waits for a lock
// of another one, or done is closed.
func (f *fixture) awaitLock(done <-chan struct{}) {
	f.t.Helper()
	conn := f.conn()
	require.Eventually(f.t, func() bool {
		select {
		case <-done:
			return true
		default:
		}
		var waiting bool
		err := conn.QueryRow(f.t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0)`).Scan(&waiting)
		return err == nil && waiting
	}, wakeTimeout, 2*time.Millisecond)
}

// holdAt stops the first statement that holds a text until it is released.
type holdAt struct {
	statement        string
	once             sync.Once
	reached, release chan struct{}
}

func (h *holdAt) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.Contains(data.SQL, h.statement) {
		h.once.Do(func() {
			close(h.reached)
			<-h.release
		})
	}
	return ctx
}

func (*holdAt) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// Statements at which a transaction has decided and not yet written.
const (
	atReleaseInsert   = `INSERT INTO "releases"`
	atExecutionInsert = `INSERT INTO "rollout_executions"`
	atBranchDelete    = `UPDATE "branches" SET "deleted_at"`
	atChannelUpdate   = `UPDATE "channels"`
	atChannelInsert   = `INSERT INTO "channels"`
	atReleaseUpdate   = `UPDATE "releases"`
	atBuildDelete     = `DELETE FROM builds`
	atBump            = `UPDATE projects SET snapshot_version`
)

func (f *fixture) publishing(change ...func(*models.Publish)) change {
	p := models.Publish{BuildID: f.build(uuid.NewString()).ID, Channel: "production"}
	for _, c := range change {
		c(&p)
	}
	return func(s *store.Store) error {
		_, err := s.Publish(f.t.Context(), f.project.ID, alice, p)
		return err
	}
}

func (f *fixture) deletingBranch(name string) change {
	return func(s *store.Store) error { return s.DeleteBranch(f.t.Context(), f.project.ID, alice, name) }
}

func (f *fixture) repointing(channel string, patch models.ChannelPatch) change {
	return func(s *store.Store) error {
		_, err := s.UpdateChannel(f.t.Context(), f.project.ID, alice, channel, patch)
		return err
	}
}

func (f *fixture) starting(policy, release int64) change {
	return func(s *store.Store) error {
		_, err := s.StartRollout(f.t.Context(), f.project.ID, alice, policy, release)
		return err
	}
}

func (f *fixture) newBranch(name string) {
	f.t.Helper()
	_, err := f.CreateBranch(f.t.Context(), f.project.ID, alice, models.NewBranch{Name: name})
	require.NoError(f.t, err)
}
