package releasestore_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestUserOverrides(t *testing.T) {
	t.Parallel()

	t.Run("send a user to a branch until they are deleted", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		var o models.UserOverride
		f.RequireBumped(true, func() { o = storetest.AddOverride(f, "user-1", "staging") })
		require.Equal(t, "staging", o.BranchName)
		entry := f.Audited(1)[0]
		require.Equal(t, "user_override.created", entry.Action)
		require.Equal(t, map[string]any{"userId": "user-1", "branchName": "staging", "note": "tester"}, entry.Details)

		second := storetest.AddOverride(f, "user-2", "production")
		list, err := f.ListUserOverrides(t.Context(), f.Demo.ID, models.Page{})
		require.NoError(t, err)
		require.Equal(t, []models.UserOverride{second, o}, list)
		snapshot, err := f.Snapshot(t.Context(), f.Demo.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]int64{"user-1": o.BranchID, "user-2": second.BranchID}, snapshot.UserOverrides)

		f.RequireBumped(true, func() {
			require.NoError(t, f.DeleteUserOverride(t.Context(), f.Demo.ID, storetest.Alice, o.ID))
		})
		require.Equal(t, "user_override.deleted", f.Audited(1)[0].Action)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteUserOverride(t.Context(), f.Demo.ID, storetest.Alice, o.ID))
		storetest.AddOverride(f, "user-1", "production")
	})

	t.Run("are limited to one per user", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.AddOverride(f, "user-1", "staging")
		f.RequireBumped(false, func() {
			_, err := f.CreateUserOverride(t.Context(), f.Demo.ID, storetest.Alice,
				models.NewUserOverride{UserID: "user-1", BranchName: "production"})
			storetest.RequireCode(t, models.CodeAlreadyExists, err)
		})
		storetest.AddOverride(f, "User-1", "staging") // another user
	})

	t.Run("for one user that are created at the same time become one", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		errs := make([]error, 4)
		var everybody sync.WaitGroup
		for i := range errs {
			everybody.Go(func() {
				_, errs[i] = f.CreateUserOverride(t.Context(), f.Demo.ID, storetest.Alice,
					models.NewUserOverride{UserID: "user-1", BranchName: "staging"})
			})
		}
		everybody.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			storetest.RequireCode(t, models.CodeAlreadyExists, err)
		}
		require.Equal(t, 1, made)
	})

	t.Run("belong to their project", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		o, other := storetest.AddOverride(f, "user-1", "staging"), f.NewProject("other")
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteUserOverride(t.Context(), other.ID, storetest.Alice, o.ID))
		list, err := f.ListUserOverrides(t.Context(), other.ID, models.Page{})
		require.NoError(t, err)
		require.Empty(t, list)
		_, err = f.CreateUserOverride(t.Context(), other.ID, storetest.Alice, models.NewUserOverride{UserID: "user-1", BranchName: "staging"})
		require.NoError(t, err, "the same user ID may be used in several projects")
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "other"))
	})

	for name, tc := range map[string]struct {
		n     models.NewUserOverride
		field string
	}{
		"no user":              {models.NewUserOverride{BranchName: "staging"}, "userId"},
		"an id with a newline": {models.NewUserOverride{UserID: "a\nb", BranchName: "staging"}, "userId"},
		"an id with a space":   {models.NewUserOverride{UserID: "user ", BranchName: "staging"}, "userId"},
		"a bad branch name":    {models.NewUserOverride{UserID: "user", BranchName: "a b"}, "branchName"},
	} {
		t.Run("refuse "+name, func(t *testing.T) {
			t.Parallel()
			storetest.RequireField(t, tc.field, tc.n.Validate())
		})
	}

	t.Run("need a branch that exists", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateUserOverride(t.Context(), f.Demo.ID, storetest.Alice, models.NewUserOverride{UserID: "u", BranchName: "nobody"})
		storetest.RequireCode(t, models.CodeNotFound, err)
		require.ErrorContains(t, err, "nobody")
	})
}

func TestABranchWithOverridesStays(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "preview"})
	require.NoError(t, err)
	for i := range 25 {
		storetest.AddOverride(f, fmt.Sprintf("user-%d", i), "preview")
	}
	err = f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "preview")
	storetest.RequireCode(t, models.CodeInUse, err)
	require.ErrorContains(t, err, "users user-0, user-1")
	require.ErrorContains(t, err, "and others")

	_, err = f.CreateChannel(t.Context(), f.Demo.ID, storetest.Alice, models.NewChannel{Name: "beta", BranchName: "preview"})
	require.NoError(t, err)
	err = f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "preview")
	require.ErrorContains(t, err, "the channels beta and the overrides of the users user-0")
}

// A constraint in Postgres enforces this, whatever makes the change.
func TestNothingPointsToADeletedBranch(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	for _, name := range []string{"gone", "preview"} {
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
		require.NoError(t, err)
	}
	require.NoError(t, f.DeleteBranch(t.Context(), f.Demo.ID, storetest.Alice, "gone"))
	storetest.AddOverride(f, "user-1", "preview")
	gone := storetest.Query[int64](f, "SELECT id FROM branches WHERE name = 'gone'")[0]

	conn := f.Conn()
	refused := func(constraint, sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql, args...)
		var pg *pgconn.PgError
		require.ErrorAs(t, err, &pg)
		require.Equal(t, constraint, pg.ConstraintName)
	}
	refused("branches_live_check", "UPDATE user_overrides SET branch_id = $1", gone)
	refused("branches_live_check",
		`INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at) VALUES ($1, 'u', $2, '', now())`, f.Demo.ID, gone)
	refused("branches_live_check", "UPDATE channels SET branch_id = $1 WHERE name = 'production'", gone)
	refused("branches_live_check", "UPDATE channels SET rollout_branch_id = $1, rollout_percentage = 5 WHERE name = 'production'", gone)
	refused("branches_unused_check", "UPDATE branches SET deleted_at = now() WHERE name = 'preview'")
	refused("branches_unused_check", "UPDATE branches SET deleted_at = now() WHERE name = 'production'")
	refused("user_overrides_branch_fkey", "UPDATE user_overrides SET branch_id = 1 << 40")
}

// The deletion waits for a transaction that is pointing something to the branch, and then sees it.
func TestADeletionAndAPointerCannotPassEachOther(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "preview"})
	require.NoError(t, err)
	pointing, err := f.Conn().Begin(t.Context())
	require.NoError(t, err)
	_, err = pointing.Exec(t.Context(), `INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at)
		SELECT project_id, 'user-1', id, '', now() FROM branches WHERE name = 'preview'`)
	require.NoError(t, err)

	deleted := make(chan error, 1)
	deleting := f.Conn()
	pid := deleting.PgConn().PID()
	go func() {
		_, err := deleting.Exec(t.Context(), "UPDATE branches SET deleted_at = now() WHERE name = 'preview'")
		deleted <- err
	}()
	watching := f.Conn()
	require.Eventually(t, func() bool {
		waits := false
		err := watching.QueryRow(t.Context(), "SELECT cardinality(pg_blocking_pids($1)) > 0", int32(pid)).Scan(&waits)
		return err == nil && waits
	}, storetest.WakeTimeout, 2*time.Millisecond, "the deletion waits")
	require.NoError(t, pointing.Commit(t.Context()))
	require.ErrorContains(t, <-deleted, "is pointed to")
}

// Overrides can be created up to the quota. The command `bench` measures how fast an override is created when there are
// 100,000.
func TestTheLastOverrideOfTheQuotaIsMade(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t, store.WithQuotas(models.Quotas{models.QuotaOverrides: 101}))
	f.MustExec(`INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at)
		SELECT $1, 'seeded-' || i, (SELECT id FROM branches WHERE project_id = $1 AND name = 'staging'), '', now()
		FROM generate_series(1, 100) AS i`, f.Demo.ID)
	storetest.AddOverride(f, "the last one", "staging")
	_, err := f.CreateUserOverride(t.Context(), f.Demo.ID, storetest.Alice, models.NewUserOverride{UserID: "one more", BranchName: "staging"})
	storetest.RequireCode(t, models.CodeQuotaExceeded, err)
	require.ErrorContains(t, err, "WAFT_QUOTA_OVERRIDES allows 101")
}
