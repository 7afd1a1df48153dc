package e2e

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ownTables are the tables whose rows do not belong to a single project, and rollout_prompts, whose rows are deleted as
// watchers read them.
var ownTables = []string{
	"waft_migrations", "root_key", "report_claims", "projects", "rollout_prompts",
	"users", "sessions", "identities", "setup_link", "passkeys", "answered_challenges", "exchanged_tokens",
	"password_resets", "known_networks",
}

// contents returns all rows of the tenant in Postgres, by table, as strings.
func (p *tenant) contents() map[string][]string {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.databaseURL)
	require.NoError(p.t, err)
	defer conn.Close(context.WithoutCancel(p.t.Context()))
	rows, err := conn.Query(p.t.Context(), `SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL ($1)`, ownTables)
	require.NoError(p.t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(p.t, err)
	contents := map[string][]string{}
	read := func(table, where string) {
		// The query fails for a table without a project_id column. If the rows of a new table do not belong to a single
		// project, add it to ownTables.
		rows, err := conn.Query(p.t.Context(), "SELECT r::text FROM "+table+" r WHERE "+where+" = $1 ORDER BY 1", p.id)
		require.NoError(p.t, err)
		contents[table], err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(p.t, err)
	}
	read("projects", "id")
	for _, table := range tables {
		read(table, "project_id")
	}
	return contents
}
