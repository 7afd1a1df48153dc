-- Estimated downloads by day: distinct pairs of device and release on that day, even if it was not the first
-- download.
SELECT
    toDateTime(day, 'UTC') AS time,
    uniqCombined64Merge(13)(downloads.downloads) AS downloads,
    uniqCombined64Merge(13)(downloads.devices)   AS devices,
    sum(downloads.serves)                        AS exposures
FROM downloads
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
    AND update_uuid = ''
GROUP BY time
ORDER BY time
SETTINGS max_threads = 1
