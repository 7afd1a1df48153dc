package pg_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestMigrate(t *testing.T) {
	t.Parallel()

	t.Run("may be run by several processes at the same time, and again", func(t *testing.T) {
		t.Parallel()
		databaseURL := enginetest.Postgres(t)
		errs := make([]error, 3)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				errs[i] = pg.WithMigrationLock(t.Context(), databaseURL, func(ctx context.Context) error { return pg.Migrate(ctx, databaseURL) })
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		require.NoError(t, pg.Migrate(t.Context(), databaseURL))
		require.NoError(t, storetest.Open(t, databaseURL).CheckSchema(t.Context()))
	})

	t.Run("refuses a database from the future", func(t *testing.T) {
		t.Parallel()
		databaseURL := enginetest.Postgres(t)
		require.NoError(t, pg.Migrate(t.Context(), databaseURL))
		enginetest.ExecPostgres(t, databaseURL, "INSERT INTO waft_migrations (version_id, is_applied) VALUES (99999, true)")
		require.ErrorContains(t, pg.Migrate(t.Context(), databaseURL), "newer than this binary: it has migration 99999")
	})

	t.Run("reports that Postgres is unavailable", func(t *testing.T) {
		t.Parallel()
		storetest.RequireCode(t, models.CodeUnavailable, pg.Migrate(t.Context(), "postgres://u:hunter2@127.0.0.1:1/x"))
	})

	t.Run("keeps the password out of its errors", func(t *testing.T) {
		t.Parallel()
		for _, databaseURL := range []string{
			"postgres://u:hunter2@127.0.0.1:1/x", "postgres://u:hunter2@host:port/x", "postgres://u:hunter2@/x?sslmode=nonsense",
		} {
			require.NotContains(t, pg.Migrate(t.Context(), databaseURL).Error(), "hunter2", databaseURL)
		}
	})
}

func TestCheckSchema(t *testing.T) {
	t.Parallel()

	t.Run("refuses a database that was never migrated", func(t *testing.T) {
		t.Parallel()
		databaseURL := enginetest.Postgres(t)
		s := storetest.Open(t, databaseURL)
		require.ErrorContains(t, s.CheckSchema(t.Context()), "older than this binary")
		require.ErrorContains(t, s.CheckSchema(t.Context()), "waftd migrate", "CheckSchema does not change anything")
	})

	t.Run("refuses a database that lacks the last migration", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustExec("DELETE FROM waft_migrations WHERE version_id = (SELECT max(version_id) FROM waft_migrations)")
		require.ErrorContains(t, f.CheckSchema(t.Context()), "older than this binary")
	})

	t.Run("refuses a database from the future", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustExec("INSERT INTO waft_migrations (version_id, is_applied) VALUES (99999, true)")
		require.ErrorContains(t, f.CheckSchema(t.Context()), "newer than this binary: it has migration 99999")
	})

	t.Run("reports that Postgres is unavailable", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		require.NoError(t, f.Close())
		require.Error(t, f.CheckSchema(t.Context()))
	})
}

// Another program may keep its migrations in the same database, in the default table of the migration tool.
func TestMigrateBesideAnotherProgram(t *testing.T) {
	t.Parallel()
	databaseURL := enginetest.Postgres(t)
	enginetest.ExecPostgres(t, databaseURL, "CREATE TABLE goose_db_version (version_id bigint, is_applied boolean)")
	enginetest.ExecPostgres(t, databaseURL, "INSERT INTO goose_db_version VALUES (20300101000000, true)")
	require.NoError(t, pg.Migrate(t.Context(), databaseURL))
	require.NoError(t, storetest.Open(t, databaseURL).CheckSchema(t.Context()))
}
