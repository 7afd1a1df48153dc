package pgcopy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/waft-ota/waft/internal/store/pg"
)

const (
	// copyLock is the SQL expression of the advisory lock that a backup holds from its begin to its end.
	copyLock = "hashtextextended('waft backup copy', 0)"
	// lockWait is the maximum time for which a statement waits for an advisory lock. Inserts of device reports queue behind a backup
	// that waits for pg.BackupLock.
	lockWait = time.Second
	// insertsWait is the time after which a backup stops waiting for pg.BackupLock. It is longer than an insert may take.
	insertsWait = 2 * time.Minute
	// holdUp is the maximum time for which a backup has pg.BackupLock. With lockWait it is shorter than an insert waits.
	holdUp = 10 * time.Second
	// lockNotAvailable is the code of Postgres for a statement that waited for lock_timeout.
	lockNotAvailable = "55P03"
)

// Lock keeps other backups from copying the database until unlock is called or the process ends, because the copies of both in ClickHouse
// have the same names. It returns an error if another backup runs, a restore of the database has not finished, or the database does not
// have Waft's schema.
func Lock(ctx context.Context, databaseURL string) (unlock func(), err error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	unlock = func() { _ = conn.Close(context.WithoutCancel(ctx)) }
	if err := lockCopy(ctx, conn); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

func lockCopy(ctx context.Context, conn *pgx.Conn) error {
	var restoring bool
	if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", pg.RestoreTable).Scan(&restoring); err != nil {
		return pg.Translate(err)
	}
	if restoring {
		return errors.New("a restore into the Postgres database has not finished; run the same `waftd restore` again, which completes it")
	}
	version, err := pg.VersionIn(ctx, conn)
	if err != nil {
		return err
	}
	if version == 0 {
		return errors.New("the Postgres database does not have Waft's schema; check DATABASE_URL")
	}
	locked, err := lock(ctx, conn, copyLock)
	if err == nil && !locked {
		err = errors.New("another backup of the same databases is running; wait until it has ended")
	}
	return err
}

// connect opens a connection for advisory locks, which the server does not end because it is idle.
func connect(ctx context.Context, databaseURL string) (*pgx.Conn, error) {
	conn, err := pg.Connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	settings := fmt.Sprintf("SET idle_session_timeout = 0; SET statement_timeout = 0; SET lock_timeout = %d", lockWait.Milliseconds())
	if _, err := conn.Exec(ctx, settings); err != nil {
		return nil, errors.Join(pg.Translate(err), conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}

// lock takes an advisory lock for the session. locked is false if others have it for longer than lockWait.
func lock(ctx context.Context, conn *pgx.Conn, key string) (locked bool, err error) {
	_, err = conn.Exec(ctx, "SELECT pg_advisory_lock("+key+")")
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == lockNotAvailable {
		return false, nil
	}
	return err == nil, pg.Translate(err)
}

// lockInserts waits until no insert is between its parts, and keeps the next ones from beginning. It lets the inserts that queue behind it
// pass after lockWait, because an insert may take longer.
func lockInserts(ctx context.Context, conn *pgx.Conn) error {
	for began := time.Now(); time.Since(began) < insertsWait; {
		if locked, err := lock(ctx, conn, pg.BackupLock); locked || err != nil {
			return err
		}
	}
	return fmt.Errorf("inserts of device reports did not pause for %s, so no moment could be fixed; check whether ClickHouse is overloaded, "+
		"and try again", insertsWait)
}
