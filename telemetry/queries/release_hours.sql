-- For each release and channel: the devices and the devices with errors in this hour, and the sums of both over the
-- 24 hours before. A failure before the first render counts as a crash at the time when it was first reported. FINAL
-- finds that time before it is compared.
SELECT
    update_uuid, channel, platform, runtime_version,
    sumIf(hour_devices, recent)     AS devices,
    sumIf(hour_errored, recent)     AS errored,
    sumIf(hour_crashed, recent)     AS crashed,
    sumIf(hour_devices, NOT recent) AS before_devices,
    sumIf(hour_errored, NOT recent) AS before_errored
FROM
(
    SELECT
        update_uuid, channel, platform, runtime_version, recent, hour,
        uniqCombined64Merge(13)(cell_devices) AS hour_devices,
        uniqCombined64Merge(13)(cell_errored) AS hour_errored,
        uniqCombined64Merge(13)(cell_crashed) AS hour_crashed
    FROM
    (
        SELECT
            update_uuid, channel, platform, runtime_version,
            grain = 'slot'                               AS recent,
            if(grain = 'slot', toDateTime(0, 'UTC'), at) AS hour,
            activity.devices                          AS cell_devices,
            activity.errored                          AS cell_errored,
            activity.crashed                          AS cell_crashed
        FROM activity
        WHERE project_id = {project_id:Int64}
            AND dims = 15
            AND grain IN ('slot', 'hour')
            AND at >= {from:DateTime('UTC')}
            AND (grain = 'slot') = (at >= {recent:DateTime('UTC')})
            AND (grain = 'slot' OR at < toStartOfHour({recent:DateTime('UTC')}))
        UNION ALL
        SELECT
            update_uuid, channel, platform, runtime_version,
            failed_at >= {recent:DateTime('UTC')} AS recent,
            if(recent, toDateTime(0, 'UTC'), toStartOfHour(toDateTime(failed_at, 'UTC'))) AS hour,
            uniqCombined64State(13)(device_id) AS cell_devices,
            uniqCombined64State(13)(device_id) AS cell_errored,
            uniqCombined64State(13)(device_id) AS cell_crashed
        FROM failed_devices FINAL
        WHERE project_id = {project_id:Int64}
            AND failed_at >= {from:DateTime('UTC')}
            AND (failed_at >= {recent:DateTime('UTC')} OR failed_at < toStartOfHour({recent:DateTime('UTC')}))
        GROUP BY update_uuid, channel, platform, runtime_version, recent, hour
    )
    GROUP BY update_uuid, channel, platform, runtime_version, recent, hour
)
GROUP BY update_uuid, channel, platform, runtime_version
HAVING devices > 0
ORDER BY errored DESC, update_uuid, channel, platform, runtime_version
LIMIT {most:UInt32}
