package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// deviceColumns returns the columns in ClickHouse that may identify a device.
func (b books) deviceColumns(condition string) []string {
	b.t.Helper()
	return slices.Sorted(maps.Keys(b.query(`SELECT concat(columns.table, '.', columns.name), toUInt64(1)
		FROM system.columns AS columns
		INNER JOIN system.tables AS tables ON tables.database = columns.database AND tables.name = columns.table
		WHERE columns.database = currentDatabase() AND tables.engine LIKE '%MergeTree' AND columns.default_kind != 'ALIAS'
			AND columns.type NOT LIKE 'AggregateFunction%' AND ` + condition)))
}

// naming returns the number of rows in ClickHouse that contain the string, by column.
func (b books) naming(text string) map[string]uint64 {
	b.t.Helper()
	found := map[string]uint64{}
	for _, column := range b.deviceColumns("columns.type LIKE '%String%'") {
		table, name, _ := strings.Cut(column, ".")
		rows := b.query(fmt.Sprintf("SELECT '', count() FROM %s WHERE positionCaseInsensitive(toString(%s), '%s') > 0", table, name, text))
		if rows[""] > 0 {
			found[column] = rows[""]
		}
	}
	return found
}

// tablesNaming returns the tables in Postgres that contain the string in any column.
func tablesNaming(t *testing.T, databaseURL, text string) (found []string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	for _, table := range tables {
		var n int
		query := "SELECT count(*) FROM " + pgx.Identifier{table}.Sanitize() + " AS r WHERE position(lower($1) IN lower(r::text)) > 0"
		require.NoError(t, conn.QueryRow(t.Context(), query, text).Scan(&n))
		if n > 0 {
			found = append(found, table)
		}
	}
	return found
}

// list returns the records of a list.
func (p project) list(t *testing.T, path string) (records []object) {
	t.Helper()
	status, body := p.call(t, http.MethodGet, path, nil, nil)
	require.Equal(t, http.StatusOK, status, body)
	require.NoError(t, json.Unmarshal([]byte(body), &records))
	return records
}

// A project that hashes IDs is queried with plain IDs and does not store them. Every endpoint that takes a device ID or
// user ID must find the right records.
func TestAProjectThatHashesIdsIsStillAskedByPlainIds(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	code, body := p.call(t, http.MethodPatch, "/v1/ota/settings", object{"hashIds": true}, nil)
	require.Equal(t, http.StatusOK, code, body)
	exports := madeExports(t)
	stable := p.publish(t, exports["stable"], "stable", 0)[0]
	p.requireServed(t, stable)
	policy := shortStages("careful")
	policy.Stages[0].MinDevices = 1000 // the rollout stays at this stage
	policyID, err := p.EnsurePolicy(t.Context(), policy)
	require.NoError(t, err)
	u := p.publish(t, exports["next"], "next", policyID)[0]
	update := u.UpdateUUID.String()
	b := openBooks(t, env["CLICKHOUSE_URL"])
	inside := shareDevices(u, policy.Stages[0].Percentage, true, 2)
	device, other, user := inside[0], inside[1], "user-"+uuid.NewString()
	outside := shareDevices(u, policy.Stages[0].Percentage, false, 1)[0]

	// A device is inside the rollout or not by its ID, in upper or lower case.
	eventually(t, func() bool { return strings.Contains(p.ask(t, strings.ToUpper(device), nil), update) })
	require.Contains(t, p.ask(t, other, nil), update)
	require.NotContains(t, p.ask(t, outside, nil), update)
	code, body = p.call(t, http.MethodGet, "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId="+device, nil, nil)
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, update)

	// A user override is for the user's plain ID.
	code, body = p.call(t, http.MethodPost, "/v1/ota/user-overrides", object{"userId": user, "branchName": "staging"}, nil)
	require.Equal(t, http.StatusCreated, code, body)
	eventually(t, func() bool {
		return !strings.Contains(p.ask(t, device, map[string]string{"Expo-User-Id": user}), update)
	})

	// Devices report, are refused, fail, and evaluate flags, with their IDs in any case.
	p.report(t, device, update, "crash")
	p.report(t, strings.ToUpper(other), update, "app_launch")
	p.report(t, outside, update, "crash") // the device was never served the update
	for _, spelled := range []string{device, strings.ToUpper(device)} {
		p.ask(t, spelled, map[string]string{"Expo-Runtime-Version": "9.9.9"})
	}
	p.ask(t, other, map[string]string{"Expo-Recent-Failed-Update-Ids": `"` + stable.UpdateUUID.String() + `"`})
	code, body = p.call(t, http.MethodPost, "/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false}, nil)
	require.Equal(t, http.StatusCreated, code, body)
	await(t, waitLimit, 20*pollEvery, func() bool {
		code, body := p.call(t, http.MethodPost, "/v1/ota/flag-evaluations", object{"projectSlug": p.slug, "evaluations": []object{
			{"flagKey": "checkout", "value": true, "count": 1, "targetingKey": device, "context": object{"kind": "device", "plan": "pro"}},
			{"flagKey": "checkout", "value": true, "count": 1, "targetingKey": user, "context": object{"name": "Ada"}},
		}}, nil)
		require.Equal(t, http.StatusNoContent, code, body)
		return len(p.list(t, "/v1/ota/contexts")) == 2
	})

	// The rollout counts the right devices.
	var health object
	await(t, waitLimit, 20*pollEvery, func() bool {
		_, health = p.execution(t, *u.RolloutExecutionID)
		return health["devices"] == 2.0 && health["crashedDevices"] == 1.0 && health["ignoredDevices"] == 1.0
	}, "%v", &health)
	require.Equal(t, object{"notServed": 1.0, "notInShare": 0.0, "rateLimited": 0.0}, object(health["ignoredReasons"].(map[string]any)))

	// Lists can be filtered by the plain ID, and show the stored hash.
	var hash string
	await(t, waitLimit, 20*pollEvery, func() bool { // the crash is listed after it is grouped
		return len(p.list(t, "/v1/ota/telemetry/events?deviceId="+device)) > 0
	})
	for _, path := range []string{"/v1/ota/telemetry/events", "/v1/ota/observe/events"} {
		for _, spelled := range []string{device, strings.ToUpper(device)} {
			events := p.list(t, path+"?deviceId="+spelled)
			require.Len(t, events, 1, path)
			hash = events[0]["deviceId"].(string)
			require.Len(t, hash, 64)
		}
		require.Len(t, p.list(t, path+"?deviceId="+hash), 1, "the list must also be filtered by the hash")
	}
	await(t, waitLimit, 20*pollEvery, func() bool {
		for _, r := range p.list(t, "/v1/ota/telemetry/refused") {
			if r["runtimeVersion"] == "9.9.9" {
				return r["devices"] == 1.0
			}
		}
		return false
	})

	// Plain IDs are not stored, except in the user override.
	for _, id := range []string{device, other, outside, user} {
		require.Empty(t, b.naming(id), "ClickHouse")
		tables := tablesNaming(t, env["DATABASE_URL"], id)
		if id == user {
			// These tables have the override, its audit entry, and the change record that snapshots read, which is kept
			// for a day.
			require.Equal(t, []string{"audit_log", "snapshot_changes", "user_overrides"}, tables)
		} else {
			require.Empty(t, tables, "Postgres")
		}
	}
	require.NotEmpty(t, b.naming(hash))

	// Data can be deleted by the plain ID.
	code, body = p.call(t, http.MethodDelete, "/v1/ota/devices/"+strings.ToUpper(device)+"/data", nil, nil)
	require.Equal(t, http.StatusNoContent, code, body)
	require.Empty(t, b.naming(hash))
	require.Empty(t, p.list(t, "/v1/ota/telemetry/events?deviceId="+device))
	require.Len(t, p.list(t, "/v1/ota/contexts"), 1)
	require.Len(t, p.list(t, "/v1/ota/telemetry/events?deviceId="+other), 1, "another device's events stay")
}
