package telemetry

import (
	"embed"
	"strings"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// Texts of the queries, one file each. Values are bound parameters.
var (
	sqlCarriedDevices            = mustQuery("carried_devices")
	sqlCarriedLaunches           = mustQuery("carried_launches")
	sqlComparedDevices           = mustQuery("compared_devices")
	sqlCreateDatabase            = mustQuery("create_database")
	sqlDatabaseExists            = mustQuery("database_exists")
	sqlDeleteAged                = mustQuery("delete_aged")
	sqlDeleteDevicesByID         = mustQuery("delete_devices_by_id")
	sqlDeleteDevicesByKey        = mustQuery("delete_devices_by_key")
	sqlDeviceTables              = mustQuery("device_tables")
	sqlEventDevices              = mustQuery("event_devices")
	sqlInsertErrorEvents         = mustQuery("insert_error_events")
	sqlInsertExposures           = mustQuery("insert_exposures")
	sqlInsertFlagEvaluations     = mustQuery("insert_flag_evaluations")
	sqlInsertHealthEvents        = mustQuery("insert_health_events")
	sqlInsertHealthReports       = mustQuery("insert_health_reports")
	sqlInsertLimited             = mustQuery("insert_limited")
	sqlInsertRefusedRequests     = mustQuery("insert_refused_requests")
	sqlInsertRolloutObservations = mustQuery("insert_rollout_observations")
	sqlLimitedDevices            = mustQuery("limited_devices")
	sqlReleaseDevices            = mustQuery("release_devices")
	sqlSchemaVersions            = mustQuery("schema_versions")
	sqlTableExists               = mustQuery("table_exists")
)

// Texts of the queries about a single project.
var (
	sqlAdoptionDays        = mustProjectQuery("adoption_days")
	sqlAdoptionDaysCost    = mustProjectQuery("adoption_days_cost")
	sqlAdoptionUpdates     = mustProjectQuery("adoption_updates")
	sqlAdoptionUpdatesCost = mustProjectQuery("adoption_updates_cost")
	sqlDeviceCount         = mustProjectQuery("device_count")
	sqlDeviceGroups        = mustProjectQuery("device_groups")
	sqlDeviceHistory       = mustProjectQuery("device_history")
	sqlDeviceTotals        = mustProjectQuery("device_totals")
	sqlDevices             = mustProjectQuery("devices")
	sqlDevicesByKey        = mustProjectQuery("devices_by_key")
	sqlDevicesByCount      = mustProjectQuery("devices_by_count")
	sqlDevicesByTotal      = mustProjectQuery("devices_by_total")
	sqlDevicesWithout      = mustProjectQuery("devices_without")
	sqlDownloads           = mustProjectQuery("downloads")
	sqlDownloadsCost       = mustProjectQuery("downloads_cost")
	sqlDownloadsExact      = mustProjectQuery("downloads_exact")
	sqlEvent               = mustProjectQuery("event")
	sqlEventCount          = mustProjectQuery("event_count")
	sqlFlagEvaluations     = mustProjectQuery("flag_evaluations")
	sqlFlagHealth          = mustProjectQuery("flag_health")
	sqlFlagHealthExact     = mustProjectQuery("flag_health_exact")
	sqlFlagImpacts         = mustProjectQuery("flag_impacts")
	sqlFlagImpactsExact    = mustProjectQuery("flag_impacts_exact")
	sqlFlagLastEvaluated   = mustProjectQuery("flag_last_evaluated")
	sqlFlagStates          = mustProjectQuery("flag_states")
	sqlFlagsHealth         = mustProjectQuery("flags_health")
	sqlFlagsHealthExact    = mustProjectQuery("flags_health_exact")
	sqlFlagsInUse          = mustProjectQuery("flags_in_use")
	sqlGroupDevices        = mustProjectQuery("group_devices")
	sqlGroupFlags          = mustProjectQuery("group_flags")
	sqlGroupLifetimes      = mustProjectQuery("group_lifetimes")
	sqlGroupSamples        = mustProjectQuery("group_samples")
	sqlGroupShares         = mustProjectQuery("group_shares")
	sqlGroupSharesExact    = mustProjectQuery("group_shares_exact")
	sqlGroupTrends         = mustProjectQuery("group_trends")
	sqlGroups              = mustProjectQuery("groups")
	sqlGroupsCost          = mustProjectQuery("groups_cost")
	sqlGroupsExact         = mustProjectQuery("groups_exact")
	sqlIncidentStates      = mustProjectQuery("incident_states")
	sqlRefused             = mustProjectQuery("refused")
	sqlReleaseCost         = mustProjectQuery("release_cost")
	sqlReleaseCounts       = mustProjectQuery("release_counts")
	sqlReleaseHours        = mustProjectQuery("release_hours")
	sqlReleaseReports      = mustProjectQuery("release_reports")
	sqlRolloutObservations = mustProjectQuery("rollout_observations")
	sqlRunUpdates          = mustProjectQuery("run_updates")
	sqlSeenDevices         = mustProjectQuery("seen_devices")
	sqlSeenDevicesCost     = mustProjectQuery("seen_devices_cost")
	sqlSeenUpdates         = mustProjectQuery("seen_updates")
	sqlServedCounts        = mustProjectQuery("served_counts")
	sqlServedReports       = mustProjectQuery("served_reports")
	sqlStreamSketches      = mustProjectQuery("stream_sketches")
	sqlStreamRefused       = mustProjectQuery("stream_refused")
	sqlStreamUpdates       = mustProjectQuery("stream_updates")
	sqlTelemetryEvents     = mustProjectQuery("telemetry_events")
	sqlTimeseries          = mustProjectQuery("timeseries")
	sqlTimeseriesCost      = mustProjectQuery("timeseries_cost")
	sqlTimeseriesDays      = mustProjectQuery("timeseries_days")
	sqlTimeseriesReports   = mustProjectQuery("timeseries_reports")
	sqlWithdrawnDevices    = mustProjectQuery("withdrawn_devices")
)

const (
	// exactRows is the maximum number of rows that a query reads for an exact result, about 50 ms on one core. Above
	// it the roll-ups are used, whose cost does not grow with the reports.
	exactRows = 150_000
	// exactReports is the maximum for a timeseries, which dashboards query often.
	exactReports = 25_000
	// maxUpdates, maxImpacts and maxRefused limit the length of responses. Reports with invented names could make
	// them long.
	maxUpdates = 500
	maxImpacts = 1000
	maxRefused = 500
)

// mustQuery returns the text of a query. It inserts the parts that several queries share. It panics at start if a
// file is missing, because the binary was then built incorrectly.
func mustQuery(name string) string {
	text := strings.NewReplacer(
		"{matches}", queryFile("part_matches"), "{flag_states}", queryFile("part_flag_states"),
		"{devices}", queryFile("part_devices"), "{network}", queryFile("part_network"),
		"{allocation}", queryFile("part_allocation"), "{votes}", queryFile("part_votes"),
		"{group_window}", queryFile("part_group_window"), "{group_events}", queryFile("part_group_events"),
		"{event_columns}", queryFile("part_event_columns"),
		"{event_filter}", queryFile("part_event_filter"),
		"{device_filter}", queryFile("part_device_filter"),
	).Replace(queryFile(name))
	return strings.TrimSpace(strings.NewReplacer( // parts of parts
		"{flag_states_list}", queryFile("part_flag_states_list"),
	).Replace(text))
}

func queryFile(name string) string {
	text, err := queryFiles.ReadFile("queries/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text))
}
