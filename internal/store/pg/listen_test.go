package pg_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestListen(t *testing.T) {
	t.Parallel()

	t.Run("wakes on connecting and on every notification", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		woken := storetest.Listen(t, f.Store, "some-channel")
		require.Empty(t, storetest.Await(t, woken))
		f.MustExec(`NOTIFY "some-channel", 'one'`)
		require.Equal(t, "one", storetest.Await(t, woken))
		f.MustExec(`NOTIFY "other-channel", 'no'`)
		f.MustExec(`NOTIFY "some-channel", 'two'`)
		require.Equal(t, "two", storetest.Await(t, woken))
	})

	t.Run("connects again after its connection was killed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		woken := storetest.Listen(t, f.Store, "waft_test")
		require.Empty(t, storetest.Await(t, woken))
		for range 2 {
			f.MustExec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN "waft_test"'`)
			require.Empty(t, storetest.Await(t, woken), "the listener must check everything again")
			f.MustExec("NOTIFY waft_test, 'again'")
			require.Equal(t, "again", storetest.Await(t, woken))
		}
	})

	t.Run("shares one connection", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		const listening = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN "waft_shared%'`
		first := storetest.Listen(t, f.Store, "waft_shared_1")
		require.Empty(t, storetest.Await(t, first))
		second, again := storetest.Listen(t, f.Store, "waft_shared_2"), storetest.Listen(t, f.Store, "waft_shared_1")
		require.Empty(t, storetest.Await(t, second))
		require.Empty(t, storetest.Await(t, again))
		require.Len(t, storetest.Query[int](f, "SELECT pid "+listening), 1)
		f.MustExec("NOTIFY waft_shared_1, 'one'")
		f.MustExec("NOTIFY waft_shared_2, 'two'")
		require.Equal(t, "one", storetest.Await(t, first))
		require.Equal(t, "one", storetest.Await(t, again))
		require.Equal(t, "two", storetest.Await(t, second))

		f.MustExec("SELECT pg_terminate_backend(pid) " + listening)
		for _, woken := range []<-chan string{first, second, again} {
			require.Empty(t, storetest.Await(t, woken), "every listener must check everything again")
		}
		f.MustExec("NOTIFY waft_shared_2, 'three'")
		require.Equal(t, "three", storetest.Await(t, second))
		require.Empty(t, first)
	})

	t.Run("ends for one who leaves", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		stays := storetest.Listen(t, f.Store, "waft_left")
		require.Empty(t, storetest.Await(t, stays))
		ctx, leave := context.WithCancel(t.Context())
		returned, woken := make(chan error, 1), make(chan string, 10)
		go func() { returned <- f.Listen(ctx, "waft_left", func(payload string) { woken <- payload }) }()
		require.Empty(t, storetest.Await(t, woken))
		leave()
		require.NoError(t, storetest.Await(t, returned))
		f.MustExec("NOTIFY waft_left, 'later'")
		require.Equal(t, "later", storetest.Await(t, stays))
		require.Empty(t, woken)
	})

	t.Run("returns when its context ends while Postgres is unavailable", func(t *testing.T) {
		t.Parallel()
		proxy, databaseURL := storetest.StartProxy(t, storetest.Database(t))
		s := storetest.Open(t, databaseURL)
		proxy.Cut()
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan error)
		go func() { returned <- s.Listen(ctx, "waft_test", func(string) {}) }()
		cancel()
		require.NoError(t, storetest.Await(t, returned))
	})
}

func TestChangesNotify(t *testing.T) {
	t.Parallel()

	t.Run("that a project's snapshot is old", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		woken := storetest.Listen(t, f.Store, models.NotifySnapshot)
		require.Empty(t, storetest.Await(t, woken))
		f.MustPublish()
		require.Equal(t, strconv.FormatInt(f.Demo.ID, 10)+models.NotifyLater, storetest.Await(t, woken), "the upload")
		require.Equal(t, strconv.FormatInt(f.Demo.ID, 10), storetest.Await(t, woken), "the publish")
		other := f.NewProject("other")
		require.Equal(t, strconv.FormatInt(other.ID, 10), storetest.Await(t, woken))
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "other"))
		require.Equal(t, strconv.FormatInt(other.ID, 10), storetest.Await(t, woken))
	})

	t.Run("that the outbox has a message", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		woken := storetest.Listen(t, f.Store, models.NotifyOutbox)
		require.Empty(t, storetest.Await(t, woken))
		f.MustRollOut()
		require.Empty(t, storetest.Await(t, woken))
	})

	t.Run("that an execution changed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		woken := storetest.Listen(t, f.Store, models.NotifyExecution)
		require.Empty(t, storetest.Await(t, woken))
		c := storetest.Next(e)
		c.WaitingFor = models.WaitDevices
		f.MustApply(c)
		require.Equal(t, strconv.FormatInt(e.ID, 10), storetest.Await(t, woken))
	})

	t.Run("nothing when they fail", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		woken := storetest.Listen(t, f.Store, models.NotifySnapshot)
		require.Empty(t, storetest.Await(t, woken))
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "staging"})
		storetest.RequireCode(t, models.CodeAlreadyExists, err)
		f.MustExec("NOTIFY waft_snapshot, 'end'")
		require.Equal(t, "end", storetest.Await(t, woken))
	})
}
