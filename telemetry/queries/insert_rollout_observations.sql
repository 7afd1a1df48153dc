INSERT INTO rollout_observations (
    project_id, execution_id, observed_at, stage_index, percentage, devices, errored_devices, crashed_devices, evidence, ignored_devices,
    event_names, event_directions, event_devices, event_reported
)
