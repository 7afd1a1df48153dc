package pg_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestPostgresAway(t *testing.T) {
	t.Parallel()

	t.Run("fails to open", func(t *testing.T) {
		t.Parallel()
		_, err := store.Open(t.Context(), "postgres://u:p@127.0.0.1:1/x")
		storetest.RequireCode(t, models.CodeUnavailable, err)
	})

	t.Run("makes reads and writes unavailable", func(t *testing.T) {
		t.Parallel()
		proxy, databaseURL := storetest.StartProxy(t, storetest.Database(t))
		s := storetest.Open(t, databaseURL)
		p, err := s.CreateProject(t.Context(), storetest.Alice, models.NewProject{Name: "demo"})
		require.NoError(t, err)
		proxy.Cut()

		_, err = s.Project(t.Context(), "demo")
		storetest.RequireCode(t, models.CodeUnavailable, err)
		_, err = s.CreateBranch(t.Context(), p.ID, storetest.Alice, models.NewBranch{Name: "x"})
		storetest.RequireCode(t, models.CodeUnavailable, err)
		require.ErrorContains(t, err, "nothing was changed")
		storetest.RequireCode(t, models.CodeUnavailable, s.Ping(t.Context()))
		_, err = s.SnapshotVersions(t.Context())
		storetest.RequireCode(t, models.CodeUnavailable, err)
	})

	t.Run("for a moment is not noticed", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustExec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		_, err := f.Project(t.Context(), "demo")
		require.NoError(t, err)
		f.MustExec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		f.MustPublish()
	})
}

// The session is read-only as on a standby, or after ALTER DATABASE … SET default_transaction_read_only.
func TestAReadOnlyPostgresIsReachableButNotWritable(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	at, err := url.Parse(f.DatabaseURL)
	require.NoError(t, err)
	query := at.Query()
	query.Set("default_transaction_read_only", "on")
	at.RawQuery = query.Encode()
	standby := storetest.Open(t, at.String())
	_, err = standby.Project(t.Context(), "demo")
	require.NoError(t, err)
	require.NoError(t, standby.Ping(t.Context()))
	err = standby.CheckWritable(t.Context())
	storetest.RequireCode(t, models.CodeUnavailable, err)
	require.ErrorContains(t, err, "read-only")
	require.NoError(t, f.CheckWritable(t.Context()))
}

func TestACallerThatLeavesIsNoOutage(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.Project(ctx, "demo")
	require.ErrorIs(t, err, context.Canceled)
	require.NotEqual(t, models.CodeUnavailable, models.CodeOf(err))
}

func TestTextThatPostgresCannotStoreIsInvalid(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.Project(t.Context(), "a\x00b")
	storetest.RequireCode(t, models.CodeInvalid, err)
}
