-- Devices of some targets on the updates that each target is served, since the start of an hour: by target and update,
-- and by target (together), where a device counts once. With others, also the devices of all other targets on the
-- embedded update, whose update_uuid is ''. A failure before the first render counts as a crash. FINAL
-- finds the first failure before it is compared.
SELECT
    channel, platform, runtime_version, update_uuid,
    grouping(update_uuid)                     AS together,
    uniqCombined64Merge(13)(cell_devices)     AS devices,
    uniqCombined64Merge(13)(cell_errored)     AS errored,
    uniqCombined64Merge(13)(cell_crashed)     AS crashed
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
        AND {served}
    UNION ALL
    SELECT
        channel, platform, runtime_version, update_uuid,
        uniqCombined64State(13)(device_id) AS cell_devices,
        uniqCombined64State(13)(device_id) AS cell_errored,
        uniqCombined64State(13)(device_id) AS cell_crashed
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND {served}
    GROUP BY channel, platform, runtime_version, update_uuid
)
GROUP BY GROUPING SETS ({served_groups})
ORDER BY devices DESC, channel, platform, runtime_version, update_uuid, together
LIMIT {most:UInt32}
SETTINGS max_threads = 1
