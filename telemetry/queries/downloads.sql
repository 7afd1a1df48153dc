-- Downloads by day where they are too many to be told apart: distinct pairs of device
-- and release of that day, also when it was not their first time. cost is how many
-- rows downloads_exact.sql would read at most: every serve there ever was of these
-- releases, which is the same in every row.
SELECT
    toDateTime(day, 'UTC') AS time,
    uniqCombined64Merge(13)(downloads_v1.downloads) AS downloads,
    uniqCombined64Merge(13)(downloads_v1.devices)   AS devices,
    (
        SELECT sum(served)
        FROM
        (
            SELECT sum(serves) AS served
            FROM downloads_v1
            WHERE project_id = {project_id:Int64}
                AND update_uuid != ''
            GROUP BY update_uuid
            HAVING max(day) >= toDate({from:DateTime('UTC')})
        )
    ) AS cost
FROM downloads_v1
WHERE project_id = {project_id:Int64}
    AND day >= toDate({from:DateTime('UTC')})
    AND update_uuid = ''
GROUP BY time
ORDER BY time
