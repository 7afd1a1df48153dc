INSERT INTO health_reports (
    project_id, received_at, report_id, device_id, platform, channel,
    runtime_version, update_uuid, launches, js_errors, crashes, customs,
    custom_names, share_bucket
)
