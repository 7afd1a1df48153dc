-- One in a hundred devices is limited each time, so that every stream refuses some.
INSERT INTO refused_requests_in (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
SELECT {project}, at, 'rate_limited', channel, platform, runtime_version, device_id, 1
FROM ({report})
WHERE cityHash64(device) % 100 = 0
SETTINGS max_threads = 1
