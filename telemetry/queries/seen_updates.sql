-- Updates that a device reported, failed on or was served since a given time.
SELECT update_uuid
FROM device_releases
WHERE project_id = {project_id:Int64}
    AND update_uuid IN {updates:Array(String)}
    AND touched_at >= {since:DateTime64(3, 'UTC')}
GROUP BY update_uuid
ORDER BY update_uuid
