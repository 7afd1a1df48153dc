-- Every fifth check finds an update; one in 200 of these fails before its first render.
INSERT INTO exposures (project_id, served_at, device_id, platform, channel, runtime_version, update_uuid, kind)
SELECT {project}, at, device_id, platform, channel, runtime_version, update_uuid,
    if(intDiv(random, 13) % 200 = 0, 'failure', 'manifest')
FROM ({report})
WHERE update_uuid != '' AND intDiv(random, 7) % 5 = 0
SETTINGS max_threads = 1
