-- Version of flag_health.sql for every flag of a project (whole = 1 for all devices with a flag).
SELECT
    grouping(variation) AS whole,
    flag_key, variation, channel,
    uniqCombined64Merge(12)(part_devices) AS devices,
    uniqCombined64Merge(12)(part_errored) AS errored,
    uniqCombined64Merge(12)(part_crashed) AS crashed
FROM
(
    SELECT
        flag_key, variation, channel,
        flag_activity.devices AS part_devices, flag_activity.errored AS part_errored, flag_activity.crashed AS part_crashed
    FROM flag_activity
    WHERE project_id = {project_id:Int64}
        AND grain IN ('day', 'week')
        AND at >= {from:DateTime('UTC')}
        AND at < {span:DateTime('UTC')}
        AND (grain = 'week' OR at < {monday:DateTime('UTC')})
    UNION ALL
    SELECT
        flag_key, variation, channel,
        flag_spans.devices AS part_devices, flag_spans.errored AS part_errored, flag_spans.crashed AS part_crashed
    FROM flag_spans
    WHERE project_id = {project_id:Int64}
        AND at >= {span:DateTime('UTC')}
)
GROUP BY GROUPING SETS ((flag_key, variation, channel), (flag_key))
ORDER BY flag_key, whole DESC, devices DESC, variation, channel
LIMIT {most:UInt32} BY flag_key
