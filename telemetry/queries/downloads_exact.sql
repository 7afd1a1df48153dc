-- Exact downloads by day: each device and release counts on the day of its first exposure.
SELECT
    toDateTime(toDate(served_at), 'UTC') AS time,
    count()                              AS downloads,
    uniqExact(device_key)                AS devices,
    toUInt64(0)                          AS exposures
FROM
(
    SELECT update_uuid, device_key, assumeNotNull(min(first_served_at)) AS served_at
    FROM device_releases
    WHERE project_id = {project_id:Int64}
        AND first_served_at IS NOT NULL
        AND update_uuid IN
        (
            SELECT update_uuid
            FROM downloads
            WHERE project_id = {project_id:Int64}
                AND day >= toDate({from:DateTime('UTC')})
        )
    GROUP BY update_uuid, device_key
)
WHERE served_at >= {from:DateTime('UTC')}
GROUP BY time
ORDER BY time
