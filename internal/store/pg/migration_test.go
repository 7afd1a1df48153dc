package pg

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// TestApprovalsInTheFormerFormEndAsStale migrates a database with two approvals that store HTTP requests: one waits, one is rejected.
func TestApprovalsInTheFormerFormEndAsStale(t *testing.T) {
	t.Parallel()
	databaseURL := enginetest.Postgres(t)
	config, err := pgx.ParseConfig(databaseURL)
	require.NoError(t, err)
	db := stdlib.OpenDB(*config)
	defer func() { require.NoError(t, db.Close()) }()
	migrator, err := newMigrator(db)
	require.NoError(t, err)
	_, err = migrator.UpTo(t.Context(), 1)
	require.NoError(t, err)
	exec := func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		VALUES (1, gen_random_uuid(), 'Demo', 'demo', now(), 1, 0, '')`)
	exec(`INSERT INTO approvals (project_id, status, action, summary, channels, required_approvals, basis, method, path, body, call_hash,
			author_type, author_id, author_name, request_id, error, workflow_id, created_at, expires_at, ended_at)
		SELECT 1, status, 'channel.update', 'pause it', '["production"]', 1, sha256('x'), 'PATCH', '/v1/ota/channels/production',
			'{"isPaused":true}', sha256('x'), 'api_key', 'root', 'root', 'r', '', 'approval/demo/1', now(), now(), ended_at
		FROM (VALUES ('pending', NULL), ('rejected', now())) AS a (status, ended_at)`)

	_, err = migrator.Up(t.Context())
	require.NoError(t, err)
	for _, a := range []struct{ status, says string }{{"stale", "make the call again"}, {"rejected", ""}} {
		var text, path string
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT error, input ->> 'path' FROM approvals
			WHERE status = $1 AND ended_at IS NOT NULL AND input_version = 0`, a.status).Scan(&text, &path), a.status)
		require.Contains(t, text, a.says)
		require.Equal(t, "/v1/ota/channels/production", path)
	}
}
