package pg

import (
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
)

// atVersion returns a database with the schema of a version, a function that migrates it to the newest version, and a
// function that runs a statement.
func atVersion(t *testing.T, version int64) (db *sql.DB, up func(), exec func(statement string)) {
	t.Helper()
	databaseURL := enginetest.Postgres(t)
	config, err := pgx.ParseConfig(databaseURL)
	require.NoError(t, err)
	db = stdlib.OpenDB(*config)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	migrator, err := newMigrator(db)
	require.NoError(t, err)
	_, err = migrator.UpTo(t.Context(), version)
	require.NoError(t, err)
	up = func() {
		t.Helper()
		_, err := migrator.Up(t.Context())
		require.NoError(t, err)
	}
	return db, up, func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
}

// TestApprovalsInTheFormerFormEndAsStale migrates a database with two approvals that store HTTP requests: one is
// pending, one is rejected.
func TestApprovalsInTheFormerFormEndAsStale(t *testing.T) {
	t.Parallel()
	db, up, exec := atVersion(t, 1)
	exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		VALUES (1, gen_random_uuid(), 'Demo', 'demo', now(), 1, 0, '')`)
	exec(`INSERT INTO approvals (project_id, status, action, summary, channels, required_approvals, basis, method, path, body, call_hash,
			author_type, author_id, author_name, request_id, error, workflow_id, created_at, expires_at, ended_at)
		SELECT 1, status, 'channel.update', 'pause it', '["production"]', 1, sha256('x'), 'PATCH', '/v1/ota/channels/production',
			'{"isPaused":true}', sha256('x'), 'api_key', 'root', 'root', 'r', '', 'approval/demo/1', now(), now(), ended_at
		FROM (VALUES ('pending', NULL), ('rejected', now())) AS a (status, ended_at)`)

	up()
	for _, a := range []struct{ status, says string }{{"stale", "make the call again"}, {"rejected", ""}} {
		var text, path string
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT error, input ->> 'path' FROM approvals
			WHERE status = $1 AND ended_at IS NOT NULL AND input_version = 0`, a.status).Scan(&text, &path), a.status)
		require.Contains(t, text, a.says)
		require.Equal(t, "/v1/ota/channels/production", path)
	}
}

// TestChannelsHaveOfferedWhatTheirBranchesServed migrates a project whose channel sends a tenth of its devices to a
// second branch.
func TestChannelsHaveOfferedWhatTheirBranchesServed(t *testing.T) {
	t.Parallel()
	db, up, exec := atVersion(t, 5)
	exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		VALUES (1, gen_random_uuid(), 'Demo', 'demo', now(), 1, 0, '')`)
	exec(`INSERT INTO branches (id, project_id, name, created_at) VALUES (11, 1, 'main', now()), (12, 1, 'next', now()), (13, 1, 'other', now())`)
	exec(`INSERT INTO channels (id, project_id, name, branch_id, rollout_branch_id, rollout_percentage, is_paused, is_protected,
			required_approvals, created_at, updated_at)
		VALUES (21, 1, 'production', 11, 12, 10, false, false, 0, now(), now())`)
	exec(`INSERT INTO builds (id, project_id, uuid, platform, runtime_version, message, git_commit_hash, git_branch, status, asset_count,
			size_bytes, new_asset_count, new_bytes, created_at)
		VALUES (31, 1, gen_random_uuid(), 'ios', '1', '', '', '', 'published', 1, 1, 1, 1, now())`)
	exec(`INSERT INTO releases (id, project_id, update_uuid, group_id, build_id, branch_id, platform, runtime_version, is_enabled, is_critical,
			rollout_percentage, reached_percentage, share_salt, release_message, kind, republished_from_id, rolled_back_update_ids,
			git_commit_hash, git_branch, asset_count, size_bytes, created_at, updated_at)
		SELECT id, 1, gen_random_uuid(), gen_random_uuid(), 31, branch, 'ios', '1', enabled, false, share, reached, 's', '', 'update', original,
			'[]', '', '', 0, 0, date_trunc('second', now()) + id * interval '1 second', now()
		FROM (VALUES (41, 11, false, 100, 100, NULL), (42, 11, true, 100, 100, 41), (43, 12, true, 50, 50, NULL), (44, 11, false, 0, 0, NULL),
			(45, 13, true, 100, 100, NULL)) AS r (id, branch, enabled, share, reached, original)`)
	up()
	rows, err := db.QueryContext(t.Context(), `SELECT release_id, origin_id, percentage FROM channel_offers WHERE channel_id = 21 ORDER BY 1`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	type offered struct {
		release, origin int64
		percentage      float64
	}
	var found []offered
	for rows.Next() {
		var o offered
		require.NoError(t, rows.Scan(&o.release, &o.origin, &o.percentage))
		found = append(found, o)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []offered{{41, 41, 100}, {42, 41, 100}, {43, 43, 5}}, found)
}

// TestStoredMessagesLoseTheAddressesOfLogins migrates a delivery of an earlier version that may still be sent again.
func TestStoredMessagesLoseTheAddressesOfLogins(t *testing.T) {
	t.Parallel()
	db, up, exec := atVersion(t, 35)
	exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		VALUES (1, gen_random_uuid(), 'Demo', 'demo', now(), 1, 0, '')`)
	exec(`INSERT INTO webhooks (id, project_id, url, description, events, is_active, sealed_secret, secret_hint, created_at, updated_at)
		VALUES (2, 1, 'https://example.com', '', '["*"]', true, 'v1.00000000.AAAA', 'x', now(), now())`)
	exec(`INSERT INTO webhook_deliveries (id, project_id, webhook_id, message_id, event, body, status, attempts, workflow_id, created_at)
		SELECT id, 1, 2, 'msg_' || id, event, '{"type":"' || event || '","data":{"id":9,"details":{"method":"password","address":"203.0.113.9",
			"userAgent":"Mozilla/5.0"},"projectSlug":"demo"}}', 'delivered', '[]', 'w', now()
		FROM (VALUES (3, 'session.created'), (4, 'branch.created')) AS v (id, event)`)

	up()
	var body, other string
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT body FROM webhook_deliveries WHERE id = 3").Scan(&body))
	require.JSONEq(t, `{"type":"session.created","data":{"id":9,"details":{"method":"password"},"projectSlug":"demo"}}`, body)
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT body FROM webhook_deliveries WHERE id = 4").Scan(&other))
	require.Contains(t, other, "203.0.113.9", "messages about other events stay as they are")
}

// TestOlderAccountsAreVerifiedUnlessOneLinkMayHaveMadeThem migrates accounts of each kind, and an invitation whose link
// was handed over personally.
func TestOlderAccountsAreVerifiedUnlessOneLinkMayHaveMadeThem(t *testing.T) {
	t.Parallel()
	db, up, exec := atVersion(t, 20)
	exec(`INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		SELECT id, gen_random_uuid(), 'Demo', 'demo-' || id, now(), 1, 0, '' FROM (VALUES (1), (2)) AS p (id)`)
	exec(`INSERT INTO users (id, email, email_key, name, password_hash, is_owner, handle, created_at)
		SELECT id, name || '@example.com', name || '@example.com', name, CASE WHEN password THEN '$argon2id$' ELSE '' END, owner,
			sha256(name::bytea), now()
		FROM (VALUES (11, 'owner', true, true), (12, 'no-password', false, false), (13, 'linked', true, false), (14, 'two-projects', true, false),
			(15, 'one-project', true, false), (16, 'no-project', true, false)) AS u (id, name, password, owner)`)
	exec(`INSERT INTO identities (user_id, issuer, subject, created_at) VALUES (13, 'https://id.example', 's', now())`)
	exec(`INSERT INTO members (project_id, user_id, role, source, created_at)
		SELECT project, member, 'editor', 'invitation', now()
		FROM (VALUES (1, 11), (1, 12), (1, 13), (1, 14), (2, 14), (2, 15)) AS m (project, member)`)
	exec(`INSERT INTO invitations (project_id, email, email_key, role, token_hash, invited_by, expires_at, created_at)
		VALUES (1, 'new@example.com', 'new@example.com', 'viewer', sha256('t'), 'owner', now(), now())`)

	up()
	home := int64(2)
	for name, want := range map[string]struct {
		verified bool
		home     *int64
	}{
		"owner": {true, nil}, "no-password": {true, nil}, "linked": {true, nil}, "two-projects": {true, nil},
		"one-project": {false, &home}, "no-project": {false, nil},
	} {
		var verified bool
		var home *int64
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT email_verified, home_project_id FROM users WHERE name = $1", name).
			Scan(&verified, &home), name)
		require.Equal(t, want.verified, verified, name)
		require.Equal(t, want.home, home, name)
	}
	var mailed, sent bool
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT by_mail, sent_at IS NOT NULL FROM invitations").Scan(&mailed, &sent))
	require.False(t, mailed || sent, "the link was handed over")
	exec(`INSERT INTO users (id, email, email_key, name, password_hash, is_owner, handle, created_at)
		VALUES (17, 'late@example.com', 'late@example.com', 'late', '', false, sha256('late'), now())`)
	var verified bool
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT email_verified FROM users WHERE id = 17").Scan(&verified))
	require.False(t, verified, "an account is not verified by default")
}
