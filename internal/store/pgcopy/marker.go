package pgcopy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store/pg"
)

// Restore is the state of a restore. It is in the database until End, and no process serves such a database.
type Restore struct {
	databaseURL string
	// Backup is the name of the backup.
	Backup string
	// RestoredAt is the time at which the restore began first.
	RestoredAt time.Time
	// Telemetry reports that ClickHouse has all rows, and Records that Postgres has.
	Telemetry, Records bool
}

// Begin begins the restore of a backup into an empty database, or continues it. It returns an error if the database has other tables, or
// the restore of another backup. unless runs before the restore of an empty database begins, and may prevent it.
func Begin(ctx context.Context, databaseURL, backup string, now time.Time, unless func(context.Context) error) (*Restore, error) {
	r := &Restore{databaseURL: databaseURL}
	err := r.run(ctx, func(conn *pgx.Conn) error {
		begun, err := r.read(ctx, conn)
		if err != nil {
			return err
		}
		if begun {
			if r.Backup != backup {
				return fmt.Errorf("the restore of the backup %s has begun in this database; complete it with --to, or use empty databases", r.Backup)
			}
			return nil
		}
		if err := checkEmpty(ctx, conn); err != nil {
			return err
		}
		if err := unless(ctx); err != nil {
			return err
		}
		r.Backup, r.RestoredAt = backup, now.UTC().Truncate(time.Microsecond)
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "CREATE TABLE "+pg.RestoreTable+
				" (backup text NOT NULL, restored_at timestamptz NOT NULL, telemetry boolean NOT NULL, records boolean NOT NULL)")
			if err == nil {
				_, err = tx.Exec(ctx, "INSERT INTO "+pg.RestoreTable+" VALUES ($1, $2, false, false)", r.Backup, r.RestoredAt)
			}
			return err
		})
	})
	return r, err
}

// read reads the state of a restore that was begun before.
func (r *Restore) read(ctx context.Context, conn *pgx.Conn) (begun bool, err error) {
	if err := conn.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", pg.RestoreTable).Scan(&begun); err != nil || !begun {
		return false, err
	}
	err = conn.QueryRow(ctx, "SELECT backup, restored_at, telemetry, records FROM "+pg.RestoreTable).
		Scan(&r.Backup, &r.RestoredAt, &r.Telemetry, &r.Records)
	return true, err
}

func checkEmpty(ctx context.Context, conn *pgx.Conn) error {
	found, err := names(ctx, conn, `SELECT relname FROM pg_class
		WHERE relkind IN ('r', 'p', 'v', 'S') AND relnamespace = current_schema()::regnamespace ORDER BY relname`)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("the Postgres database is not empty: it has %s and %d more tables, views and sequences; "+
			"create an empty database and name it in DATABASE_URL", found[0], len(found)-1)
	}
	return err
}

// TelemetryLoaded records that ClickHouse has all rows.
func (r *Restore) TelemetryLoaded(ctx context.Context) error {
	r.Telemetry = true
	return r.run(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "UPDATE "+pg.RestoreTable+" SET telemetry = true")
		return err
	})
}

// Load loads the rows of Postgres, and records in the same transaction that it has.
func (r *Restore) Load(ctx context.Context, all []Rows, sequences []Sequence) error {
	r.Records = true
	return Load(ctx, r.databaseURL, all, sequences, "UPDATE "+pg.RestoreTable+" SET records = true")
}

// End ends the restore. The database may be served from then on.
func (r *Restore) End(ctx context.Context) error {
	return r.run(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "DROP TABLE "+pg.RestoreTable)
		return err
	})
}

func (r *Restore) run(ctx context.Context, work func(*pgx.Conn) error) (err error) {
	conn, err := pg.Connect(ctx, r.databaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	return pg.Translate(work(conn))
}
