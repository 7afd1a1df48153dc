INSERT INTO health_events (
    project_id, received_at, report_id, event_index, device_id, platform, channel,
    runtime_version, update_uuid, type, name, message, error_name, stack_trace,
    component_stack, is_fatal, count, tags, flag_states, breadcrumbs, fingerprint, culprit, title
)
