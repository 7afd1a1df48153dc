package pgcopy

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store/pg"
)

// Rows are the rows of a table, in the text format of COPY.
type Rows struct {
	Table
	Count int64
	Open  func() (io.ReadCloser, error)
}

// Load replaces all rows of the database at databaseURL, in one transaction. The database has
// the schema from which the rows come. Triggers do not run, and foreign keys are checked at the end. also runs in the same transaction.
func Load(ctx context.Context, databaseURL string, all []Rows, sequences []Sequence, also string) error {
	conn, err := pg.Connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return pg.Translate(pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		l := loading{conn: conn, tx: tx}
		if err := l.prepare(ctx, all); err != nil {
			return err
		}
		for _, rows := range all {
			if err := l.copyIn(ctx, rows); err != nil {
				return err
			}
		}
		for _, s := range sequences {
			if _, err := tx.Exec(ctx, "SELECT setval($1::regclass, $2, $3)", quoted(s.Name), s.Last, s.Called); err != nil {
				return fmt.Errorf("set the sequence %s: %w", s.Name, err)
			}
		}
		if err := l.finish(ctx); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, also)
		return err
	}))
}

// loading is a transaction that loads rows.
type loading struct {
	conn   *pgx.Conn
	tx     pgx.Tx
	tables []Table
	// keys restores the foreign keys that prepare dropped.
	keys []string
}

// prepare empties the tables, turns their triggers off and drops their foreign keys. Unlike session_replication_role, this does not need
// a superuser.
func (l *loading) prepare(ctx context.Context, all []Rows) (err error) {
	// Loading a table may take longer than the server permits by default.
	if err := l.exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL statement_timeout = 0"); err != nil {
		return err
	}
	if l.tables, err = tables(ctx, l.tx); err != nil {
		return err
	}
	var known []string
	for _, t := range l.tables {
		known = append(known, quoted(t.Name))
	}
	for _, rows := range all {
		if !slices.Contains(known, quoted(rows.Name)) {
			return fmt.Errorf("the schema does not have the table %s of the backup", rows.Name)
		}
	}
	const foreignKeys = ` FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY oid`
	l.keys, err = names(ctx, l.tx,
		`SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))`+foreignKeys)
	if err != nil {
		return err
	}
	drops, err := names(ctx, l.tx, `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)`+foreignKeys)
	if err != nil {
		return err
	}
	if err := l.exec(ctx, drops...); err != nil {
		return err
	}
	if err := l.triggers(ctx, "DISABLE"); err != nil {
		return err
	}
	return l.exec(ctx, "TRUNCATE "+strings.Join(known, ", "))
}

func (l *loading) finish(ctx context.Context) error {
	// Deferred constraints are checked here, because a table with pending checks cannot be altered.
	if err := l.exec(ctx, "SET CONSTRAINTS ALL IMMEDIATE"); err != nil {
		return err
	}
	if err := l.triggers(ctx, "ENABLE"); err != nil {
		return err
	}
	return l.exec(ctx, l.keys...)
}

func (l *loading) triggers(ctx context.Context, turn string) error {
	for _, t := range l.tables {
		if err := l.exec(ctx, "ALTER TABLE "+quoted(t.Name)+" "+turn+" TRIGGER USER"); err != nil {
			return err
		}
	}
	return nil
}

func (l *loading) copyIn(ctx context.Context, rows Rows) error {
	from, err := rows.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	done, err := l.conn.PgConn().CopyFrom(ctx, from, "COPY "+rows.target()+" FROM STDIN")
	if err != nil {
		return fmt.Errorf("load the table %s: %w", rows.Name, err)
	}
	if done.RowsAffected() != rows.Count {
		return fmt.Errorf("the table %s got %d rows instead of %d", rows.Name, done.RowsAffected(), rows.Count)
	}
	return nil
}

func (l *loading) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := l.tx.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}
