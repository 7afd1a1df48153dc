package telemetry

import (
	"embed"
	"strings"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// Query texts, one file each; values reach them as bound parameters only.
var (
	sqlCarriedErrors         = mustQuery("carried_errors")
	sqlCarriedLaunches       = mustQuery("carried_launches")
	sqlComparedDevices       = mustQuery("compared_devices")
	sqlCreateDatabase        = mustQuery("create_database")
	sqlDatabaseExists        = mustQuery("database_exists")
	sqlDeleteAged            = mustQuery("delete_aged")
	sqlDeleteDevicesByID     = mustQuery("delete_devices_by_id")
	sqlDeleteDevicesByKey    = mustQuery("delete_devices_by_key")
	sqlDeviceTables          = mustQuery("device_tables")
	sqlInsertFlagEvaluations = mustQuery("insert_flag_evaluations")
	sqlInsertHealthEvents    = mustQuery("insert_health_events")
	sqlInsertHealthReports   = mustQuery("insert_health_reports")
	sqlInsertLimited         = mustQuery("insert_limited")
	sqlInsertRefusedRequests = mustQuery("insert_refused_requests")
	sqlInsertExposures       = mustQuery("insert_exposures")
	sqlLimitedDevices        = mustQuery("limited_devices")
	sqlReleaseDevices        = mustQuery("release_devices")
	sqlSchemaVersions        = mustQuery("schema_versions")
	sqlSeenUpdates           = mustQuery("seen_updates")
	sqlTableExists           = mustQuery("table_exists")
)

// mustQuery panics at start when a file is missing: the binary was built wrong.
func mustQuery(name string) string {
	text, err := queryFiles.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}
