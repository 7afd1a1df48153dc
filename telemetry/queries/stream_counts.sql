-- Distinct devices of each channel, platform and runtime version since the start of an hour: all that reported, with
-- errors, and with crashes. A failure before the first render counts as a crash. FINAL finds the first failure before
-- it is compared.
SELECT
    channel, platform, runtime_version,
    uniqCombined64Merge(13)(cell_devices) AS devices,
    uniqCombined64Merge(13)(cell_errored) AS errored,
    uniqCombined64Merge(13)(cell_crashed) AS crashed
FROM
(
    SELECT
        channel, platform, runtime_version,
        activity.devices AS cell_devices,
        activity.errored AS cell_errored,
        activity.crashed AS cell_crashed
    FROM activity
    WHERE project_id = {project_id:Int64}
        AND grain = 'hour'
        AND dims = 7
        AND at >= {from:DateTime('UTC')}
    UNION ALL
    SELECT
        channel, platform, runtime_version,
        uniqCombined64State(13)(device_id) AS cell_devices,
        uniqCombined64State(13)(device_id) AS cell_errored,
        uniqCombined64State(13)(device_id) AS cell_crashed
    FROM failed_devices FINAL
    WHERE project_id = {project_id:Int64}
        AND failed_at >= {from:DateTime('UTC')}
    GROUP BY channel, platform, runtime_version
)
GROUP BY channel, platform, runtime_version
ORDER BY devices DESC, channel, platform, runtime_version
LIMIT {most:UInt32}
SETTINGS max_threads = 1
