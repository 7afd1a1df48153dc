package store_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// wakeTimeout is how long a test waits for what should come at once. No test is about it.
const wakeTimeout = 2 * time.Minute

// listen collects what Listen wakes with until the test ends.
func listen(t *testing.T, s *store.Store, channel string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	woken := make(chan string, 100)
	var listening sync.WaitGroup
	listening.Go(func() {
		if err := s.Listen(ctx, channel, func(payload string) { woken <- payload }); err != nil {
			t.Errorf("Listen: %v", err)
		}
	})
	t.Cleanup(func() {
		cancel()
		listening.Wait()
	})
	return woken
}

// await returns the next value, and fails the test when none comes.
func await[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wakeTimeout)
	defer cancel()
	select {
	case v := <-from:
		return v
	case <-ctx.Done():
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

func TestListen(t *testing.T) {
	t.Parallel()

	t.Run("wakes on connecting and on every notification", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		woken := listen(t, f.Store, "some-channel")
		require.Empty(t, await(t, woken))
		f.exec(`NOTIFY "some-channel", 'one'`)
		require.Equal(t, "one", await(t, woken))
		f.exec(`NOTIFY "other-channel", 'no'`)
		f.exec(`NOTIFY "some-channel", 'two'`)
		require.Equal(t, "two", await(t, woken))
	})

	t.Run("connects again after its connection was killed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		woken := listen(t, f.Store, "waft_test")
		require.Empty(t, await(t, woken))
		for range 2 {
			f.exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN "waft_test"'`)
			require.Empty(t, await(t, woken), "it looks at everything again")
			f.exec("NOTIFY waft_test, 'again'")
			require.Equal(t, "again", await(t, woken))
		}
	})

	t.Run("returns when its context ends while Postgres is away", func(t *testing.T) {
		t.Parallel()
		proxy, databaseURL := startProxy(t, storetest.Database(t))
		s := storetest.Open(t, databaseURL)
		proxy.cut()
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan error)
		go func() { returned <- s.Listen(ctx, "waft_test", func(string) {}) }()
		cancel()
		require.NoError(t, await(t, returned))
	})
}

func TestChangesNotify(t *testing.T) {
	t.Parallel()

	t.Run("that a project's snapshot is old", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		woken := listen(t, f.Store, models.NotifySnapshot)
		require.Empty(t, await(t, woken))
		f.publish()
		for range 2 { // the upload and the publish
			require.Equal(t, strconv.FormatInt(f.project.ID, 10), await(t, woken))
		}
		other := f.newProject("other")
		require.Equal(t, strconv.FormatInt(other.ID, 10), await(t, woken))
		require.NoError(t, f.DeleteProject(t.Context(), alice, "other"))
		require.Equal(t, strconv.FormatInt(other.ID, 10), await(t, woken))
	})

	t.Run("that the outbox has a message", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		woken := listen(t, f.Store, models.NotifyOutbox)
		require.Empty(t, await(t, woken))
		f.rollOut()
		require.Empty(t, await(t, woken))
	})

	t.Run("that an execution changed", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		_, e := f.rollOut()
		woken := listen(t, f.Store, models.NotifyExecution)
		require.Empty(t, await(t, woken))
		c := next(e)
		c.WaitingFor = models.WaitDevices
		f.apply(c)
		require.Equal(t, strconv.FormatInt(e.ID, 10), await(t, woken))
	})

	t.Run("nothing when they fail", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		woken := listen(t, f.Store, models.NotifySnapshot)
		require.Empty(t, await(t, woken))
		_, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "staging"})
		requireCode(t, models.CodeAlreadyExists, err)
		f.exec("NOTIFY waft_snapshot, 'end'")
		require.Equal(t, "end", await(t, woken))
	})
}
