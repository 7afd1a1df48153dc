// Package pgcopy copies all rows of a Postgres database out of one state of it, and into an empty database. It knows the tables from the
// catalog, so it copies the tables of every version of the schema.
package pgcopy

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store/pg"
)

// Snapshot is one state of a database.
type Snapshot struct {
	conn *pgx.Conn
	tx   pgx.Tx
	// TakenAt is the moment of the state, by the clock of Postgres.
	TakenAt time.Time
	// Version is the version of the schema.
	Version int64
}

// Table is a table with the columns that are copied.
type Table struct {
	Name    string
	Columns []string
}

// Sequence is the state of a sequence.
type Sequence struct {
	Name   string
	Last   int64
	Called bool
}

// Take waits until no insert into ClickHouse is between its parts, calls fix, and takes a snapshot of Postgres. During that time no
// process inserts device reports, so both see the same reports. The caller closes the snapshot.
func Take(ctx context.Context, databaseURL string, fix func(context.Context) error) (_ *Snapshot, err error) {
	conn, err := connect(ctx, databaseURL)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{conn: conn}
	defer func() {
		if err != nil {
			s.Close(ctx)
		}
	}()
	// If this machine disappears, Postgres ends the session and with it the lock, for which inserts wait.
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET idle_session_timeout = %d", (holdUp+lockWait).Milliseconds())); err != nil {
		return nil, pg.Translate(err)
	}
	if err := lockInserts(ctx, conn); err != nil {
		return nil, err
	}
	holding, cancel := context.WithTimeout(ctx, holdUp)
	defer cancel()
	if err := fix(holding); err != nil {
		return nil, err
	}
	if err := s.begin(holding); err != nil {
		return nil, pg.Translate(err)
	}
	s.Version, err = pg.VersionIn(ctx, s.tx)
	return s, err
}

// begin begins the transaction that has the state, and releases the lock.
func (s *Snapshot) begin(ctx context.Context) (err error) {
	if s.tx, err = s.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}); err != nil {
		return err
	}
	// The copy of a table to a slow disk may take long.
	if _, err := s.tx.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 0"); err != nil {
		return err
	}
	// The first query fixes the state.
	if err := s.tx.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&s.TakenAt); err != nil {
		return err
	}
	s.TakenAt = s.TakenAt.UTC()
	_, err = s.tx.Exec(ctx, "SELECT pg_advisory_unlock("+pg.BackupLock+")")
	return err
}

// Close ends the snapshot.
func (s *Snapshot) Close(ctx context.Context) { _ = s.conn.Close(context.WithoutCancel(ctx)) }

// Tables returns the tables with records, in the order of their names.
func (s *Snapshot) Tables(ctx context.Context) ([]Table, error) { return tables(ctx, s.tx) }

// Copy writes the rows of a table in the text format of COPY, and returns their number.
func (s *Snapshot) Copy(ctx context.Context, t Table, to io.Writer) (rows int64, err error) {
	done, err := s.conn.PgConn().CopyTo(ctx, to, "COPY "+t.target()+" TO STDOUT")
	if err != nil {
		return 0, fmt.Errorf("copy the table %s: %w", t.Name, err)
	}
	return done.RowsAffected(), nil
}

// Sequences returns the states of all sequences. They may be ahead of the snapshot, because Postgres does not roll sequences back.
func (s *Snapshot) Sequences(ctx context.Context) ([]Sequence, error) {
	names, err := names(ctx, s.tx, `SELECT relname FROM pg_class
		WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace ORDER BY relname`)
	if err != nil {
		return nil, err
	}
	all := make([]Sequence, len(names))
	for i, name := range names {
		all[i].Name = name
		err := s.tx.QueryRow(ctx, "SELECT last_value, is_called FROM "+quoted(name)).Scan(&all[i].Last, &all[i].Called)
		if err != nil {
			return nil, pg.Translate(err)
		}
	}
	return all, nil
}

// Blobs returns the size in bytes of each file that records name, by the file's project and MD5.
func (s *Snapshot) Blobs(ctx context.Context) (map[Blob]int64, error) {
	rows, err := s.tx.Query(ctx, "SELECT project_id, md5, size_bytes FROM blobs")
	if err != nil {
		return nil, pg.Translate(err)
	}
	all := map[Blob]int64{}
	var b Blob
	var size int64
	_, err = pgx.ForEachRow(rows, []any{&b.ProjectID, &b.MD5, &size}, func() error {
		all[b] = size
		return nil
	})
	return all, pg.Translate(err)
}

// Blob names a file of the bucket.
type Blob struct {
	ProjectID int64
	MD5       string
}

// querier is a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// tables returns the tables with records. Generated columns are left out, because Postgres computes them again.
func tables(ctx context.Context, from querier) ([]Table, error) {
	rows, err := from.Query(ctx, `SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND c.relnamespace = current_schema()::regnamespace
			AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL ($1)
		GROUP BY c.relname ORDER BY c.relname`, []string{pg.MigrationsTable, pg.RestoreTable})
	if err != nil {
		return nil, pg.Translate(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Table])
	return all, pg.Translate(err)
}

func names(ctx context.Context, from querier, sql string) ([]string, error) {
	rows, err := from.Query(ctx, sql)
	if err != nil {
		return nil, pg.Translate(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return all, pg.Translate(err)
}

// target returns the table with its columns, for COPY.
func (t Table) target() string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = quoted(c)
	}
	return quoted(t.Name) + " (" + strings.Join(columns, ", ") + ")"
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }
