INSERT INTO refusals_in_v2 (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
