-- Devices by day and release, the bundle inside the app counting as one.
SELECT
    at AS time,
    update_uuid,
    uniqCombined64Merge(13)(activity_v1.devices) AS devices
FROM activity_v1
WHERE project_id = {project_id:Int64}
    AND grain = 'day'
    AND dims = 14
    AND at >= {from:DateTime('UTC')}
GROUP BY time, update_uuid
ORDER BY time, devices DESC, update_uuid
LIMIT {most:UInt32} BY time
