package pg

import (
	"context"
	"errors"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

func openMigrated(t *testing.T) *DB {
	t.Helper()
	databaseURL := enginetest.Postgres(t)
	require.NoError(t, Migrate(t.Context(), databaseURL))
	s, err := Open(t.Context(), databaseURL, Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestWrite(t *testing.T) {
	t.Parallel()
	conflict := &pgconn.PgError{Code: sqlSerializationFailure}

	t.Run("tries again after a conflict, without what the first try wrote", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		tries := 0
		require.NoError(t, s.InTx(t.Context(), func(tx *gorm.DB) error {
			tries++
			if err := notifyRow(tx); err != nil {
				return err
			}
			if tries < 3 {
				return conflict
			}
			return nil
		}))
		require.Equal(t, 3, tries)
		require.EqualValues(t, 1, countOutbox(t, s))
	})

	t.Run("gives up in the end", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		tries := 0
		err := s.InTx(t.Context(), func(*gorm.DB) error { tries++; return conflict })
		require.Equal(t, maxAttempts, tries)
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
	})

	t.Run("returns a domain error immediately and does not write anything", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		want := models.Errorf(models.CodeInUse, "no")
		err := s.InTx(t.Context(), func(tx *gorm.DB) error { return errors.Join(notifyRow(tx), want) })
		require.ErrorIs(t, err, want)
		require.Zero(t, countOutbox(t, s))
	})

	t.Run("is no failure of Postgres when the caller leaves", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		ctx, cancel := context.WithCancel(t.Context())
		err := s.InTx(ctx, func(tx *gorm.DB) error {
			err := notifyRow(tx)
			cancel()
			require.Eventually(t, func() bool { return s.pool.Stats().InUse == 0 }, time.Minute, time.Millisecond, "the transaction is rolled back")
			return err
		})
		require.ErrorIs(t, err, context.Canceled)
		require.NotEqual(t, models.CodeUnavailable, models.CodeOf(err))
		require.Zero(t, countOutbox(t, s))
	})

	t.Run("writes nothing when fn panics", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		require.Panics(t, func() {
			s.InTx(t.Context(), func(tx *gorm.DB) error { notifyRow(tx); panic("bug") })
		})
		require.Zero(t, countOutbox(t, s))
		require.Zero(t, s.pool.Stats().InUse, "the connection was returned to the pool")
	})

	t.Run("settles a deadlock by running one of the two again", func(t *testing.T) {
		t.Parallel()
		s := openMigrated(t)
		const a, b = 1, 2
		for _, id := range []int64{a, b} {
			require.NoError(t, s.InTx(t.Context(), func(tx *gorm.DB) error { return insertProject(tx, id) }))
		}
		lockBoth := func(first, second int64, mine chan<- struct{}, theirs <-chan struct{}) error {
			once := func() { close(mine); <-theirs } // only the first attempts meet
			return s.InTx(context.WithoutCancel(t.Context()), func(tx *gorm.DB) error {
				if err := lockRow(tx, first); err != nil {
					return err
				}
				if once != nil {
					once()
					once = nil
				}
				return lockRow(tx, second)
			})
		}
		one, two, done := make(chan struct{}), make(chan struct{}), make(chan error)
		go func() { done <- lockBoth(b, a, two, one) }()
		require.NoError(t, lockBoth(a, b, one, two))
		require.NoError(t, <-done)
	})
}

// notifyRow writes a row that does not refer to other rows.
func notifyRow(tx *gorm.DB) error {
	return tx.Exec("INSERT INTO outbox (project_id, kind, payload) VALUES (1, 'test', '{}')").Error
}

func insertProject(tx *gorm.DB, id int64) error {
	return tx.Exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		VALUES (?, gen_random_uuid(), 'demo', 'demo-' || ?::text, now(), 0, 0, '')`, id, strconv.FormatInt(id, 10)).Error
}

// lockRow locks a project in the same way as changes of the project do.
func lockRow(tx *gorm.DB, id int64) error {
	_, err := One[models.Project](tx.Clauses(ForChange).Where("id = ?", id), "project")
	return err
}

func countOutbox(t *testing.T, s *DB) (n int64) {
	t.Helper()
	require.NoError(t, s.gorm.WithContext(t.Context()).Table("outbox").Count(&n).Error)
	return n
}

func TestAProcessThatStopsGivesItsLocksUp(t *testing.T) {
	t.Parallel()
	var limit string
	require.NoError(t, openMigrated(t).gorm.Raw("SHOW idle_in_transaction_session_timeout").Scan(&limit).Error)
	require.Equal(t, "1min", limit)
}

func TestReadSeesOneStateAndWritesNothing(t *testing.T) {
	t.Parallel()
	s := openMigrated(t)
	require.NoError(t, s.Read(t.Context(), func(tx *gorm.DB) error {
		var before, after int64
		require.NoError(t, tx.Table("outbox").Count(&before).Error)
		require.NoError(t, s.InTx(t.Context(), notifyRow))
		require.NoError(t, tx.Table("outbox").Count(&after).Error)
		require.Equal(t, before, after)
		return nil
	}))
	require.Error(t, s.Read(t.Context(), notifyRow))
}

func TestTranslate(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		code models.ErrorCode
	}{
		"nothing":                    {nil, ""},
		"a domain error":             {models.Errorf(models.CodePolicyLocked, "locked"), models.CodePolicyLocked},
		"a known constraint":         {&pgconn.PgError{Code: "23505", ConstraintName: "channels_name_key"}, models.CodeAlreadyExists},
		"a second open execution":    {&pgconn.PgError{Code: "23505", ConstraintName: "rollout_executions_open_key"}, models.CodeRolloutInProgress},
		"a constraint only bugs hit": {&pgconn.PgError{Code: "23514", ConstraintName: "releases_kind_check"}, models.CodeInternal},
		"a missing project":          {&pgconn.PgError{Code: "23503", ConstraintName: "builds_project_fkey"}, models.CodeNotFound},
		"a record not found":         {gorm.ErrRecordNotFound, models.CodeNotFound},
		"a shutdown":                 {&pgconn.PgError{Code: "57P01"}, models.CodeUnavailable},
		"too many connections":       {&pgconn.PgError{Code: "53300"}, models.CodeUnavailable},
		"a failover":                 {&pgconn.PgError{Code: "25006"}, models.CodeUnavailable},
		"a lost connection":          {io.ErrUnexpectedEOF, models.CodeUnavailable},
		"a time limit":               {context.DeadlineExceeded, models.CodeUnavailable},
		"a caller that left":         {context.Canceled, models.CodeInternal},
		"a syntax error":             {&pgconn.PgError{Code: "42601"}, models.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Translate(tc.err)
			require.Equal(t, tc.code, models.CodeOf(got))
			require.ErrorIs(t, got, tc.err)
		})
	}

	t.Run("does not claim that a lost commit changed nothing", func(t *testing.T) {
		t.Parallel()
		err := Translate(&commitError{io.ErrUnexpectedEOF})
		require.Equal(t, models.CodeUnavailable, models.CodeOf(err))
		require.NotContains(t, err.Error(), "nothing was changed")
	})
}
