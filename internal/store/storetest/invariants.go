package storetest

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// invariants maps sentences that must always be true, whatever operations ran in whatever order, to queries that find
// violations. Most of them are also enforced by foreign keys, checks and unique indexes. They are checked here as well,
// to detect a migration that drops one of these.
var invariants = map[string]string{
	"a channel points to live branches of its own project": `
		SELECT c.project_id, c.name FROM channels c
		CROSS JOIN LATERAL (VALUES (c.branch_id), (c.rollout_branch_id)) AS target (id)
		LEFT JOIN branches b ON b.id = target.id
		WHERE target.id IS NOT NULL AND (b.id IS NULL OR b.deleted_at IS NOT NULL OR b.project_id <> c.project_id)`,
	"an override sends its user to a live branch of its own project": `
		SELECT o.project_id, o.user_id FROM user_overrides o LEFT JOIN branches b ON b.id = o.branch_id
		WHERE b.id IS NULL OR b.deleted_at IS NOT NULL OR b.project_id <> o.project_id`,
	"a user has one override": `
		SELECT project_id, user_id FROM user_overrides GROUP BY project_id, user_id HAVING count(*) > 1`,
	"a rule's variation belongs to its own flag, and its segment to its project": `
		SELECT r.id FROM flag_rules r LEFT JOIN flag_variations v ON v.id = r.variation_id LEFT JOIN segments g ON g.id = r.segment_id
		WHERE r.variation_id IS NOT NULL AND v.flag_id IS DISTINCT FROM r.flag_id
			OR r.segment_id IS NOT NULL AND g.project_id IS DISTINCT FROM r.project_id`,
	"a release links flags of its project, with variations of these flags": `
		SELECT l.release_id, l.flag_id FROM release_flags l LEFT JOIN flags f ON f.id = l.flag_id
		LEFT JOIN flag_variations v ON v.id = l.variation_id
		WHERE f.project_id IS DISTINCT FROM l.project_id OR l.variation_id IS NOT NULL AND v.flag_id IS DISTINCT FROM l.flag_id`,
	"a flag's default is one of its variations": `
		SELECT f.id FROM flags f WHERE NOT EXISTS (SELECT FROM flag_variations v WHERE v.flag_id = f.id AND v.value = f.default_value)`,
	"a channel has both a rollout branch and a rollout percentage, or neither": `
		SELECT id FROM channels WHERE (rollout_branch_id IS NULL) <> (rollout_percentage IS NULL)`,
	"live branches of a project have distinct names": `
		SELECT project_id, name FROM branches WHERE deleted_at IS NULL GROUP BY project_id, name HAVING count(*) > 1`,
	"a live release is on a live branch of its project": `
		SELECT r.id FROM releases r LEFT JOIN branches b ON b.id = r.branch_id
		WHERE r.deleted_at IS NULL AND (b.id IS NULL OR b.deleted_at IS NOT NULL OR b.project_id <> r.project_id)`,
	"a live update has a build of its project, and the build is marked published": `
		SELECT r.id FROM releases r LEFT JOIN builds b ON b.id = r.build_id
		WHERE r.deleted_at IS NULL AND r.kind = 'update'
		AND (b.id IS NULL OR b.project_id <> r.project_id OR b.status <> 'published'
			OR b.platform <> r.platform OR b.runtime_version <> r.runtime_version)`,
	"a group has one live release for each platform and branch": `
		SELECT group_id FROM releases WHERE deleted_at IS NULL GROUP BY group_id, platform, branch_id HAVING count(*) > 1`,
	"later releases of a project have greater commit times": `
		SELECT id FROM (SELECT id, created_at, lag(created_at) OVER (PARTITION BY project_id ORDER BY id) AS before FROM releases) r
		WHERE created_at <= before`,
	"the release clock is not behind the newest release": `
		SELECT p.id FROM projects p JOIN releases r ON r.project_id = p.id
		GROUP BY p.id HAVING p.last_release_millis < extract(epoch FROM max(r.created_at)) * 1000`,
	"the commit times of a project differ, and the clock is not behind the newest alias": `
		SELECT p.id FROM projects p JOIN release_aliases a ON a.project_id = p.id LEFT JOIN releases r
			ON r.project_id = p.id AND r.created_at = a.created_at
		GROUP BY p.id HAVING count(r.id) > 0 OR p.last_release_millis < extract(epoch FROM max(a.created_at)) * 1000`,
	"an alias belongs to an update of its project, and was created for a rollback in the project": `
		SELECT a.update_uuid FROM release_aliases a LEFT JOIN releases r ON r.id = a.release_id LEFT JOIN releases b ON b.id = a.rollback_id
		WHERE r.project_id IS DISTINCT FROM a.project_id OR b.project_id IS DISTINCT FROM a.project_id OR r.kind <> 'update'
			OR r.update_uuid <> a.original_uuid OR b.created_at >= a.created_at
			OR (b.platform, b.runtime_version) <> (r.platform, r.runtime_version)`,
	"clients that obeyed a rollback to the embedded update accept every live update": `
		SELECT r.id, b.id FROM releases r JOIN releases b USING (project_id, platform, runtime_version)
		WHERE r.deleted_at IS NULL AND r.kind = 'update' AND b.kind = 'rollback_to_embedded'
		AND b.created_at > greatest(r.created_at, (SELECT max(a.created_at) FROM release_aliases a WHERE a.release_id = r.id))`,
	"to clients, a live update is newer than all updates behind it": `
		WITH live AS (
			SELECT *, coalesce(place_at, created_at) AS place,
				greatest(created_at, (SELECT max(a.created_at) FROM release_aliases a WHERE a.release_id = releases.id)) AS stamp
			FROM releases WHERE deleted_at IS NULL AND kind = 'update')
		SELECT r.id, older.id FROM live r JOIN live older USING (branch_id, platform, runtime_version)
		WHERE (older.place, older.created_at) < (r.place, r.created_at) AND older.stamp >= r.stamp`,
	"an enabled release has reached at least its rollout percentage": `
		SELECT id FROM releases WHERE is_enabled AND deleted_at IS NULL AND reached_percentage < rollout_percentage`,
	"a rollback names releases of its project": `
		SELECT r.id FROM releases r CROSS JOIN jsonb_array_elements_text(r.rolled_back_update_ids) AS bad (id)
		LEFT JOIN releases b ON b.id = bad.id::bigint WHERE b.project_id IS DISTINCT FROM r.project_id`,
	"a release has at most one active rollout": `
		SELECT update_id FROM rollout_executions WHERE ended_at IS NULL GROUP BY update_id HAVING count(*) > 1`,
	"an active rollout is for a live update of its project": `
		SELECT e.id FROM rollout_executions e LEFT JOIN releases r ON r.id = e.update_id
		WHERE e.status IN ('running', 'paused')
		AND (r.id IS NULL OR r.deleted_at IS NOT NULL OR r.kind <> 'update' OR r.project_id <> e.project_id)`,
	"an active rollout's policy exists": `
		SELECT e.id FROM rollout_executions e LEFT JOIN rollout_policies p ON p.id = e.policy_id
		WHERE e.status IN ('running', 'paused') AND (p.id IS NULL OR p.project_id <> e.project_id)`,
	"the policy of an active rollout has not been edited": `
		SELECT e.id FROM rollout_executions e JOIN rollout_policies p ON p.id = e.policy_id
		WHERE e.status IN ('running', 'paused') AND (e.stages <> p.stages OR e.thresholds <> p.thresholds)`,
	"a rollout has an end time if and only if it has ended": `
		SELECT id FROM rollout_executions WHERE (status IN ('running', 'paused')) <> (ended_at IS NULL)`,
	"a rollout has applied at least the changes in its timeline": `
		SELECT e.id FROM rollout_executions e JOIN rollout_events v ON v.execution_id = e.id
		GROUP BY e.id HAVING count(*) > e.version`,
	"a build has one launch asset, and its counts match its files": `
		SELECT b.id FROM builds b LEFT JOIN build_assets a ON a.build_id = b.id GROUP BY b.id
		HAVING count(*) FILTER (WHERE a.is_launch_asset) <> 1 OR count(a.path) <> b.asset_count OR sum(a.size_bytes) <> b.size_bytes`,
	"every file of a build has a blob with its hashes": `
		SELECT a.build_id FROM build_assets a LEFT JOIN blobs b ON b.project_id = a.project_id AND b.md5 = a.md5
		WHERE b.sha256 IS DISTINCT FROM a.sha256`,
	"files that builds need are not queued for removal": `
		SELECT a.build_id, a.md5 FROM build_assets a JOIN blob_removals r ON r.project_id = a.project_id AND r.md5 = a.md5`,
	// A change that lost a race must not overwrite the change that won: the value that it replaced must be the value
	// that the previous change left. And every change must have an entry of its own.
	"each audited change begins with the result of the previous change": `
		SELECT * FROM (
			SELECT id, action, entity_id, field.key, field.value -> 'before' AS before,
				lag(field.value -> 'after') OVER (PARTITION BY entity_type, entity_id, field.key ORDER BY id) AS left_by_last
			FROM audit_log CROSS JOIN jsonb_each(details) AS field
			WHERE jsonb_typeof(field.value) = 'object' AND field.value ?& ARRAY['before', 'after']) c
		WHERE before <> left_by_last`,
	"a record has the values of its last audited change": `
		WITH fields AS (
			SELECT entity_type, entity_id::bigint AS id, field.key, field.value -> 'after' AS after, a.id AS entry
			FROM audit_log a CROSS JOIN jsonb_each(details) AS field
			WHERE jsonb_typeof(field.value) = 'object' AND field.value ?& ARRAY['before', 'after']),
		latest AS (SELECT DISTINCT ON (entity_type, id, key) * FROM fields ORDER BY entity_type, id, key, entry DESC),
		actual AS (
			SELECT 'update' AS entity_type, id, to_jsonb(r) AS r FROM releases r
			UNION ALL SELECT 'channel', id, to_jsonb(c) FROM channels c
			UNION ALL SELECT 'flag', id, to_jsonb(f) FROM flags f
			UNION ALL SELECT 'variation', id, to_jsonb(v) FROM flag_variations v
			UNION ALL SELECT 'env_setting', id, to_jsonb(e) FROM flag_environments e
			UNION ALL SELECT 'policy', id, to_jsonb(p) FROM rollout_policies p)
		SELECT l.* FROM latest l JOIN actual a USING (entity_type, id)
		CROSS JOIN LATERAL (SELECT lower(regexp_replace(l.key, '([A-Z])', '_\1', 'g')) AS name) AS own
		WHERE a.r ? own.name AND a.r -> own.name <> l.after`,
	"a record is created once and deleted at most once": `
		SELECT entity_type, entity_id, action FROM audit_log
		WHERE action LIKE '%.created' OR action LIKE '%.deleted' OR action LIKE '%.revoked' OR action = 'rollout.started'
		GROUP BY entity_type, entity_id, action HAVING count(*) > 1`,
	"the audit log has the creation of every release": `
		SELECT r.id FROM releases r LEFT JOIN audit_log a ON a.entity_type = 'update' AND a.entity_id = r.id::text
			AND a.action IN ('build.published', 'update.created', 'update.republished', 'update.rollback')
		GROUP BY r.id HAVING count(a.id) <> 1`,
	"the audit log has the start of every rollout": `
		SELECT e.id FROM rollout_executions e LEFT JOIN audit_log a ON a.action = 'rollout.started' AND a.entity_id = e.id::text
		GROUP BY e.id HAVING count(a.id) <> 1`,
	"the audit log has the creation of every stored record": `
		SELECT r.kind, r.id FROM (
			SELECT 'branch' AS kind, id FROM branches UNION ALL SELECT 'channel', id FROM channels
			UNION ALL SELECT 'policy', id FROM rollout_policies UNION ALL SELECT 'api_key', id FROM api_keys
			UNION ALL SELECT 'flag', id FROM flags UNION ALL SELECT 'rule', id FROM flag_rules
			UNION ALL SELECT 'segment', id FROM segments UNION ALL SELECT 'webhook', id FROM webhooks
			UNION ALL SELECT 'user_override', id FROM user_overrides UNION ALL SELECT 'context', id FROM contexts) r
		WHERE NOT EXISTS (SELECT FROM audit_log a
			WHERE a.entity_type = r.kind AND a.entity_id = r.id::text AND a.action = r.kind || '.created')`,
	"a record that is audited as deleted no longer exists": `
		SELECT a.id, a.action FROM audit_log a LEFT JOIN branches b ON a.action = 'branch.deleted' AND b.id::text = a.entity_id
			LEFT JOIN channels c ON a.action = 'channel.deleted' AND c.id::text = a.entity_id
			LEFT JOIN releases r ON a.action = 'update.deleted' AND r.id::text = a.entity_id
			LEFT JOIN builds u ON a.action = 'build.deleted' AND u.id::text = a.entity_id
			LEFT JOIN api_keys k ON a.action = 'api_key.revoked' AND k.id::text = a.entity_id
		WHERE b.id IS NOT NULL AND b.deleted_at IS NULL OR c.id IS NOT NULL OR r.id IS NOT NULL AND r.deleted_at IS NULL
			OR u.id IS NOT NULL OR k.id IS NOT NULL AND k.revoked_at IS NULL`,
	// Relays do not run in these tests, so all outbox messages are still waiting.
	"every rollout has one outbox message that starts its workflow": `
		SELECT e.id FROM rollout_executions e
		LEFT JOIN outbox o ON o.kind = 'rollout.start' AND (o.payload ->> 'executionId')::bigint = e.id
		GROUP BY e.id HAVING count(o.id) <> 1`,
	"every delivery has one outbox message that starts it": `
		SELECT d.id FROM webhook_deliveries d
		LEFT JOIN outbox o ON o.kind = 'webhook.deliver' AND (o.payload ->> 'deliveryId')::bigint = d.id
		GROUP BY d.id HAVING count(o.id) <> 1`,
	"a webhook message is about an audit entry of its project": `
		SELECT d.id FROM webhook_deliveries d LEFT JOIN audit_log a ON a.id = (d.body::jsonb -> 'data' ->> 'id')::bigint
		WHERE (a.project_id, a.action) IS DISTINCT FROM (d.project_id, d.event) OR octet_length(d.body) >= 20000`,
}

// RequireInvariants checks every invariant, and that no rows of deleted projects are left.
func RequireInvariants(f *Fixture) {
	f.T.Helper()
	conn := f.Conn()
	for sentence, sql := range invariants {
		require.Empty(f.T, broken(f, conn, sql), "does not hold: %s", sentence)
	}
	for _, table := range Query[string](f, `SELECT table_name FROM information_schema.columns
		WHERE table_schema = 'public' AND column_name = 'project_id' AND table_name <> 'audit_log'`) {
		orphans := broken(f, conn, fmt.Sprintf("SELECT * FROM %s t WHERE NOT EXISTS (SELECT FROM projects p WHERE p.id = t.project_id)",
			pgx.Identifier{table}.Sanitize()))
		require.Empty(f.T, orphans, "rows of %s outlive their project", table)
	}
}

// broken returns the rows that a query finds, as strings.
func broken(f *Fixture, conn *pgx.Conn, sql string) []string {
	f.T.Helper()
	rows, err := conn.Query(f.T.Context(), sql)
	require.NoError(f.T, err, sql)
	defer rows.Close()
	var found []string
	for rows.Next() {
		values, err := rows.Values()
		require.NoError(f.T, err)
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = fmt.Sprint(v)
		}
		found = append(found, strings.Join(words, " "))
	}
	require.NoError(f.T, rows.Err(), sql)
	return found
}
