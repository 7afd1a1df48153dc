INSERT INTO exposures (
    project_id, served_at, device_id, platform, channel,
    runtime_version, update_uuid, kind, share_bucket, network, allocation
)
