INSERT INTO error_events_in (
    project_id, received_at, report_id, event_index, device_id, platform, channel, update_uuid, type,
    error_name, count, flag_states, fingerprint, culprit, title
)
