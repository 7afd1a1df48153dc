package e2e

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// longLists makes a project with 10,000 releases and as many changes in its audit log. It returns its slug. The rows are
// copies of one that the API made: publishing each would take minutes.
func (i installation) longLists(t *testing.T) string {
	t.Helper()
	p := i.tenant(t)
	release := p.release().id("id")
	conn, err := pgx.Connect(t.Context(), i.databaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `
		INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
			'id', nextval('waft_ids'), 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
			'created_at', r.created_at - n * interval '1 minute', 'release_message', 'Many n' || n))).*
		FROM releases r, generate_series(1, 9999) n WHERE r.id = $1`, release)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `
		INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type, entity_id, details, request_id, created_at)
		SELECT $1, 'update.patched', 'user', 'user-' || n, 'Person ' || n, 'update', $2::bigint::text, '{}', '', now() - n * interval '1 second'
		FROM generate_series(1, 10000) n`, p.id, release)
	require.NoError(t, err)
	return p.slug
}
