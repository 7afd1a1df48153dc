-- Downloads by day where they are too many to be told apart: distinct pairs of device
-- and release of that day, also when it was not their first time.
SELECT
    toDateTime(day, 'UTC') AS time,
    uniqCombined64Merge(13)(downloads_v1.downloads) AS downloads,
    uniqCombined64Merge(13)(downloads_v1.devices)   AS devices,
    sum(downloads_v1.serves)                        AS serves
FROM downloads_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
    AND update_uuid = ''
GROUP BY time
ORDER BY time
SETTINGS max_threads = 1
