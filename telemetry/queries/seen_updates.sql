-- Which of some updates a device reported with since a moment.
SELECT update_uuid
FROM release_devices_v1
WHERE project_id = {project_id:Int64}
    AND update_uuid IN {updates:Array(String)}
    AND last_at >= {since:DateTime64(3, 'UTC')}
GROUP BY update_uuid
ORDER BY update_uuid
