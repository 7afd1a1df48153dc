-- Devices by day and release. The embedded update counts as a release.
SELECT
    toDateTime(day, 'UTC')                       AS time,
    update_uuid,
    uniqCombined64Merge(12)(release_days.devices) AS devices
FROM release_days
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
GROUP BY time, update_uuid
ORDER BY time, devices DESC, update_uuid
LIMIT {most:UInt32} BY time
SETTINGS max_threads = 1
