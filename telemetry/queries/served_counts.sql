-- Devices of every target on sets of updates since the start of an hour, where a device counts once for a set. sets has the
-- numbers of the sets of each of the updates. A failure before the first render counts as a crash. FINAL finds the first
-- failure before it is compared.
SELECT
    channel, platform, runtime_version, updates,
    uniqCombined64Merge(13)(cell_devices)     AS devices,
    uniqCombined64Merge(13)(cell_errored)     AS errored,
    uniqCombined64Merge(13)(cell_crashed)     AS crashed
FROM
(
    SELECT
        channel, platform, runtime_version, cell_devices, cell_errored, cell_crashed,
        arrayJoin({sets:Array(Array(UInt32))}[transform(update_uuid, {updates:Array(String)}, {indices:Array(UInt32)}, toUInt32(0))]) AS updates
    FROM
    (
        SELECT
            channel, platform, runtime_version, update_uuid,
            activity.devices AS cell_devices,
            activity.errored AS cell_errored,
            activity.crashed AS cell_crashed
        FROM activity
        WHERE project_id = {project_id:Int64}
            AND grain = 'hour'
            AND dims = 15
            AND at >= {from:DateTime('UTC')}
            AND update_uuid IN {updates:Array(String)}
        UNION ALL
        SELECT
            channel, platform, runtime_version, update_uuid,
            uniqCombined64State(13)(device_id) AS cell_devices,
            uniqCombined64State(13)(device_id) AS cell_errored,
            uniqCombined64State(13)(device_id) AS cell_crashed
        FROM failed_devices FINAL
        WHERE project_id = {project_id:Int64}
            AND failed_at >= {from:DateTime('UTC')}
            AND update_uuid IN {updates:Array(String)}
        GROUP BY channel, platform, runtime_version, update_uuid
    )
)
GROUP BY channel, platform, runtime_version, updates
ORDER BY devices DESC, channel, platform, runtime_version, updates
LIMIT {most:UInt32}
SETTINGS max_threads = 1
