package storetest

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// seeds fill a project with $2 records of each kind quickly. Each is one statement, and their order respects the
// references between tables. $1 is the project.
//
// They also create the records that lists must step over: deleted or revoked records that are newer than the listed
// ones.

var seeds = []string{
	`INSERT INTO branches (project_id, name, created_at) SELECT $1::bigint, 'branch-' || i, now() FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO branches (project_id, name, created_at, deleted_at) SELECT $1::bigint, 'gone-' || i, now(), now() FROM generate_series(1, $2::int) AS i`,

	`INSERT INTO channels (project_id, name, branch_id, is_paused, is_protected, required_approvals, created_at, updated_at)
		SELECT project_id, replace(name, 'branch', 'channel'), id, false, false, 0, now(), now() FROM branches
		WHERE project_id = $1::bigint AND deleted_at IS NULL AND name LIKE 'branch-%' AND $2::int > 0`,

	`INSERT INTO api_keys (project_id, name, role, prefix, secret_hash, created_at)
		SELECT $1::bigint, 'key', 'viewer', $1::bigint || '-' || i, sha256('x'), now() FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO api_keys (project_id, name, role, prefix, secret_hash, created_at, revoked_at)
		SELECT $1::bigint, 'key', 'viewer', $1::bigint || '-gone-' || i, sha256('x'), now(), now() FROM generate_series(1, $2::int) AS i`,

	`INSERT INTO users (email, email_key, name, password_hash, is_owner, handle, created_at)
		SELECT a, a, 'x', '', false, sha256(a::bytea), now()
		FROM (SELECT 'member-' || $1::bigint || '-' || i || '@example.com' AS a FROM generate_series(1, $2::int) AS i) AS g`,
	`INSERT INTO members (project_id, user_id, role, source, created_at)
		SELECT $1::bigint, id, 'viewer', 'invitation', now() FROM users WHERE email_key LIKE 'member-' || $1::bigint || '-%' AND $2::int > 0`,
	`INSERT INTO invitations (project_id, email, email_key, role, token_hash, invited_by, expires_at, created_at)
		SELECT $1::bigint, i || '@example.com', i || '@example.com', 'viewer', sha256(($1::bigint || '-' || i)::bytea), 'x', now(), now()
		FROM generate_series(1, $2::int) AS i`,

	`INSERT INTO blobs (project_id, md5, sha256, size_bytes, sniffed_type, in_build, variants)
		SELECT $1::bigint, md5(i::text), rpad(md5(i::text), 43, 'a'), 1, 'text/plain', true, 'none' FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO builds (project_id, uuid, platform, runtime_version, message, git_commit_hash, git_branch, status, asset_count,
			size_bytes, new_asset_count, new_bytes, created_at)
		SELECT $1::bigint, gen_random_uuid(), 'ios', '1.0.0', i::text, '', '', 'published', 1, 1, 1, 1, now() FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO build_assets (build_id, project_id, path, md5, sha256, content_type, file_extension, size_bytes, is_launch_asset)
		SELECT id, $1::bigint, 'index.js', md5(message), repeat('a', 43), 'application/javascript', '.js', 1, true
		FROM builds WHERE project_id = $1::bigint AND $2::int > 0`,

	`INSERT INTO source_maps (build_id, project_id, md5, size_bytes, created_at)
		SELECT id, $1::bigint, md5(message), 1, now() FROM builds WHERE project_id = $1::bigint AND $2::int > 0`,

	// All releases are on one branch, except the oldest. The oldest is the only disabled release, and the only release
	// with its branch, channel, runtime version and platform.
	`INSERT INTO releases (project_id, update_uuid, group_id, build_id, branch_id, channel, platform, runtime_version, is_enabled,
			is_critical, rollout_percentage, reached_percentage, share_salt, release_message, kind, rolled_back_update_ids,
			git_commit_hash, git_branch, asset_count, size_bytes, created_at, updated_at, deleted_at)
		SELECT $1::bigint, gen_random_uuid(), CASE WHEN i = 1 THEN md5($1::bigint || 'rare')::uuid ELSE gen_random_uuid() END,
			(SELECT max(id) FROM builds WHERE project_id = $1::bigint),
			(SELECT id FROM branches
				WHERE project_id = $1::bigint AND deleted_at IS NULL AND name = CASE WHEN i = 1 THEN 'staging' ELSE 'production' END),
			CASE WHEN i = 1 THEN 'rare' ELSE 'production' END, CASE WHEN i = 1 THEN 'android' ELSE 'ios' END,
			CASE WHEN i = 1 THEN 'rare' ELSE '1.0.0' END, i > 1, false, 100, 100, '', 'Release ' || i || 'th', 'update', '[]', '', '', 1, 1,
			timestamptz '2026-01-01Z' + i * interval '1 ms', now(), CASE WHEN i > $2::int THEN now() END
		FROM generate_series(1, 2 * $2::int) AS i`,

	`INSERT INTO rollout_policies (project_id, name, description, is_active, stages, thresholds, created_at, updated_at)
		SELECT $1::bigint, 'policy', '', true, '[{"percentage": 100}]', '{}', now(), now() FROM generate_series(1, $2::int) AS i`,
	// All rollouts use the newest policy.
	`INSERT INTO rollout_executions (project_id, policy_id, policy_name, update_id, update_uuid, group_id, channel, platform,
			runtime_version, status, stage_index, stages, thresholds, percentage, waiting_for, reason, started_at, stage_started_at,
			ended_at, workflow_id, run_id, version)
		SELECT $1::bigint, (SELECT max(id) FROM rollout_policies WHERE project_id = $1::bigint), 'policy', r.id, r.update_uuid, r.group_id,
			r.channel, r.platform, r.runtime_version, 'completed', 0, '[{"percentage": 100}]', '{}', 100, '', '', now(), now(),
			now(), 'seed-' || r.id, '', 1
		FROM releases r WHERE r.project_id = $1::bigint AND r.deleted_at IS NULL AND $2::int > 0`,
	`INSERT INTO rollout_events (execution_id, project_id, at, event, actor, from_stage, to_stage, percentage, reason)
		SELECT e.id, $1::bigint, now(), 'completed', 'system', 0, 0, 100, '' FROM rollout_executions e WHERE e.project_id = $1::bigint AND $2::int > 0`,

	`INSERT INTO flags (project_id, key, name, description, flag_type, default_value, enabled, created_at, updated_at)
		SELECT $1::bigint, 'flag-' || i, 'Flag', '', 'boolean', 'false', true, now(), now() FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO flag_variations (project_id, flag_id, name, value, position)
		SELECT $1::bigint, f.id, v, v, 0 FROM flags f, unnest(ARRAY['true', 'false']) AS v WHERE f.project_id = $1::bigint AND $2::int > 0`,
	`INSERT INTO segments (project_id, key, name, description, match_type, conditions, created_at, updated_at)
		SELECT $1::bigint, 'segment-' || i, 'Segment', '', 'all', '[{"attribute": "a", "operator": "exists"}]', now(), now()
		FROM generate_series(1, $2::int) AS i`,
	// Each flag has a rule for its own segment, a percentage rollout, and a setting for one channel. Every release
	// links the newest flag.
	`INSERT INTO flag_rules (project_id, flag_id, rule_type, rule_config, variation_id, segment_id, priority)
		SELECT $1::bigint, f.id, 'segment', '{}', (SELECT max(id) FROM flag_variations WHERE flag_id = f.id), g.id, 0
		FROM flags f JOIN segments g ON g.project_id = f.project_id AND g.key = replace(f.key, 'flag', 'segment')
		WHERE f.project_id = $1::bigint AND $2::int > 0`,
	`INSERT INTO flag_rules (project_id, flag_id, rule_type, rule_config, priority)
		SELECT $1::bigint, id, 'percentage_rollout', '{}', 1 FROM flags WHERE project_id = $1::bigint AND $2::int > 0`,
	`INSERT INTO flag_rule_shares (rule_id, project_id, flag_id, position, variation_id, weight)
		SELECT r.id, $1::bigint, r.flag_id, 0, (SELECT max(id) FROM flag_variations WHERE flag_id = r.flag_id), 50
		FROM flag_rules r WHERE r.project_id = $1::bigint AND r.rule_type = 'percentage_rollout' AND $2::int > 0`,
	`INSERT INTO flag_environments (project_id, flag_id, channel_id, enabled, updated_at)
		SELECT $1::bigint, f.id, (SELECT id FROM channels WHERE project_id = $1::bigint AND name = 'production'), true, now()
		FROM flags f WHERE f.project_id = $1::bigint AND $2::int > 0`,
	`INSERT INTO release_flags (release_id, flag_id, project_id, enabled)
		SELECT id, (SELECT max(id) FROM flags WHERE project_id = $1::bigint), $1::bigint, true FROM releases
		WHERE project_id = $1::bigint AND deleted_at IS NULL AND $2::int > 0`,
	// All scheduled changes are of the newest flag, and all except the oldest are cancelled.
	`INSERT INTO flag_schedules (project_id, flag_id, flag_key, flag_version, at, status, body, summary, error, author_type, author_id,
			author_name, request_id, workflow_id, created_at, ended_at)
		SELECT $1::bigint, (SELECT max(id) FROM flags WHERE project_id = $1::bigint), 'flag', 1, now(),
			CASE WHEN i = 1 THEN 'scheduled' ELSE 'cancelled' END, '{}', 'turn it on', '', 'user', '1', 'x', '', 'seed', now(),
			CASE WHEN i > 1 THEN now() END
		FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO contexts (project_id, kind, targeting_key, name, attributes, first_seen_at, last_seen_at, evaluation_count, pinned)
		SELECT $1::bigint, CASE WHEN i = 1 THEN 'service' ELSE 'user' END, 'key-' || i, '', '{}', now(), now(), 0, false
		FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO user_overrides (project_id, user_id, branch_id, note, created_at)
		SELECT project_id, replace(name, 'branch', 'user'), id, '', now() FROM branches
		WHERE project_id = $1::bigint AND deleted_at IS NULL AND name LIKE 'branch-%' AND $2::int > 0`,
	// All approvals except the oldest are rejected.
	`INSERT INTO approvals (project_id, status, action, summary, channels, required_approvals, basis, receives, input_version, input, call_hash,
			author_type, author_id, author_name, request_id, error, workflow_id, created_at, expires_at, ended_at)
		SELECT $1::bigint, CASE WHEN i = 1 THEN 'pending' ELSE 'rejected' END, 'update.publish', 'publish', '["production"]', 1, sha256('x'),
			'[]', 1, '{}', sha256(i::text::bytea), 'user', '1', 'x', '', '', 'seed', now(), now(), CASE WHEN i > 1 THEN now() END
		FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO approval_decisions (approval_id, project_id, verdict, actor_type, actor_id, actor_name, comment, created_at)
		SELECT id, $1::bigint, 'reject', 'user', '2', 'y', '', now() FROM approvals
		WHERE project_id = $1::bigint AND status = 'rejected' AND $2::int > 0`,
	`INSERT INTO webhooks (project_id, url, description, events, is_active, sealed_secret, secret_hint, created_at, updated_at)
		SELECT $1::bigint, 'https://example.com', '', '["*"]', true, 'v1.00000000.x', '', now(), now() FROM generate_series(1, $2::int) AS i`,
	// All deliveries belong to the newest webhook.
	`INSERT INTO webhook_deliveries (project_id, webhook_id, message_id, event, status, attempts, workflow_id, created_at)
		SELECT $1::bigint, (SELECT max(id) FROM webhooks WHERE project_id = $1::bigint), 'm', CASE WHEN i = 1 THEN 'rare' ELSE 'build.uploaded' END,
			CASE WHEN i = 1 THEN 'failed' ELSE 'delivered' END, '[]', '', now()
		FROM generate_series(1, $2::int) AS i`,

	// The oldest incident is open, a person closed the next one, and the others recovered.
	`INSERT INTO incidents (project_id, update_uuid, channel, platform, runtime_version, devices, errored_devices, crashed_devices,
			peak_errored_devices, baseline_devices, baseline_errored_devices, opened_at, checked_at, resolved_at, resolution)
		SELECT $1::bigint, '', 'production', 'ios', '1.0.0', 10, 9, 0, 9, 100, 1, now(), now(), CASE WHEN i > 1 THEN now() END,
			CASE WHEN i = 2 THEN 'closed_by_person' WHEN i > 2 THEN 'recovered' END
		FROM generate_series(1, $2::int) AS i`,

	`INSERT INTO error_group_statuses (project_id, fingerprint, error_name, message, seen_at)
		SELECT $1::bigint, lpad(to_hex(i), 16, '0'), 'Error', 'x', now() FROM generate_series(1, $2::int) AS i`,

	`INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
		SELECT $1::bigint, CASE WHEN i = 1 THEN 'rare.action' ELSE 'update.patched' END, 'system', CASE WHEN i = 1 THEN '7' ELSE 'rollout' END,
			CASE WHEN i = 1 THEN 'rare' ELSE 'rollout' END,
			CASE WHEN i = 1 THEN 'rare' ELSE 'update' END, CASE WHEN i = 1 THEN 'rare' ELSE (i % 10)::text END, '{}', '',
			timestamptz '2026-01-01Z' + interval '100 days' * i / $2::int
		FROM generate_series(1, $2::int) AS i`,
}

// memberships create a person who is a member of $2 projects: the user whose ID is the ID of the project $1, negated.
var memberships = []string{
	`INSERT INTO users (id, email, email_key, name, password_hash, is_owner, handle, created_at)
		SELECT -$1::bigint, a, a, 'x', '', false, sha256(a::bytea), now() FROM (SELECT 'busy-' || $1::bigint AS a) AS g WHERE $2::int > 0`,
	`INSERT INTO projects (uuid, name, slug, created_at, snapshot_version, last_release_millis, sealed_hash_key)
		SELECT gen_random_uuid(), 'Project', 'of-' || $1::bigint || '-' || i, now(), 1, 0, '' FROM generate_series(1, $2::int) AS i`,
	`INSERT INTO members (project_id, user_id, role, source, created_at)
		SELECT id, -$1::bigint, 'viewer', 'invitation', now() FROM projects WHERE slug LIKE 'of-' || $1::bigint || '-%' AND $2::int > 0`,
}

// SeedSpan is the time, beginning at SeedTime, over which the entries of a seeded audit log are spread.
const SeedSpan = 100 * 24 * time.Hour

// SeedTime is the beginning of a seeded audit log.
var SeedTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Seed fills a project with n records of each kind.
func Seed(t testing.TB, conn *pgx.Conn, projectID int64, n int) {
	t.Helper()
	execute(t, conn, seeds, projectID, n)
}

// SeedMemberships creates n empty projects and a person who is a member of all of them: the user whose ID is the ID of
// the given project, negated. Like the projects of SeedProjects, they do not have keys.
func SeedMemberships(t testing.TB, conn *pgx.Conn, projectID int64, n int) {
	t.Helper()
	execute(t, conn, memberships, projectID, n)
}

func execute(t testing.TB, conn *pgx.Conn, statements []string, projectID int64, n int) {
	t.Helper()
	for _, statement := range statements {
		_, err := conn.Exec(t.Context(), statement, projectID, n)
		require.NoError(t, err, statement)
		// Otherwise Postgres would plan the checks of foreign keys to the table as if the table were empty.
		_, err = conn.Exec(t.Context(), "ANALYZE "+strings.Fields(statement)[2])
		require.NoError(t, err)
	}
}

// SeedProjects creates n empty projects. They do not have keys, so a server cannot read them until its next start adds
// the keys. A running server tries to read each of them every few seconds.
func SeedProjects(t testing.TB, conn *pgx.Conn, n int) {
	t.Helper()
	_, err := conn.Exec(t.Context(), `INSERT INTO projects (uuid, name, slug, created_at, snapshot_version, last_release_millis,
			sealed_hash_key)
		SELECT gen_random_uuid(), 'Project', 'project-' || i, now(), 1, 0, '' FROM generate_series(1, $1::int) AS i`, n)
	require.NoError(t, err)
}
