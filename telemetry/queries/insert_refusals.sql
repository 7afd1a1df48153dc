INSERT INTO refusals_in_v1 (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
