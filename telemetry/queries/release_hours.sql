-- For each release and channel: this hour's devices and those with errors, and the
-- same of each of the 24 hours before, added up over the hours so that both sides are
-- devices of an hour.
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
        update_uuid, channel, platform, runtime_version,
        grain = 'slot'                                AS recent,
        if(grain = 'slot', toDateTime(0, 'UTC'), at)  AS hour,
        uniqCombined64Merge(13)(activity_v1.devices)  AS hour_devices,
        uniqCombined64Merge(13)(activity_v1.errored)  AS hour_errored,
        uniqCombined64Merge(13)(activity_v1.crashed)  AS hour_crashed
    FROM activity_v1
    WHERE project_id = {project_id:Int64}
        AND dims = 15
        AND grain IN ('slot', 'hour')
        AND at >= {from:DateTime('UTC')}
        AND (grain = 'slot') = (at >= {recent:DateTime('UTC')})
        AND (grain = 'slot' OR at < toStartOfHour({recent:DateTime('UTC')}))
    GROUP BY update_uuid, channel, platform, runtime_version, recent, hour
)
GROUP BY update_uuid, channel, platform, runtime_version
HAVING devices > 0
ORDER BY errored DESC, update_uuid, channel, platform, runtime_version
LIMIT {most:UInt32}
