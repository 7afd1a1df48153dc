-- Devices on some updates in every target since the start of an hour. A failure before the first render counts as a crash.
-- FINAL finds the first failure before it is compared.
SELECT
    update_uuid,
    uniqCombined64Merge(13)(cell_devices)     AS devices,
    uniqCombined64Merge(13)(cell_errored)     AS errored,
    uniqCombined64Merge(13)(cell_crashed)     AS crashed
FROM
(
    SELECT
        update_uuid,
        activity.devices AS cell_devices,
        activity.errored AS cell_errored,
        activity.crashed AS cell_crashed
    FROM activity
    WHERE project_id = {project_id:Int64}
        AND grain = 'hour'
        AND dims = 14
        AND at >= {from:DateTime('UTC')}
        AND update_uuid IN {updates:Array(String)}
    UNION ALL
    SELECT
        update_uuid,
        uniqCombined64State(13)(device_id) AS cell_devices,
        uniqCombined64State(13)(device_id) AS cell_errored,
        uniqCombined64State(13)(device_id) AS cell_crashed
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
        AND update_uuid IN {updates:Array(String)}
    GROUP BY update_uuid
)
GROUP BY update_uuid
SETTINGS max_threads = 1
