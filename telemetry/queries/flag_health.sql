-- Health of devices with a flag by variation and channel, and of all of them together (whole = 1). Days, weeks and
-- spans are as in flag_impacts.sql.
SELECT
    grouping(variation) AS whole,
    variation, channel,
    uniqCombined64Merge(12)(part_devices) AS devices,
    uniqCombined64Merge(12)(part_errored) AS errored,
    uniqCombined64Merge(12)(part_crashed) AS crashed
FROM
(
    SELECT
        variation, channel,
        flag_activity.devices AS part_devices, flag_activity.errored AS part_errored, flag_activity.crashed AS part_crashed
    FROM flag_activity
    WHERE project_id = {project_id:Int64}
        AND grain IN ('day', 'week')
        AND at >= {from:DateTime('UTC')}
        AND at < {span:DateTime('UTC')}
        AND (grain = 'week' OR at < {monday:DateTime('UTC')})
        AND flag_key = {flag_key:String}
    UNION ALL
    SELECT
        variation, channel,
        flag_spans.devices AS part_devices, flag_spans.errored AS part_errored, flag_spans.crashed AS part_crashed
    FROM flag_spans
    WHERE project_id = {project_id:Int64}
        AND at >= {span:DateTime('UTC')}
        AND flag_key = {flag_key:String}
)
GROUP BY GROUPING SETS ((variation, channel), ())
ORDER BY whole DESC, devices DESC, variation, channel
LIMIT {most:UInt32}
