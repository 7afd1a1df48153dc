event_id, received_at, report_id, event_index, type, name, message, error_name, is_fatal, count,
    stack_trace, component_stack, tags, flag_states, breadcrumbs, device_id, platform, channel, runtime_version, update_uuid, fingerprint
