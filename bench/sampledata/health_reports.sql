-- What telemetry stores of each report.
INSERT INTO health_reports (
    project_id, received_at, report_id, device_id, platform, channel, runtime_version, update_uuid,
    launches, js_errors, crashes, customs
)
SELECT
    {project}, at, report_id, device_id, platform, channel, runtime_version, update_uuid,
    1, failed, crashed, 3 - failed - crashed
FROM ({report})
SETTINGS max_threads = 1
