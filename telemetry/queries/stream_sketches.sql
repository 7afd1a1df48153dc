-- Devices of each target by release since the start of an hour, from sketches. The devices of a target's rows add up to
-- the devices that reported on the target. A device that changed its release counts once, for the release that the
-- target's devices reported first most recently: from the newest release to the oldest, each row counts the devices that
-- no newer release has. first_day is exact within 30 days.
SELECT
    channel, platform, runtime_version, update_uuid,
    toUInt64(greatest(0, toInt64(together) - lagInFrame(toInt64(together), 1, 0) OVER newer)) AS devices
FROM
(
    SELECT
        channel, platform, runtime_version, update_uuid, first_day, first_hour,
        uniqCombined64Merge(13)(update_devices) OVER newest_first AS together
    FROM
    (
        SELECT
            channel, platform, runtime_version, update_uuid,
            min(at) AS first_hour,
            uniqCombined64MergeState(13)(activity.devices) AS update_devices
        FROM activity
        WHERE project_id = {project_id:Int64}
            AND grain = 'hour'
            AND dims = 15
            AND at >= {from:DateTime('UTC')}
        GROUP BY channel, platform, runtime_version, update_uuid
    ) AS hours
    INNER JOIN
    (
        SELECT
            channel, platform, runtime_version, update_uuid,
            min(at) AS first_day
        FROM activity
        WHERE project_id = {project_id:Int64}
            AND grain = 'day'
            AND dims = 15
            AND at >= {from:DateTime('UTC')} - INTERVAL 30 DAY
        GROUP BY channel, platform, runtime_version, update_uuid
    ) AS days USING (channel, platform, runtime_version, update_uuid)
    WINDOW newest_first AS (PARTITION BY channel, platform, runtime_version ORDER BY first_day DESC, first_hour DESC, update_uuid
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
WINDOW newer AS (PARTITION BY channel, platform, runtime_version ORDER BY first_day DESC, first_hour DESC, update_uuid
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
ORDER BY devices DESC, channel, platform, runtime_version, update_uuid
LIMIT {most:UInt32}
SETTINGS max_threads = 1
