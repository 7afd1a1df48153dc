-- One in a hundred devices requests a runtime version without a release, each time.
INSERT INTO refused_requests_in (project_id, refused_at, reason, channel, platform, runtime_version, device_id, requests)
SELECT {project}, at, 'no_release', channel, platform, concat('0.', toString(device % 90), '.0'), device_id, 1
FROM ({report})
WHERE cityHash64(device) % 100 = 0
SETTINGS max_threads = 1
