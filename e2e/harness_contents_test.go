package e2e

import (
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ownTables are the tables whose rows do not belong to a single project, and rollout_prompts, whose rows are deleted as
// watchers read them.
var ownTables = []string{
	"waft_migrations", "root_key", "report_claims", "projects", "rollout_prompts",
	"users", "sessions", "identities", "setup_link", "passkeys", "answered_challenges", "exchanged_tokens",
	"password_resets", "known_networks", "terminal_logins", "restores",
}

// reader is a connection that reads the contents of tenants. A test with many tenants uses a few of them in turn, because a new
// connection reads and plans for longer than the query takes. It ends when the test's database is dropped.
type reader struct {
	conn *pgx.Conn
	// query returns the name of each table with each of its rows.
	query string
}

// readers holds the readers that are free, as a chan reader for each URL of a database.
var readers sync.Map

func newReader(p *tenant) (r reader, err error) {
	if r.conn, err = pgx.Connect(p.t.Context(), p.databaseURL); err != nil {
		return r, err
	}
	rows, err := r.conn.Query(p.t.Context(), `SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`, ownTables)
	if err != nil {
		return r, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	selects := []string{"SELECT 'projects', r::text FROM projects r WHERE id = $1"}
	for _, table := range tables {
		// The query fails for a table without a project_id column. If the rows of a new table do not belong to a single
		// project, add it to ownTables.
		selects = append(selects, fmt.Sprintf("SELECT '%[1]s', r::text FROM %[1]s r WHERE project_id = $1", table))
	}
	r.query = strings.Join(selects, " UNION ALL ") + " ORDER BY 1, 2"
	return r, err
}

// contents returns all rows of the tenant in Postgres, by table, as strings.
func (p *tenant) contents() map[string][]string {
	p.t.Helper()
	of, _ := readers.LoadOrStore(p.databaseURL, make(chan reader, 8))
	free := of.(chan reader)
	var by reader
	select {
	case by = <-free:
	default:
		var err error
		by, err = newReader(p)
		require.NoError(p.t, err)
	}
	rows, err := by.conn.Query(p.t.Context(), by.query, p.id)
	require.NoError(p.t, err)
	contents := map[string][]string{}
	var table, row string
	_, err = pgx.ForEachRow(rows, []any{&table, &row}, func() error {
		contents[table] = append(contents[table], row)
		return nil
	})
	require.NoError(p.t, err)
	require.NotEmpty(p.t, contents["projects"])
	select {
	case free <- by:
	default:
		require.NoError(p.t, by.conn.Close(p.t.Context()))
	}
	return contents
}
