package telemetry

// Texts of the queries that people ask, each about one project.
var (
	sqlAdoptionDays        = mustProjectQuery("adoption_days")
	sqlAdoptionDaysExact   = mustProjectQuery("adoption_days_exact")
	sqlAdoptionUpdates     = mustProjectQuery("adoption_updates")
	sqlAdoptionUpdatesCost = mustProjectQuery("adoption_updates_cost")
	sqlDeviceGroups        = mustProjectQuery("device_groups")
	sqlDownloads           = mustProjectQuery("downloads")
	sqlDownloadsCost       = mustProjectQuery("downloads_cost")
	sqlDownloadsExact      = mustProjectQuery("downloads_exact")
	sqlFlagEvaluations     = mustProjectQuery("flag_evaluations")
	sqlFlagHealth          = mustProjectQuery("flag_health")
	sqlFlagHealthExact     = mustProjectQuery("flag_health_exact")
	sqlFlagImpacts         = mustProjectQuery("flag_impacts")
	sqlFlagImpactsExact    = mustProjectQuery("flag_impacts_exact")
	sqlFlagLastEvaluated   = mustProjectQuery("flag_last_evaluated")
	sqlFlagStates          = mustProjectQuery("flag_states")
	sqlGroupDevices        = mustProjectQuery("group_devices")
	sqlIncidentStates      = mustProjectQuery("incident_states")
	sqlRefused             = mustProjectQuery("refused")
	sqlReleaseHours        = mustProjectQuery("release_hours")
	sqlTelemetryEvents     = mustProjectQuery("telemetry_events")
	sqlTimeseries          = mustProjectQuery("timeseries")
	sqlTimeseriesCost      = mustProjectQuery("timeseries_cost")
	sqlTimeseriesDays      = mustProjectQuery("timeseries_days")
	sqlTimeseriesReports   = mustProjectQuery("timeseries_reports")
)

const (
	// exactRows is how many rows an answer may read to be exact: about 50 ms on one
	// core. Beyond it the roll-ups answer, whose cost does not grow with the reports.
	exactRows = 150_000
	// exactReports is exactRows for a timeseries, which somebody looks at again and again.
	exactReports = 25_000
	// mostUpdates, mostImpacts and mostRefusals bound answers that anybody could make
	// long by sending reports of what does not exist.
	mostUpdates  = 500
	mostImpacts  = 1000
	mostRefusals = 500
)
