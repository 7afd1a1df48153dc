INSERT INTO refused_requests_in (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
