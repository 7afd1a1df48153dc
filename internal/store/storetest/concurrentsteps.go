package storetest

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

// Step is one management operation on a store.
type Step func(s *store.Store) error

// Duel runs first up to the statement that contains the given string. Then it runs second until second has ended or
// waits for first, and lets first continue. So the two meet at the worst moment every time, instead of only when the
// machine happens to be busy.
func Duel(f *Fixture, statement string, first, second Step) (firstErr, secondErr error) {
	f.T.Helper()
	stop := &holdAt{statement: statement, reached: make(chan struct{}), release: make(chan struct{})}
	held := Open(f.T, f.DatabaseURL, store.WithTracer(stop))
	free := Open(f.T, f.DatabaseURL)
	var both sync.WaitGroup
	firstDone, secondDone := make(chan struct{}), make(chan struct{})
	both.Go(func() { defer close(firstDone); firstErr = first(held) })
	select {
	case <-stop.reached:
	case <-firstDone:
		require.NoError(f.T, firstErr)
		require.Fail(f.T, "the first change never ran a statement with "+statement)
	}
	both.Go(func() { defer close(secondDone); secondErr = second(free) })
	AwaitLock(f, secondDone)
	close(stop.release)
	both.Wait()
	return firstErr, secondErr
}

// AwaitLock returns when a connection of the fixture's database waits for a lock held by another one, or when done is
// closed.
func AwaitLock(f *Fixture, done <-chan struct{}) {
	f.T.Helper()
	awaitLock(f, done, "cardinality(pg_blocking_pids(pid)) > 0")
}

// AwaitLockOf returns when a connection of the fixture's database waits for a lock held by the backend with the process ID holder,
// or when done is closed. Connections may wait for each other, or for the server's own work, for a moment.
func AwaitLockOf(f *Fixture, holder uint32, done <-chan struct{}) {
	f.T.Helper()
	awaitLock(f, done, "$1::int = ANY(pg_blocking_pids(pid))", int64(holder))
}

func awaitLock(f *Fixture, done <-chan struct{}, isBlocked string, args ...any) {
	f.T.Helper()
	conn := f.Conn()
	require.Eventually(f.T, func() bool {
		select {
		case <-done:
			return true
		default:
		}
		var waiting bool
		err := conn.QueryRow(f.T.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND `+isBlocked+`)`, args...).Scan(&waiting)
		return err == nil && waiting
	}, WakeTimeout, 2*time.Millisecond)
}

// holdAt stops the first statement that contains a string until it is released.
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

// Statements at which a transaction has decided what to do but has not written it.
const (
	AtReleaseInsert   = `INSERT INTO "releases"`
	AtExecutionInsert = `INSERT INTO "rollout_executions"`
	AtBranchDelete    = `UPDATE "branches" SET "deleted_at"`
	AtChannelUpdate   = `UPDATE "channels"`
	AtChannelInsert   = `INSERT INTO "channels"`
	AtReleaseUpdate   = `UPDATE "releases"`
	AtBuildDelete     = `DELETE FROM builds`
	AtBump            = `UPDATE projects SET snapshot_version`
)

// Publishing returns a step that publishes a new build to production. change may alter the request.
func Publishing(f *Fixture, change ...func(*models.Publish)) Step {
	p := models.Publish{BuildID: f.MustBuild(uuid.NewString()).ID, Channel: "production"}
	for _, c := range change {
		c(&p)
	}
	return func(s *store.Store) error {
		_, err := s.Publish(f.T.Context(), f.Demo.ID, Alice, p)
		return err
	}
}

// DeletingBranch returns a step that deletes a branch.
func DeletingBranch(f *Fixture, name string) Step {
	return func(s *store.Store) error { return s.DeleteBranch(f.T.Context(), f.Demo.ID, Alice, name) }
}

// Repointing returns a step that changes a channel.
func Repointing(f *Fixture, channel string, patch models.ChannelPatch) Step {
	return func(s *store.Store) error {
		_, err := s.UpdateChannel(f.T.Context(), f.Demo.ID, Alice, channel, patch)
		return err
	}
}

// Starting returns a step that starts a rollout of a release.
func Starting(f *Fixture, policy, release int64) Step {
	return func(s *store.Store) error {
		_, err := s.StartRollout(f.T.Context(), f.Demo.ID, Alice, policy, release)
		return err
	}
}

// AddBranch creates a branch.
func AddBranch(f *Fixture, name string) {
	f.T.Helper()
	_, err := f.CreateBranch(f.T.Context(), f.Demo.ID, Alice, models.NewBranch{Name: name})
	require.NoError(f.T, err)
}
