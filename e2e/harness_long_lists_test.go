package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

// longLists creates a project with 10,000 releases, 10,000 entries in its audit log, 10,000 devices, and 2,000 branches,
// channels, flags and segments, and returns its slug. The releases are copies of a single release from the API, because publishing 10,000 would take minutes.
func (i installation) longLists(t *testing.T, clickHouseURL string) string {
	t.Helper()
	p := i.tenant(t)
	release := p.release().id("id")
	p.create("/v1/ota/segments", object{"name": "Original", "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "eq", "valuesJson": []string{"pro"}},
	}})
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
	for _, statement := range []string{
		"INSERT INTO branches (project_id, name, created_at) SELECT $1, 'branch-' || n, now() FROM generate_series(1, 2000) n",
		`INSERT INTO channels (project_id, name, branch_id, is_paused, is_protected, required_approvals, created_at, updated_at)
			SELECT project_id, replace(name, 'branch', 'channel'), id, false, false, 0, now(), now() FROM branches WHERE project_id = $1 AND name LIKE 'branch-%'`,
		`INSERT INTO flags (project_id, key, name, description, flag_type, default_value, enabled, created_at, updated_at)
			SELECT $1, 'flag-' || n, 'Flag', '', 'boolean', 'false', true, now(), now() FROM generate_series(1, 2000) n`,
		`INSERT INTO flag_variations (project_id, flag_id, name, value, position)
			SELECT $1, f.id, v, v, 0 FROM flags f, unnest(ARRAY['true', 'false']) AS v WHERE f.project_id = $1`,
		// The oldest release links a flag.
		`INSERT INTO release_flags (project_id, release_id, flag_id, enabled)
			SELECT r.project_id, r.id, f.id, true FROM releases r JOIN flags f ON f.project_id = r.project_id AND f.key = 'flag-1234'
			WHERE r.project_id = $1 AND r.release_message = 'Many n9999'`,
		`INSERT INTO segments SELECT (jsonb_populate_record(s, jsonb_build_object(
			'id', nextval('waft_ids'), 'key', 'segment-' || n, 'name', 'Segment ' || n))).*
			FROM segments s, generate_series(1, 1999) n WHERE s.project_id = $1`,
	} {
		_, err = conn.Exec(t.Context(), statement, p.id)
		require.NoError(t, err)
	}
	insertDevices(t, clickHouseURL, p.id)
	return p.slug
}

// insertDevices inserts one launch for each of device-1 to device-10000, one second apart.
func insertDevices(t *testing.T, clickHouseURL string, projectID int64) {
	t.Helper()
	clickHouse, err := telemetry.Open(t.Context(), clickHouseURL)
	require.NoError(t, err)
	defer func() { require.NoError(t, clickHouse.Close()) }()
	now := time.Now()
	reports := make([]models.HealthReport, 10_000)
	for n := range reports {
		reports[n] = models.HealthReport{
			ID: uuid.NewString(), ProjectID: projectID, DeviceID: fmt.Sprintf("device-%d", n+1), Channel: "production",
			Platform: models.IOS, RuntimeVersion: "1.0.0", ReceivedAt: now.Add(-time.Duration(n) * time.Second),
			Events: []models.HealthEvent{{Type: models.EventAppLaunch, Count: 1}},
		}
	}
	require.NoError(t, clickHouse.InsertReports(t.Context(), "long lists", reports))
}
